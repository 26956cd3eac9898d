import type { Callable, DataOf, InputOf } from '@engram/contract';
import {
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { api } from './api.ts';
import { keyOf } from './keys.ts';

export type Pages<T> = UseInfiniteQueryResult<{ rows: readonly T[]; total: number }>;

interface PagesOptions {
  enabled?: boolean;
  /** True if the server logs each read. The list is then not refetched on focus or reconnect. */
  isLogged?: boolean;
  pageSize?: number;
  staleTime?: number;
}

type RowOf<R extends Callable> = DataOf<R> extends readonly (infer T)[] ? T : never;

/** Outside of the hook, so that the rows are the same array until the data changes. */
function joinPages<T>({
  pages,
}: {
  pages: readonly { data: unknown; total?: number | undefined }[];
}) {
  const rows: readonly T[] = pages.flatMap(({ data }) => data as readonly T[]);
  return { rows, total: pages[0]?.total ?? rows.length };
}

/** Reads a list page by page. The rows of an earlier input stay until the new ones are loaded. */
export function usePages<R extends Callable & { list?: true }>(
  route: R,
  input: InputOf<R>,
  { isLogged = false, pageSize = 20, ...options }: PagesOptions = {},
): Pages<RowOf<R>> {
  return useInfiniteQuery({
    ...options,
    queryKey: [...keyOf(route), input, 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const { query } = input as { query?: object };
      const page = { ...query, limit: pageSize, cursor: pageParam ?? undefined };
      return api.call(route, { ...input, query: page }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    select: joinPages<RowOf<R>>,
    ...(isLogged
      ? { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false }
      : {}),
  });
}

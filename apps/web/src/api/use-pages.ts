import type { Callable, DataOf, InputOf } from '@engram/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keyOf } from './keys.ts';

/** The pages of a list that are loaded so far. */
export interface Pages<T> {
  /** Undefined until the first page is loaded. */
  rows: readonly T[] | undefined;
  total: number;
  error: Error | null;
  /** The rows belong to an earlier input. */
  isStale: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  moreFailed: boolean;
  loadMore: () => void;
  refetch: () => void;
}

interface PagesOptions {
  /** False while the list is not visible. */
  enabled?: boolean;
  /** True if the server logs each read. The list is then not read again on focus or reconnect. */
  isLogged?: boolean;
  pageSize?: number;
  staleTime?: number;
}

type RowOf<R extends Callable> = DataOf<R> extends readonly (infer T)[] ? T : never;

/** Reads a list page by page. The rows of an earlier input stay until the new ones are loaded. */
export function usePages<R extends Callable & { list?: true }>(
  route: R,
  input: InputOf<R>,
  { isLogged = false, pageSize = 20, ...options }: PagesOptions = {},
): Pages<RowOf<R>> {
  const list = useInfiniteQuery({
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
    ...(isLogged
      ? { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false }
      : {}),
  });
  const pages = list.data?.pages.map(({ data, total }) => ({
    rows: data as readonly RowOf<R>[],
    total,
  }));
  return {
    rows: pages?.flatMap(({ rows }) => rows),
    total: pages?.[0]?.total ?? pages?.[0]?.rows.length ?? 0,
    error: list.error,
    isStale: list.isPlaceholderData,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    moreFailed: list.isFetchNextPageError,
    loadMore: () => void list.fetchNextPage(),
    refetch: () => void list.refetch(),
  };
}

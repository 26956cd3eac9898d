import type { Envelope } from '@engram/contract';
import type { SendOptions } from '@engram/client';
import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@tanstack/react-query';

/** Rows asked for at once. */
const PAGE_SIZE = 20;

interface PageQuery {
  limit: number;
  cursor: string | undefined;
}

/** A list that the server hands out page by page, as far as it has been read. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  rows: readonly T[] | undefined;
  total: number;
  error: Error | null;
  /** The rows belong to an earlier question than the one that is being answered. */
  isStale: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Whether the last try to read on has failed. */
  moreFailed: boolean;
  loadMore: () => void;
  retry: () => void;
}

interface PagesOptions {
  /** False while nobody looks at the list. */
  enabled?: boolean;
  /** True where reading is noted by the server: then nothing is read that nobody asked for. */
  noted?: boolean;
}

/** Reads a list page by page; what was found before stays until what is asked for is there. */
export function usePages<T>(
  queryKey: QueryKey,
  read: (query: PageQuery, sending: SendOptions) => Promise<Envelope<T[]>>,
  { enabled = true, noted = false }: PagesOptions = {},
): Pages<T> {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE_SIZE, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    enabled,
    ...(noted
      ? { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false }
      : {}),
  });
  const pages = list.data?.pages;
  return {
    rows: pages?.flatMap(({ data }) => data),
    total: pages?.[0]?.total ?? pages?.[0]?.data.length ?? 0,
    error: list.error,
    isStale: list.isPlaceholderData,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    moreFailed: list.isFetchNextPageError,
    loadMore: () => void list.fetchNextPage(),
    retry: () => void list.refetch(),
  };
}

import { listShares as route } from '@engram/contract/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const sharesKey = ['shares'] as const;

/** Links that are fetched at once. */
const PAGE = 50;

/** The person's shared answers, the newest link first, page by page. */
export function useShares() {
  return useInfiniteQuery({
    queryKey: sharesKey,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      const { data, nextCursor } = await api.call(route, { query }, { signal });
      return { shares: data, nextCursor: nextCursor ?? null };
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Questions are deleted elsewhere, and their links with them.
    staleTime: 0,
  });
}

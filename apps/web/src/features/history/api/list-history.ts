import type { HistoryEntry } from '@engram/contract';
import { listHistory } from '@engram/contract/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

export interface HistoryFilter {
  /** Words to look for; empty for all. */
  q: string;
  savedOnly: boolean;
  archivedOnly: boolean;
}

export interface HistoryPage {
  entries: HistoryEntry[];
  nextCursor: string | null;
}

/** Questions asked for at once. */
const PAGE_SIZE = 40;

/** Past questions, newest first, page by page. */
export function useHistoryList(filter: HistoryFilter) {
  return useInfiniteQuery({
    queryKey: [...queryKeys.history, 'list', filter],
    queryFn: async ({ pageParam, signal }): Promise<HistoryPage> => {
      const answer = await api.call(
        listHistory,
        {
          query: {
            limit: PAGE_SIZE,
            cursor: pageParam ?? undefined,
            q: filter.q || undefined,
            saved: filter.savedOnly ? 'true' : undefined,
            archived: filter.archivedOnly ? 'true' : 'false',
          },
        },
        { signal },
      );
      return { entries: answer.data, nextCursor: answer.nextCursor ?? null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

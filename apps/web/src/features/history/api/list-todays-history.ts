import type { HistoryEntry } from '@engram/contract';
import { todaysHistory } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';
import { startFromCache, writeCache } from '../../../lib/session-cache.ts';

const CACHE_KEY = 'searchHistoryKey';

/** Today's questions, newest first: at once from the session's cache, then as the server has them. */
export function useTodaysHistory() {
  return useQuery({
    queryKey: [...queryKeys.history, 'today'],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(todaysHistory, {}, { signal });
      writeCache(CACHE_KEY, data);
      return data;
    },
    ...startFromCache<HistoryEntry[]>(CACHE_KEY),
  });
}

import type { HistoryEntry } from '@engram/contract';
import { todaysHistory } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { startFromCache, writeCache } from '../../../session/session-cache.ts';
import { useTimeZone } from '../../../format/time-zone.ts';

const CACHE_KEY = 'searchHistoryKey';

/** Prefix of today's questions; the key ends with the zone whose midnight they begin at. */
export const todaysHistoryKey = [...queryKeys.history, 'today'] as const;

/** Today's questions, newest first: at once from the session's cache, then as the server has them. */
export function useTodaysHistory() {
  const { timeZone, isOfDevice } = useTimeZone();
  // The server knows its own zone.
  const query = isOfDevice ? { timeZone } : {};
  return useQuery({
    queryKey: [...todaysHistoryKey, query],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(todaysHistory, { query }, { signal });
      writeCache(CACHE_KEY, data);
      return data;
    },
    ...startFromCache<HistoryEntry[]>(CACHE_KEY),
  });
}

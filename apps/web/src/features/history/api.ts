import type { HistoryEntry } from '@engram/contract';
import { getHistoryEntry, todaysHistory } from '@engram/contract/browser';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/keys.ts';
import { useCall } from '../../api/use-call.ts';
import { useTimeZone } from '../../format/time-zone.ts';
import { startFromCache } from '../../session/session-cache.ts';

/** Today's questions, newest first. */
export function useTodaysHistory() {
  const { timeZone, isOfDevice } = useTimeZone();
  // The server's own zone is the default.
  const query = isOfDevice ? { timeZone } : {};
  return useCall(todaysHistory, { query }, startFromCache<HistoryEntry[]>('searchHistoryKey'));
}

/** One question with its answer; shown at once if it is among today's. */
export function useHistoryEntry(id: string | null) {
  const queries = useQueryClient();
  return useCall(getHistoryEntry, id === null ? null : { query: { id } }, {
    placeholderData: () =>
      queries
        .getQueriesData<HistoryEntry[]>({ queryKey: keyOf(todaysHistory) })
        .flatMap(([, entries]) => entries ?? [])
        .find((entry) => entry.id === id),
  });
}

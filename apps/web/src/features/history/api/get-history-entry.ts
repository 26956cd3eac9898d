import type { HistoryEntry } from '@engram/contract';
import { getHistoryEntry } from '@engram/contract/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { todaysHistoryKey } from './list-todays-history.ts';

export const historyEntryKey = (id: string) => [...queryKeys.history, 'entry', id] as const;

/** One question with its answer; a list that has it already shows it at once. */
export function useHistoryEntry(id: string | null) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: historyEntryKey(id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await api.call(getHistoryEntry, { query: { id: id ?? '' } }, { signal })).data,
    placeholderData: () =>
      queryClient
        .getQueriesData<HistoryEntry[]>({ queryKey: todaysHistoryKey })
        .flatMap(([, entries]) => entries ?? [])
        .find((entry) => entry.id === id),
  });
}

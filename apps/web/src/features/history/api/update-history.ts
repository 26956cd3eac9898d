import type { HistoryEntry } from '@engram/contract';
import { updateHistory } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { notifyError } from '../../../lib/notify.ts';
import { queryKeys } from '../../../lib/query-keys.ts';
import { patchHistory } from '../patch-history.ts';

export interface HistoryChange {
  historyId: string;
  isBookmark?: boolean;
  isArchived?: boolean;
}

const failureTitle = (change: HistoryChange): string => {
  if (change.isArchived !== undefined) {
    return change.isArchived ? 'The question was not archived' : 'The question was not un-archived';
  }
  return change.isBookmark ? 'The question was not saved' : 'The question was not un-saved';
};

/** Saves or archives a question: shown at once, taken back with a message when the server refuses. */
export function useUpdateHistory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (change: HistoryChange): Promise<HistoryEntry> =>
      (await api.call(updateHistory, { body: change })).data,
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey: queryKeys.history });
      const before = queryClient.getQueriesData<unknown>({ queryKey: queryKeys.history });
      for (const [key, data] of before) {
        queryClient.setQueryData(key, patchHistory(data, change));
      }
      return before as [QueryKey, unknown][];
    },
    onError: (error, change, before) => {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data);
      notifyError(failureTitle(change), error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.history }),
  });
}

import type { HistoryEntry } from '@engram/contract';
import { updateHistory } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import type { HistoryChange, HistoryFilter, HistoryPages } from '../history-pages.ts';
import { lacks, patchHistory } from '../patch-history.ts';
import { historyListsKey } from './list-history.ts';

const failureTitle = (change: HistoryChange): string => {
  if (change.isArchived !== undefined) {
    return change.isArchived ? 'The question was not archived' : 'The question was not un-archived';
  }
  return change.isBookmark ? 'The question was not saved' : 'The question was not un-saved';
};

/** Lists keep what they have read: one that has gained the question is read anew. */
async function resetLacking(queries: QueryClient, changed: HistoryEntry): Promise<void> {
  const lists = queries.getQueriesData<HistoryPages>({ queryKey: historyListsKey });
  const lacking = lists.filter(
    ([key, pages]) => pages && lacks(pages, key[2] as HistoryFilter, changed),
  );
  await Promise.all(lacking.map(([queryKey]) => queries.resetQueries({ queryKey, exact: true })));
}

/** Saves or archives a question: shown when the server has done it, and told when it has not. */
export function useUpdateHistory() {
  const queries = useQueryClient();
  const { history } = queryKeys;
  return useMutation({
    // One question's changes arrive in the order they were made.
    scope: { id: 'history' },
    mutationFn: async (change: HistoryChange): Promise<HistoryEntry> =>
      (await api.call(updateHistory, { body: change })).data,
    onSuccess: async (entry, change) => {
      // What is on its way may not know of the change yet; a list that has nothing still waits for it.
      const isKnown = ({ state }: { state: { data?: unknown } }) => state.data !== undefined;
      await queries.cancelQueries({ queryKey: history, predicate: isKnown });
      queries.setQueriesData({ queryKey: history }, (data: unknown) => patchHistory(data, change));
      void resetLacking(queries, entry);
      void queries.invalidateQueries({ queryKey: history });
    },
    onError: (error, change) => notifyError(failureTitle(change), error),
  });
}

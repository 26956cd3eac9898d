import type { HistoryEntry } from '@engram/contract';
import { updateHistory } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { invalidate, keyOf } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { notifyError } from '../../components/notify.ts';
import {
  listsKey,
  type HistoryChange,
  type HistoryFilter,
  type HistoryPages,
} from './history-pages.ts';
import { lacks, patchHistory } from './patch-history.ts';

const queryKey = keyOf('history');

const failureTitle = (change: HistoryChange): string => {
  if (change.isArchived !== undefined) {
    return change.isArchived ? 'The question was not archived' : 'The question was not un-archived';
  }
  return change.isBookmark ? 'The question was not saved' : 'The question was not un-saved';
};

/** Lists that gained the question are read again. */
async function resetLacking(queries: QueryClient, changed: HistoryEntry): Promise<void> {
  const lists = queries.getQueriesData<HistoryPages>({ queryKey: listsKey });
  const lacking = lists.filter(
    ([key, pages]) => pages && lacks(pages, key.at(-1) as HistoryFilter, changed),
  );
  await Promise.all(lacking.map(([queryKey]) => queries.resetQueries({ queryKey, exact: true })));
}

/** Saves or archives a question: shown when the server has done it, with a message when it has not. */
export const useUpdateHistory = () =>
  useAction(updateHistory, {
    // One question's changes arrive in the order they were made.
    scope: { id: 'history' },
    onSuccess: async (entry, { body }, _before, { client }) => {
      // What is being read may not contain the change yet; a list that has no data still waits for it.
      const isKnown = ({ state }: { state: { data?: unknown } }) => state.data !== undefined;
      await client.cancelQueries({ queryKey, predicate: isKnown });
      client.setQueriesData({ queryKey }, (data: unknown) => patchHistory(data, body));
      void resetLacking(client, entry);
      void invalidate(client, ['history']);
    },
    onError: (error, { body }) => notifyError(failureTitle(body), error),
  });

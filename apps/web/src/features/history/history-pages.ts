import type { HistoryThread, HistoryEntry } from '@engram/contract';
import { listThreads, updateHistory } from '@engram/contract/browser';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keyOf, invalidate } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { notifyError } from '../../components/notify.ts';

/** Prefix of the keys of all lists of questions; a list's key ends with its filter. */
export const listsKey = [...keyOf(listThreads), 'list'];

export interface HistoryFilter {
  /** Words to look for; empty for all. */
  q: string;
  savedOnly: boolean;
  archivedOnly: boolean;
}

export interface HistoryPage {
  entries: HistoryThread[];
  nextCursor: string | null;
  /** On all pages together. */
  total: number;
}

export type HistoryPages = InfiniteData<HistoryPage, string | null>;

/** What is done to a question. */
interface HistoryChange {
  historyId: string;
  isBookmark?: boolean;
  isArchived?: boolean;
  /** Whether the other questions of its talk change too. */
  wholeThread?: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

type Marked = Pick<HistoryEntry, 'id' | 'isBookmark' | 'isArchived'>;

function patchEntry(entry: Marked, change: HistoryChange): Marked {
  if (entry.id !== change.historyId) return entry;
  return {
    ...entry,
    isBookmark: change.isBookmark ?? entry.isBookmark,
    isArchived: change.isArchived ?? entry.isArchived,
  };
}

/** Applies a change to whatever the cache holds about questions: one, a list, or pages of a list. */
function patchHistory(data: unknown, change: HistoryChange): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => patchHistory(item, change));
  if (!isObject(data)) return data;
  if (Array.isArray(data['pages'])) return { ...data, pages: patchHistory(data['pages'], change) };
  if (Array.isArray(data['entries'])) {
    return { ...data, entries: patchHistory(data['entries'], change) };
  }
  return 'isBookmark' in data ? patchEntry(data as unknown as Marked, change) : data;
}

/** Whether a question belongs into a list of talks, as far as its words do not tell. */
export const belongs = (entry: HistoryEntry, { savedOnly, archivedOnly }: HistoryFilter) =>
  entry.isArchived === archivedOnly && (entry.isBookmark || !savedOnly);

/** Whether a list that has been read lacks a question that belongs into it now. */
const lacks = ({ pages }: HistoryPages, filter: HistoryFilter, entry: HistoryEntry): boolean =>
  belongs(entry, filter) &&
  !pages.some(({ entries }) => entries.some((other) => other.thread === entry.thread));

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

import type { HistoryThread, HistoryEntry } from '@engram/contract';
import { listThreads, updateHistory } from '@engram/contract/browser';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keyOf, invalidate } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { notifyError } from '../../components/notify.ts';

/** Prefix of the cache keys of all lists; a list's key ends with its filter. */
export const listsKey = [...keyOf(listThreads), 'list'];

export interface HistoryFilter {
  q: string;
  savedOnly: boolean;
  archivedOnly: boolean;
}

export interface HistoryPage {
  entries: HistoryThread[];
  nextCursor: string | null;
  /** Of all pages. */
  total: number;
}

export type HistoryPages = InfiniteData<HistoryPage, string | null>;

interface HistoryChange {
  historyId: string;
  isBookmark?: boolean;
  isArchived?: boolean;
  /** Whether the other questions of its conversation change too. */
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

/** Applies a change to what a query has cached: an entry, a list, or pages of a list. */
function patchHistory(data: unknown, change: HistoryChange): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => patchHistory(item, change));
  if (!isObject(data)) return data;
  if (Array.isArray(data['pages'])) return { ...data, pages: patchHistory(data['pages'], change) };
  if (Array.isArray(data['entries'])) {
    return { ...data, entries: patchHistory(data['entries'], change) };
  }
  return 'isBookmark' in data ? patchEntry(data as unknown as Marked, change) : data;
}

/** Whether a question belongs to a list, apart from the searched words. */
export const belongs = (entry: Marked, { savedOnly, archivedOnly }: HistoryFilter) =>
  entry.isArchived === archivedOnly && (entry.isBookmark || !savedOnly);

const queryKey = keyOf('history');

const failureTitle = (change: HistoryChange): string => {
  if (change.isArchived !== undefined) {
    return change.isArchived ? 'The question was not archived' : 'The question was not un-archived';
  }
  return change.isBookmark ? 'The question was not saved' : 'The question was not un-saved';
};

/** Reads the lists again that the question belongs to now, and that lack it. */
async function resetLacking(queries: QueryClient, changed: HistoryEntry): Promise<void> {
  const isThere = ({ entries }: HistoryPage): boolean =>
    entries.some(({ thread }) => thread === changed.thread);
  const lacking = queries
    .getQueriesData<HistoryPages>({ queryKey: listsKey })
    .filter(
      ([key, list]) =>
        list && belongs(changed, key.at(-1) as HistoryFilter) && !list.pages.some(isThere),
    );
  await Promise.all(lacking.map(([queryKey]) => queries.resetQueries({ queryKey, exact: true })));
}

/** Saves or archives a question. */
export const useUpdateHistory = () =>
  useAction(updateHistory, {
    // Changes arrive in the order they were made.
    scope: { id: 'history' },
    onSuccess: async (entry, { body }, _before, { client }) => {
      // A list that is being read may not contain the change yet.
      const isKnown = ({ state }: { state: { data?: unknown } }) => state.data !== undefined;
      await client.cancelQueries({ queryKey, predicate: isKnown });
      client.setQueriesData({ queryKey }, (data: unknown) => patchHistory(data, body));
      void resetLacking(client, entry);
      void invalidate(client, ['history']);
    },
    onError: (error, { body }) => notifyError(failureTitle(body), error),
  });

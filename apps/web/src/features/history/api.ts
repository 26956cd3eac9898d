import type { HistoryEntry } from '@engram/contract';
import { listThreads, todaysHistory, updateHistory } from '@engram/contract/browser';
import { invalidate, keyOf } from '../../api/keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useCall } from '../../api/use-call.ts';
import { usePages } from '../../api/use-pages.ts';
import { notifyError } from '../../components/notify.ts';
import { useTimeZone } from '../../format/time-zone.ts';
import { sessionCacheOptions } from '../../session/session-cache.ts';

export function useTodaysHistory() {
  const { timeZone, isDeviceZone } = useTimeZone();
  const query = isDeviceZone ? { timeZone } : {};
  return useCall(todaysHistory, { query }, sessionCacheOptions<HistoryEntry[]>('searchHistoryKey'));
}

export interface HistoryFilter {
  q: string;
  only: 'saved' | 'archived' | null;
}

export const useHistoryList = ({ q, only }: HistoryFilter) =>
  usePages(
    listThreads,
    {
      query: {
        q: q || undefined,
        saved: only === 'saved' ? 'true' : undefined,
        archived: only === 'archived' ? 'true' : 'false',
      },
    },
    { pageSize: 100 },
  );

type Marked = Pick<HistoryEntry, 'id' | 'isBookmark' | 'isArchived'>;

/** Whether a question belongs to a list, regardless of the searched words. */
export const matchesFilter = (
  { isArchived, isBookmark }: Marked,
  { only }: HistoryFilter,
): boolean => isArchived === (only === 'archived') && (isBookmark || only !== 'saved');

/** Replaces an entry in cached data: a single entry, a list, or pages of a list. */
function patchHistory(data: unknown, changed: Marked): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => patchHistory(item, changed));
  if (typeof data !== 'object' || data === null) return data;
  if ('pages' in data) return { ...data, pages: patchHistory(data.pages, changed) };
  if ('data' in data) return { ...data, data: patchHistory(data.data, changed) };
  return 'isBookmark' in data && 'id' in data && data.id === changed.id
    ? { ...data, isBookmark: changed.isBookmark, isArchived: changed.isArchived }
    : data;
}

const queryKey = keyOf('history');

export const useUpdateHistory = () =>
  useAction(updateHistory, {
    // Sends changes in order.
    scope: { id: 'history' },
    onSuccess: async (entry, _input, _before, { client }) => {
      // A list that is being fetched may not contain the change yet.
      const isKnown = ({ state }: { state: { data?: unknown } }) => state.data !== undefined;
      await client.cancelQueries({ queryKey, predicate: isKnown });
      client.setQueriesData({ queryKey }, (data: unknown) => patchHistory(data, entry));
      void invalidate(client, ['history']);
    },
    onError: (error, { body: { isArchived, isBookmark } }) => {
      const archived = isArchived ? 'archived' : 'un-archived';
      const saved = isBookmark ? 'saved' : 'un-saved';
      notifyError(`The question was not ${isArchived === undefined ? saved : archived}`, error);
    },
  });

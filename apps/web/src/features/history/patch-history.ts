import type { HistoryEntry } from '@engram/contract';
import type { HistoryChange, HistoryFilter, HistoryPages } from './history-pages.ts';

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
export function patchHistory(data: unknown, change: HistoryChange): unknown {
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
export const lacks = (
  { pages }: HistoryPages,
  filter: HistoryFilter,
  entry: HistoryEntry,
): boolean =>
  belongs(entry, filter) &&
  !pages.some(({ entries }) => entries.some((other) => other.thread === entry.thread));

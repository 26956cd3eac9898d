import type { HistoryThread } from '@engram/contract';
import type { HistoryPage, HistoryPages } from './history-pages.ts';

/** Whether a question stands below another in the list, as the server orders them. */
const isBelow = (entry: HistoryThread, other: HistoryThread): boolean =>
  entry.date === other.date ? entry.id < other.id : entry.date < other.date;

/**
 * Pages that were read earlier, with the first page as it is now. What is known below it stays, so
 * that nothing moves for who has scrolled there; where so much is new that questions in between are
 * missing, the list begins anew.
 */
export function withNewest(known: HistoryPages, newest: HistoryPage): HistoryPages {
  const afresh: HistoryPages = { pages: [newest], pageParams: [null] };
  const last = newest.entries.at(-1);
  if (!last || newest.nextCursor === null) return afresh;
  const ids = new Set(newest.entries.map(({ id }) => id));
  const threads = new Set(newest.entries.map(({ thread }) => thread));
  // Asked again, it stands on top with how often.
  const repeated = new Set(newest.entries.flatMap((e) => (e.times > 1 ? [e.searchText] : [])));
  const isNew = ({ thread, searchText }: HistoryThread): boolean =>
    threads.has(thread) || repeated.has(searchText);
  const meets = known.pages.some(({ entries }) => entries.some(({ id }) => ids.has(id)));
  if (!meets) return afresh;

  const below = known.pages.map(({ entries, ...page }) => ({
    ...page,
    entries: entries.filter((entry) => isBelow(entry, last) && !isNew(entry)),
  }));
  const [first, ...rest] = below;
  if (!first || below.every(({ entries }) => entries.length === 0)) return afresh;
  const top = { ...first, entries: [...newest.entries, ...first.entries], total: newest.total };
  return { pages: [top, ...rest], pageParams: known.pageParams };
}

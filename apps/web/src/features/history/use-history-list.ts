import type { HistoryThread } from '@engram/contract';
import { listThreads } from '@engram/contract/browser';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keyOf } from '../../api/keys.ts';
import {
  listsKey,
  type HistoryFilter,
  type HistoryPage,
  type HistoryPages,
} from './history-pages.ts';

const PAGE_SIZE = 100;

const listKey = (filter: HistoryFilter) => [...listsKey, filter] as const;
const newestKey = (filter: HistoryFilter) => [...keyOf(listThreads), 'newest', filter] as const;

async function readPage(
  { q, savedOnly, archivedOnly }: HistoryFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const query = {
    limit: PAGE_SIZE,
    cursor: cursor ?? undefined,
    q: q || undefined,
    saved: savedOnly ? ('true' as const) : undefined,
    archived: archivedOnly ? ('true' as const) : ('false' as const),
  };
  const answer = await api.call(listThreads, { query }, { signal });
  return {
    entries: answer.data,
    nextCursor: answer.nextCursor ?? null,
    total: answer.total ?? answer.data.length,
  };
}

/** Past questions, newest first. Their pages are not read again because of a new question. */
export function useHistoryList(filter: HistoryFilter) {
  return useInfiniteQuery({
    queryKey: listKey(filter),
    queryFn: async ({ pageParam, signal, client }) => {
      const page = await readPage(filter, pageParam, signal);
      // The first page is the newest there is.
      if (pageParam === null) client.setQueryData(newestKey(filter), page.total);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 'static',
    // Comparing thousands of questions takes longer than rendering those in sight.
    structuralSharing: false,
    // While the user types, the last results stay until the next arrive.
    placeholderData: (before, query) => {
      const last = query?.queryKey.at(-1) as HistoryFilter | undefined;
      const same =
        last?.savedOnly === filter.savedOnly && last.archivedOnly === filter.archivedOnly;
      return same ? before : undefined;
    },
  });
}

/** Adds newer questions to a list that has been read. */
export function useNewestQuestions(filter: HistoryFilter, isRead: boolean): void {
  const queries = useQueryClient();
  const queryKey = listKey(filter);
  useQuery({
    queryKey: newestKey(filter),
    queryFn: async ({ signal }) => {
      const newest = await readPage(filter, null, signal);
      // A page that is being read would replace the list with its old state.
      await queries.cancelQueries({ queryKey, exact: true });
      queries.setQueryData<HistoryPages>(queryKey, (known) => known && withNewest(known, newest));
      return newest.total;
    },
    enabled: isRead,
  });
}

/** Whether a question is below another in the server's order. */
const isBelow = (entry: HistoryThread, other: HistoryThread): boolean =>
  entry.date === other.date ? entry.id < other.id : entry.date < other.date;

/**
 * The pages read earlier, with the first page as it is now. What is below it stays, so that nothing
 * moves while the user scrolls there. If questions in between are missing, only the new page is left.
 */
export function withNewest(known: HistoryPages, newest: HistoryPage): HistoryPages {
  const onlyNewest: HistoryPages = { pages: [newest], pageParams: [null] };
  const last = newest.entries.at(-1);
  if (!last || newest.nextCursor === null) return onlyNewest;
  const ids = new Set(newest.entries.map(({ id }) => id));
  const threads = new Set(newest.entries.map(({ thread }) => thread));
  // A question that was asked again moves to the top.
  const repeated = new Set(newest.entries.flatMap((e) => (e.times > 1 ? [e.searchText] : [])));
  const isNew = ({ thread, searchText }: HistoryThread): boolean =>
    threads.has(thread) || repeated.has(searchText);
  const meets = known.pages.some(({ entries }) => entries.some(({ id }) => ids.has(id)));
  if (!meets) return onlyNewest;

  const below = known.pages.map(({ entries, ...page }) => ({
    ...page,
    entries: entries.filter((entry) => isBelow(entry, last) && !isNew(entry)),
  }));
  const [first, ...rest] = below;
  if (!first || below.every(({ entries }) => entries.length === 0)) return onlyNewest;
  const top = { ...first, entries: [...newest.entries, ...first.entries], total: newest.total };
  return { pages: [top, ...rest], pageParams: known.pageParams };
}

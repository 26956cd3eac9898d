import type { Artifact, HistoryEntry } from '@engram/contract';
import { listArtifacts, listHistory } from '@engram/contract/browser';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Most files, and most questions, that are shown at once. */
const MOST = 6;
/** Questions asked for: some of them were asked several times. */
const MOST_ASKED_FOR = 20;

/** Each question once, the newest of those that are alike. */
function withoutRepeats(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ searchText }) => {
    const key = searchText.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

const filesNamed = (q: string) =>
  queryOptions({
    queryKey: [...queryKeys.artifacts, 'palette', q],
    queryFn: async ({ signal }): Promise<Artifact[]> => {
      const query = { limit: MOST, ...(q ? { q } : {}) };
      return (await api.call(listArtifacts, { query }, { signal })).data;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

const questionsLike = (q: string) =>
  queryOptions({
    queryKey: [...queryKeys.history, 'palette', q],
    queryFn: async ({ signal }): Promise<HistoryEntry[]> => {
      const query = { limit: MOST_ASKED_FOR, brief: 'true' as const, ...(q ? { q } : {}) };
      const { data } = await api.call(listHistory, { query }, { signal });
      return withoutRepeats(data).slice(0, MOST);
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

/**
 * The person's files and earlier questions that have the words in them, the newest of each while
 * there are none. What was found last stays until the next is there.
 */
export function useFound(words: string) {
  const files = useQuery(filesNamed(words));
  const questions = useQuery(questionsLike(words));
  return {
    files: files.data ?? [],
    questions: questions.data ?? [],
    isSearching: files.isFetching || questions.isFetching,
    /** Why the server could not be asked; null where it was. */
    error: files.error ?? questions.error,
  };
}

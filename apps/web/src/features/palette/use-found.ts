import type { HistoryEntry } from '@engram/contract';
import { listArtifacts, listHistory } from '@engram/contract/browser';
import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '../../api/use-call.ts';

/** Most files, and most questions, that are shown at once. */
const MOST = 6;
/** Questions asked for: some of them were asked several times. */
const MOST_ASKED_FOR = 20;

/** The newest questions, each once. */
function newestOf(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string>();
  const once = entries.filter(({ searchText }) => {
    const key = searchText.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
  return once.slice(0, MOST);
}

const options = { placeholderData: keepPreviousData, retry: false } as const;

/**
 * The person's files and earlier questions that have the words in them, the newest of each while
 * there are none. What was found last stays until the next is there.
 */
export function useFound(words: string) {
  const q = words || undefined;
  const files = useCall(listArtifacts, { query: { limit: MOST, q } }, options);
  const questions = useCall(
    listHistory,
    { query: { limit: MOST_ASKED_FOR, brief: 'true', q } },
    { ...options, select: newestOf },
  );
  return {
    files: files.data ?? [],
    questions: questions.data ?? [],
    isSearching: files.isFetching || questions.isFetching,
    /** Why the server could not be asked; null where it was. */
    error: files.error ?? questions.error,
  };
}

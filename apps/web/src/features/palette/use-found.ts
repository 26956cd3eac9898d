import type { HistoryEntry } from '@engram/contract';
import { listArtifacts, listHistory } from '@engram/contract/browser';
import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '../../api/use-call.ts';

/** The most files, and the most questions, that are shown. */
const MOST = 6;
/** Questions that are read: some of them were asked several times. */
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
 * The user's files and earlier questions that contain the words, or the newest of each while there
 * are no words. The last results stay until the next are there.
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
    /** Why a search failed; null where none did. */
    error: files.error ?? questions.error,
  };
}

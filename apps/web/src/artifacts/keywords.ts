import type { Keyword } from '@engram/contract';
import { addKeyword, addKeywordByBody, listKeywords } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { invalidate, keyOf } from '../api/keys.ts';
import { callQuery, useCall } from '../api/use-call.ts';
import { startFromCache } from '../session/session-cache.ts';
import { ApiError } from '@engram/client';

export const keywordsKey = callQuery(listKeywords, {}).queryKey;

/** All keywords, archived ones included, the defaults first. */
export const useKeywords = () => useCall(listKeywords, {}, startFromCache<Keyword[]>('keywords'));

export const activeKeywords = (keywords: readonly Keyword[] = []): string[] =>
  keywords.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);

export const useActiveKeywords = (): readonly string[] => activeKeywords(useKeywords().data);

/** A keyword as the server compares it: without regard to case and to how accents are encoded. */
export const keywordKey = (word: string): string => word.trim().normalize('NFC').toLowerCase();

export const isSameKeyword = (a: string, b: string): boolean => keywordKey(a) === keywordKey(b);

/** Options of all changes of keywords: they reach the server in the order they were made. */
export const keywordChange = { mutationKey: keyOf('keywords'), scope: { id: 'keywords' } };

/** Reads again what depends on the keywords, unless a further change is on its way. */
export async function refreshKeywords(queries: QueryClient): Promise<void> {
  if (queries.isMutating({ mutationKey: keywordChange.mutationKey }) > 1) return;
  await invalidate(queries, ['keywords', 'suggestions']);
}

async function add(keyword: string): Promise<Keyword> {
  // `/keywords/add` is the call that takes the keyword in its body.
  const isPathTaken = keyword.toLowerCase() === 'add';
  const answer = isPathTaken
    ? await api.call(addKeywordByBody, { body: { keyword } })
    : await api.call(addKeyword, { params: { keyword } });
  return answer.data;
}

export function useAddKeyword() {
  const queries = useQueryClient();
  return useMutation({
    ...keywordChange,
    mutationFn: add,
    onSuccess: async (added) => {
      // A list that is being read may not contain it yet.
      await queries.cancelQueries({ queryKey: keywordsKey, exact: true });
      queries.setQueryData(
        keywordsKey,
        (known) => known && [...known.filter(({ id }) => id !== added.id), added],
      );
    },
    // A refusal may mean that another tab has added it.
    onSettled: () => void refreshKeywords(queries),
  });
}

export const fetchFailure = (error: unknown): string =>
  error instanceof ApiError ? 'Failed to fetch keywords' : 'Error fetching keywords';

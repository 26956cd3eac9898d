import type { Keyword } from '@engram/contract';
import { addKeyword, addKeywordByBody, listKeywords } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { invalidate, keyOf } from '../api/keys.ts';
import { callQuery, useCall } from '../api/use-call.ts';
import { sessionCacheOptions } from '../session/session-cache.ts';
import { ApiError } from '@engram/client';

export const keywordsKey = callQuery(listKeywords, {}).queryKey;

/** All keywords, archived ones included, the defaults first. */
export const useKeywords = () =>
  useCall(listKeywords, {}, sessionCacheOptions<Keyword[]>('keywords'));

export const activeKeywords = (keywords: readonly Keyword[] = []): string[] =>
  keywords.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);

export const useActiveKeywords = (): readonly string[] => activeKeywords(useKeywords().data);

/** Normalizes a keyword as the server does, ignoring case and the encoding of accents. */
export const keywordKey = (word: string): string => word.trim().normalize('NFC').toLowerCase();

export const isSameKeyword = (a: string, b: string): boolean => keywordKey(a) === keywordKey(b);

/** Options of all changes of keywords, so that they reach the server in order. */
export const keywordChange = { mutationKey: keyOf('keywords'), scope: { id: 'keywords' } };

/** Refetches what depends on the keywords, unless another change is pending. */
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
      // A list that is being fetched may not contain it yet.
      await queries.cancelQueries({ queryKey: keywordsKey, exact: true });
      queries.setQueryData(
        keywordsKey,
        (known) => known && [...known.filter(({ id }) => id !== added.id), added],
      );
    },
    // An error may mean that another tab has added it.
    onSettled: () => void refreshKeywords(queries),
  });
}

export const keywordsErrorTitle = (error: unknown): string =>
  error instanceof ApiError ? 'Failed to fetch keywords' : 'Error fetching keywords';

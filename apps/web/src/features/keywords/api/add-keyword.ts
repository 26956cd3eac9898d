import type { Keyword } from '@engram/contract';
import { addKeyword as byPath, addKeywordByBody } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';
import { cacheKeywords } from './list-keywords.ts';

async function addKeyword(keyword: string): Promise<Keyword> {
  // `/keywords/add` is the call that takes the keyword in its body.
  const isPathTaken = keyword.toLowerCase() === 'add';
  const answer = isPathTaken
    ? await api.call(addKeywordByBody, { body: { keyword } })
    : await api.call(byPath, { params: { keyword } });
  return answer.data;
}

/** Adds a keyword for later use; the list of keywords shows it at once. */
export function useAddKeyword(): UseMutationResult<Keyword, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: addKeyword,
    onSuccess: (added) => {
      const all = queries.setQueryData<Keyword[]>(
        queryKeys.keywords,
        (known) => known && [...known, added],
      );
      if (all) cacheKeywords(all);
    },
  });
}

import type { Keyword } from '@engram/contract';
import { addKeyword as byPath, addKeywordByBody } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { keywordChange, readKeywordsAgain } from '../keyword-changes.ts';
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
    ...keywordChange,
    mutationFn: addKeyword,
    onSuccess: async (added) => {
      // A list that is on its way may not know of it yet.
      await queries.cancelQueries({ queryKey: queryKeys.keywords, exact: true });
      const all = queries.setQueryData<Keyword[]>(
        queryKeys.keywords,
        (known) => known && [...known.filter(({ id }) => id !== added.id), added],
      );
      if (all) cacheKeywords(all);
    },
    // A refusal may mean that another tab has it already.
    onSettled: () => void readKeywordsAgain(queries),
  });
}

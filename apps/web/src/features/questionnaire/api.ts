import {
  answerQuestions,
  listAnsweredQuestions,
  recommendedQuestions,
} from '@engram/contract/browser';
import type { AnsweredQuestion } from '@engram/contract';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/keys.ts';
import { callQuery } from '../../api/use-call.ts';

/** The option chosen for each question, by ids. */
export type Choices = Readonly<Record<string, string>>;

/** Sends what was chosen; other questions are recommended from then on. */
export function useSubmitAnswers(): UseMutationResult<AnsweredQuestion[], Error, Choices> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (choices) => {
      const responses = Object.entries(choices).map(([questionId, selectedOption]) => ({
        questionId,
        selectedOption,
      }));
      return (await api.call(answerQuestions, { body: { responses } })).data;
    },
    onSuccess: (answered) => {
      queries.setQueryData(callQuery(listAnsweredQuestions, {}).queryKey, answered);
      void invalidate(queries, [recommendedQuestions]);
    },
    // The server may have other questions by now: they are shown, with what was chosen of them.
    onError: () => void invalidate(queries, ['questionnaire']),
  });
}

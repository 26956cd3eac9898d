import { answerQuestions } from '@engram/contract/browser';
import type { AnsweredQuestion } from '@engram/contract';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { answeredQuestionsKey } from './list-answered-questions.ts';

/** The option chosen for each question, by ids. */
export type Choices = Readonly<Record<string, string>>;

/** Hands in what was chosen; recommended questions are others from then on. */
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
      queries.setQueryData(answeredQuestionsKey, answered);
      void queries.invalidateQueries({ queryKey: queryKeys.recommendations });
    },
    // The server knows other questions by now: they are shown, with what was chosen of them.
    onError: () => void queries.invalidateQueries({ queryKey: ['questionnaire'] }),
  });
}

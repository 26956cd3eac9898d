import type { AnsweredQuestion } from '@engram/contract';
import { listAnsweredQuestions } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** Beside the key of the questions themselves: what makes those stale makes these so too. */
export const answeredQuestionsKey = ['questionnaire', 'answered'] as const;

/** The questions at the start with what the person chose. */
export const useAnsweredQuestions = (): UseQueryResult<AnsweredQuestion[]> =>
  useQuery({
    queryKey: answeredQuestionsKey,
    queryFn: async ({ signal }) => (await api.call(listAnsweredQuestions, {}, { signal })).data,
  });

import type { Question } from '@engram/contract';
import { listQuestions } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The questions at the start; they stay as they are while somebody answers them. */
export const useQuestions = (): UseQueryResult<Question[]> =>
  useQuery({
    queryKey: ['questionnaire'],
    queryFn: async ({ signal }) => (await api.call(listQuestions, {}, { signal })).data,
    staleTime: Infinity,
  });

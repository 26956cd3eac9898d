import { recommendedQuestions } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Questions that the person's own files answer; asked for where there are files. */
export function useRecommendedQuestions(hasFiles = true) {
  return useQuery({
    enabled: hasFiles,
    queryKey: queryKeys.recommendations,
    queryFn: async ({ signal }) => (await api.call(recommendedQuestions, {}, { signal })).data,
  });
}

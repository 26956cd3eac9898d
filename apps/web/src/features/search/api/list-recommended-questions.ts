import { recommendedQuestions } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { readCache, writeCache } from '../../../session/session-cache.ts';

const CACHE_KEY = 'recommendedQuestions';

/** What is kept: that there were none is worth keeping too, since other things stand in their place. */
interface Kept {
  questions: string[];
}

/**
 * Questions that the person's own files answer; asked for where there are files. Later in a session
 * they are there at once, then as the server has them.
 */
export function useRecommendedQuestions(hasFiles = true) {
  return useQuery({
    enabled: hasFiles,
    queryKey: queryKeys.recommendations,
    queryFn: async ({ signal }) => {
      const questions = (await api.call(recommendedQuestions, {}, { signal })).data;
      writeCache<Kept>(CACHE_KEY, { questions });
      return questions;
    },
    initialData: () => readCache<Kept>(CACHE_KEY)?.data.questions,
    initialDataUpdatedAt: () => readCache<Kept>(CACHE_KEY)?.timestamp,
    staleTime: 0,
  });
}

import { listArtifacts, listKeywords, recommendedQuestions } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keyOf } from '../../api/keys.ts';
import { callQuery } from '../../api/use-call.ts';
import { readCache, writeCache } from '../../session/session-cache.ts';

const CACHE_KEY = 'recommendedQuestions';

/** An object, since an empty list is not cached. */
interface Cached {
  questions: string[];
}

/** Questions that the user's files answer: from the session's cache first, then refetched. */
export const useRecommendedQuestions = (hasFiles = true) =>
  useQuery({
    enabled: hasFiles,
    queryKey: callQuery(recommendedQuestions, {}).queryKey,
    queryFn: async ({ signal }) => {
      const questions = (await api.call(recommendedQuestions, {}, { signal })).data;
      writeCache<Cached>(CACHE_KEY, { questions });
      return questions;
    },
    initialData: () => readCache<Cached>(CACHE_KEY)?.data.questions,
    initialDataUpdatedAt: () => readCache<Cached>(CACHE_KEY)?.timestamp,
    staleTime: 0,
  });

/** The newest files that are ready, or none if a file has a keyword. */
export const useRecentUntaggedFiles = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: [...keyOf(listArtifacts), 'recent untagged'],
    queryFn: async ({ signal }) => {
      const keywords = await api.call(listKeywords, { query: { files: 'true' } }, { signal });
      if (keywords.data.some(({ files }) => files)) return [];
      const query = { limit: 4, archived: 'false', state: 'ready' } as const;
      return (await api.call(listArtifacts, { query }, { signal })).data;
    },
    staleTime: 0,
  });

import type { Keyword } from '@engram/contract';
import { listKeywords } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { startFromCache, writeCache } from '../../../session/session-cache.ts';

const CACHE_KEY = 'keywords';

/** Keeps the keywords for the session's next pages. */
export const cacheKeywords = (keywords: readonly Keyword[]): void =>
  writeCache(CACHE_KEY, keywords);

/** The words of those keywords that are not archived. */
export const activeKeywords = (keywords: readonly Keyword[] = []): string[] =>
  keywords.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);

/**
 * All keywords, archived ones included, the defaults first: at once from the session's cache, then
 * as the server has them.
 */
export function useKeywords(): UseQueryResult<Keyword[]> {
  return useQuery({
    queryKey: queryKeys.keywords,
    queryFn: async ({ signal }) => {
      const { data } = await api.call(listKeywords, {}, { signal });
      cacheKeywords(data);
      return data;
    },
    ...startFromCache<Keyword[]>(CACHE_KEY),
  });
}

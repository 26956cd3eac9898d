import type { ApiKey } from '@engram/contract';
import { listApiKeys } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { startFromCache, writeCache } from '../../../session/session-cache.ts';

export const apiKeysKey = ['apiKeys'] as const;

const CACHE_KEY = 'apiKeys';

/** Keeps the list, whose keys are masked, for the session's next pages. */
export const cacheApiKeys = (keys: readonly ApiKey[]): void => writeCache(CACHE_KEY, keys);

/** The person's keys, the newest first: at once from the session's cache, then as the server has them. */
export function useApiKeys(): UseQueryResult<ApiKey[]> {
  return useQuery({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }) => {
      const { data } = await api.call(listApiKeys, {}, { signal });
      cacheApiKeys(data);
      return data;
    },
    ...startFromCache<ApiKey[]>(CACHE_KEY),
  });
}

import type { Keyword } from '@engram/contract';
import { listKeywords } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** All keywords, archived ones included, the defaults first. */
export function useKeywords(): UseQueryResult<Keyword[]> {
  return useQuery({
    queryKey: queryKeys.keywords,
    queryFn: async ({ signal }) => (await api.call(listKeywords, {}, { signal })).data,
  });
}

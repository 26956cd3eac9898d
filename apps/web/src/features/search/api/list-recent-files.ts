import { listArtifacts, listKeywords } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** The newest files that can be asked about, or none when a file has a keyword. */
export function useRecentUntaggedFiles(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: [...queryKeys.artifacts, 'recent'],
    queryFn: async ({ signal }) => {
      const keywords = await api.call(listKeywords, { query: { files: 'true' } }, { signal });
      if (keywords.data.some(({ files }) => files)) return [];
      const query = { limit: 4, archived: 'false', state: 'ready' } as const;
      return (await api.call(listArtifacts, { query }, { signal })).data;
    },
    staleTime: 0,
  });
}

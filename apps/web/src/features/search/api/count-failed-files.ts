import { listArtifacts } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** How many files could not be read, archived ones left out; undefined until that is known. */
export function useFailedFileCount(enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'failed'],
    queryFn: async ({ signal }) => {
      const query = { status: 'FAILED', archived: 'false', limit: 1 } as const;
      return (await api.call(listArtifacts, { query }, { signal })).total ?? 0;
    },
    enabled,
    staleTime: 0,
  });
  return enabled ? data : undefined;
}

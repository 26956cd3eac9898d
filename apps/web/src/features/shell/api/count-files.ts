import { listArtifacts } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** How many files the person has; undefined until that is known. */
export function useFileCount(): number | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.artifacts, 'count'],
    queryFn: async ({ signal }) =>
      (await api.call(listArtifacts, { query: { limit: 1 } }, { signal })).total ?? 0,
  });
  return data;
}

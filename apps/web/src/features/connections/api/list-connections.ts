import type { Connection } from '@engram/contract';
import { listConnections as route } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const connectionsKey = ['connections'] as const;

/** Programs and devices that the person has let in, the newest first. */
export function useConnections(): UseQueryResult<Connection[]> {
  return useQuery({
    queryKey: connectionsKey,
    queryFn: async ({ signal }) => (await api.call(route, {}, { signal })).data,
    // They are made and ended elsewhere.
    staleTime: 0,
  });
}

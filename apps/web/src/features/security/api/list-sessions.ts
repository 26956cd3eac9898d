import type { OpenSession } from '@engram/contract';
import { listSessions as route } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const sessionsKey = ['sessions'] as const;

/** Where the person is signed in: this session first, then the last used. */
export function useSessions(): UseQueryResult<OpenSession[]> {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => {
      const { data } = await api.call(route, {}, { signal });
      return data.toSorted((a, b) => Number(b.current) - Number(a.current));
    },
    // They are opened and ended elsewhere.
    staleTime: 0,
  });
}

import type { Plan } from '@engram/contract';
import { listPlans } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The plans there are. */
export function usePlans(): UseQueryResult<Plan[]> {
  return useQuery({
    queryKey: ['plans'],
    queryFn: async ({ signal }) => (await api.call(listPlans, {}, { signal })).data,
  });
}

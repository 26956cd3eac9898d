import type { SandboxCheckout } from '@engram/contract';
import { getSandboxCheckout as route } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** What a checkout of the sandbox sells. */
export function useSandboxCheckout(clientSecret: string): UseQueryResult<SandboxCheckout> {
  return useQuery({
    queryKey: ['sandbox checkout', clientSecret],
    queryFn: async ({ signal }) =>
      (await api.call(route, { params: { clientSecret } }, { signal })).data,
    gcTime: 0,
  });
}

import type { Plan } from '@engram/contract';
import { createSubscription as route } from '@engram/contract/browser';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useKnownProfile } from '../../../session/account.ts';
import { api } from '../../../api/api.ts';

/** Begins to buy a plan: answers what its checkout is opened with. */
export function useCreateSubscription(): UseMutationResult<string, Error, Plan> {
  const email = useKnownProfile()?.email;
  return useMutation({
    mutationFn: async ({ priceId }) => {
      const { data } = await api.call(route, { body: { priceId, ...(email && { email }) } });
      if (!data?.clientSecret) throw new Error('Failed to fetch client secret');
      return data.clientSecret;
    },
  });
}

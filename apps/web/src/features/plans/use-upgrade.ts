import type { Plan, PlanChange } from '@engram/contract';
import { updatePlan } from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/keys.ts';
import { changedByPlan } from './api.ts';
import { useKnownProfile } from '../../session/account.ts';
import { useAppSettings } from '../../api/settings.ts';

/** A change of the plan as somebody was shown it. */
export interface ShownChange {
  plan: Plan;
  change: PlanChange;
}

/** A checkout has a secret of its own kind; any other one is a payment that the bank is to confirm. */
const opensCheckout = (clientSecret: string): boolean => clientSecret.startsWith('cs_');

/**
 * Changes the running plan, and has the payment confirmed where that is asked for. Answers null when
 * all is done, or the secret of a checkout that is to be gone through.
 */
export function useUpgrade(): UseMutationResult<string | null, Error, ShownChange> {
  const queries = useQueryClient();
  const { payments } = useAppSettings();
  const email = useKnownProfile()?.email;
  return useMutation({
    mutationFn: async ({ plan: { priceId }, change: { asOf } }) => {
      const body = { priceId, asOf, ...(email && { email }) };
      const { clientSecret } = (await api.call(updatePlan, { body })).data;
      if (!clientSecret) return null;
      if (payments.provider !== 'stripe' || opensCheckout(clientSecret)) return clientSecret;
      const { confirmPayment } = await import('./stripe.ts');
      await confirmPayment(payments.publishableKey, clientSecret);
      return null;
    },
    // A payment that was not confirmed may have changed things as well.
    onSettled: () => invalidate(queries, changedByPlan),
  });
}

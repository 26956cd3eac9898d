import type { Plan, PlanChange } from '@engram/contract';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useKnownProfile } from '../../session/account.ts';
import { useAppSettings } from '../../api/settings.ts';
import { updatePlan } from './api/update-plan.ts';
import { forgetPlan } from './forget-plan.ts';

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
      const clientSecret = await updatePlan(priceId, asOf, email);
      if (!clientSecret) return null;
      if (payments.provider !== 'stripe' || opensCheckout(clientSecret)) return clientSecret;
      const { confirmPayment } = await import('./stripe.ts');
      await confirmPayment(payments.publishableKey, clientSecret);
      return null;
    },
    // A payment that was not confirmed may have changed things as well.
    onSettled: () => forgetPlan(queries),
  });
}

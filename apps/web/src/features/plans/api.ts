import type { Plan, PlanChange } from '@engram/contract';
import {
  createSubscription,
  getBilling,
  getMetrics,
  getProfile,
  listInvoices,
  listLedger,
  updatePlan,
} from '@engram/contract/browser';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/keys.ts';
import { useAppSettings } from '../../api/settings.ts';
import { useKnownProfile } from '../../session/account.ts';

export const changedByPlan = [getMetrics, listLedger, getProfile, getBilling, listInvoices];

export function useCreateSubscription(): UseMutationResult<string, Error, Plan> {
  const email = useKnownProfile()?.email;
  return useMutation({
    mutationFn: async ({ priceId }) => {
      const body = { priceId, ...(email && { email }) };
      const { data } = await api.call(createSubscription, { body });
      if (!data?.clientSecret) throw new Error('Failed to fetch client secret');
      return data.clientSecret;
    },
  });
}

export interface PreviewedChange {
  plan: Plan;
  change: PlanChange;
}

/** The prefix of a checkout's secret. Other secrets belong to payments that the bank must confirm. */
const CHECKOUT_PREFIX = 'cs_';

/**
 * Changes the current plan, and has the bank confirm the payment if needed. Returns the client secret
 * of a checkout, or null if none is needed.
 */
export function useUpgrade(): UseMutationResult<string | null, Error, PreviewedChange> {
  const queries = useQueryClient();
  const { payments } = useAppSettings();
  const email = useKnownProfile()?.email;
  return useMutation({
    mutationFn: async ({ plan: { priceId }, change: { asOf } }) => {
      const body = { priceId, asOf, ...(email && { email }) };
      const { clientSecret } = (await api.call(updatePlan, { body })).data;
      if (!clientSecret) return null;
      if (payments.provider !== 'stripe' || clientSecret.startsWith(CHECKOUT_PREFIX)) {
        return clientSecret;
      }
      const { confirmPayment } = await import('./components/stripe-checkout.tsx');
      await confirmPayment(payments.publishableKey, clientSecret);
      return null;
    },
    // An unconfirmed payment may also have changed data.
    onSettled: () => invalidate(queries, changedByPlan),
  });
}

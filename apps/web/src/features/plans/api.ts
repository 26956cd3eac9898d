import type { Plan, PlanChange } from '@engram/contract';
import {
  createSubscription,
  getBilling,
  getMetrics,
  getProfile,
  listInvoices,
  listLedger,
  previewPlan,
} from '@engram/contract/browser';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useKnownProfile } from '../../session/account.ts';

/** What another plan changes. */
export const changedByPlan = [getMetrics, listLedger, getProfile, getBilling, listInvoices];

/** Begins to buy a plan; the result opens its checkout. */
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

/** What choosing a plan would do, and what would be due today. */
export const usePreviewPlan = (): UseMutationResult<PlanChange, Error, Plan> =>
  useMutation({
    mutationFn: async ({ priceId }) => (await api.call(previewPlan, { query: { priceId } })).data,
  });

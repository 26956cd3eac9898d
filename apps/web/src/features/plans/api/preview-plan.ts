import type { Plan, PlanChange } from '@engram/contract';
import { previewPlan as route } from '@engram/contract/browser';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** What choosing a plan would do, and what would be due today: asked again each time. */
export function usePreviewPlan(): UseMutationResult<PlanChange, Error, Plan> {
  return useMutation({
    mutationFn: async ({ priceId }) => (await api.call(route, { query: { priceId } })).data,
  });
}

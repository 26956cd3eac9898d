import { paySandboxCheckout as route } from '@engram/contract/browser';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import type { Card } from '../card.ts';

/** Pays a checkout of the sandbox; answers the session whose result is to be shown. */
export function usePaySandboxCheckout(
  clientSecret: string,
): UseMutationResult<string, Error, Card> {
  return useMutation({
    mutationFn: async (card) =>
      (await api.call(route, { params: { clientSecret }, body: card })).data.sessionId,
  });
}

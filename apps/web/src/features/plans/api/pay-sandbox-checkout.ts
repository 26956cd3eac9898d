import { paySandboxCheckout as route } from '@engram/contract/browser';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import type { Card } from '../card.ts';

/** Pays a checkout of the sandbox; a declined card is no error, and another may be tried. */
export function usePaySandboxCheckout(clientSecret: string) {
  return useMutation({
    mutationFn: async (card: Card) =>
      (await api.call(route, { params: { clientSecret }, body: card })).data,
  });
}

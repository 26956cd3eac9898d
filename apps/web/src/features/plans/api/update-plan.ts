import { updatePlan as route } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';

/** Changes the running plan. Answers null, or the secret of what is still to be paid or confirmed. */
export const updatePlan = async (priceId: string, email?: string): Promise<string | null> =>
  (await api.call(route, { body: { priceId, ...(email && { email }) } })).data.clientSecret;

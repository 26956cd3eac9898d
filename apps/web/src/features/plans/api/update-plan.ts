import { updatePlan as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/** Changes the running plan as it was shown for a moment. Answers null, or the secret of what is still to be paid or confirmed. */
export const updatePlan = async (
  priceId: string,
  asOf: string,
  email?: string,
): Promise<string | null> =>
  (await api.call(route, { body: { priceId, asOf, ...(email && { email }) } })).data.clientSecret;

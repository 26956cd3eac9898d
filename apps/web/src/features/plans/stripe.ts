import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

/** Stripe's own script, fetched when it is first needed. */
export async function openStripe(publishableKey: string): Promise<Stripe> {
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe could not be loaded.');
  return stripe;
}

/** Has the bank confirm a payment, in a window of its own where it asks for that. */
export async function confirmPayment(publishableKey: string, clientSecret: string): Promise<void> {
  const stripe = await openStripe(publishableKey);
  const { error } = await stripe.handleNextAction({ clientSecret });
  if (error) throw new Error(error.message ?? 'The payment was not confirmed.');
}

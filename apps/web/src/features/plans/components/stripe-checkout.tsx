import { Paper } from '@mantine/core';
import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { Loader } from './loader.tsx';

async function openStripe(publishableKey: string): Promise<Stripe> {
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe could not be loaded.');
  return stripe;
}

/** Has the bank confirm a payment, in its own window if needed. */
export async function confirmPayment(publishableKey: string, clientSecret: string): Promise<void> {
  const stripe = await openStripe(publishableKey);
  const { error } = await stripe.handleNextAction({ clientSecret });
  if (error) throw new Error(error.message ?? 'The payment was not confirmed.');
}

interface StripeCheckoutProps {
  publishableKey: string;
  clientSecret: string;
}

/** Stripe's checkout in a frame. Stripe opens the result page afterwards. */
export default function StripeCheckout({ publishableKey, clientSecret }: StripeCheckoutProps) {
  const stripe = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => openStripe(publishableKey),
    staleTime: Infinity,
    structuralSharing: false,
  });
  if (!stripe.data) {
    const loading = <Loader label="Loading the checkout" />;
    return <LoadState call={stripe} what="Stripe’s checkout" loading={loading} />;
  }
  return (
    <EmbeddedCheckoutProvider stripe={stripe.data} options={{ clientSecret }}>
      {/* Stripe's page needs a light background in both color schemes. */}
      <Paper mih={420} p={8} radius={16} bg="#ffffff">
        <EmbeddedCheckout />
      </Paper>
    </EmbeddedCheckoutProvider>
  );
}

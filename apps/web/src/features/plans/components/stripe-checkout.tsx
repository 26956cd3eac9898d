import { Paper } from '@mantine/core';
import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { openStripe } from '../stripe.ts';
import { Loader } from './loader.tsx';

interface StripeCheckoutProps {
  publishableKey: string;
  clientSecret: string;
}

/** Stripe's own checkout, in a frame of Stripe's; it leads to the page of the result by itself. */
export function StripeCheckout({ publishableKey, clientSecret }: StripeCheckoutProps) {
  const stripe = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => openStripe(publishableKey),
    staleTime: Infinity,
    structuralSharing: false,
  });
  if (stripe.isPending) return <Loader label="Loading the checkout" />;
  if (stripe.isError) {
    return (
      <ErrorState
        title="Stripe’s checkout could not be loaded"
        error={stripe.error}
        onRetry={() => void stripe.refetch()}
      />
    );
  }
  return (
    <EmbeddedCheckoutProvider stripe={stripe.data} options={{ clientSecret }}>
      {/* Stripe's page is made for a light ground, whatever the scheme of this one. */}
      <Paper withBorder mih={420} p={8} radius={16} bg="#ffffff">
        <EmbeddedCheckout />
      </Paper>
    </EmbeddedCheckoutProvider>
  );
}

import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useAppSettings } from '../../../api/settings.ts';
import { Loader } from './loader.tsx';

// A server has one of the two, and Stripe’s is large.
const StripeCheckout = lazy(async () => ({
  default: (await import('./stripe-checkout.tsx')).StripeCheckout,
}));
const SandboxCheckout = lazy(async () => ({
  default: (await import('./sandbox-checkout.tsx')).SandboxCheckout,
}));

interface CheckoutProps {
  clientSecret: string;
  /** Leaves the checkout without buying anything. */
  onBack: () => void;
}

/** Pays for a plan. */
export function Checkout({ clientSecret, onBack }: CheckoutProps) {
  const { payments } = useAppSettings();
  return (
    <>
      <Button
        variant="default"
        mb={16}
        leftSection={<IconArrowLeft size={16} stroke={1.8} aria-hidden="true" />}
        onClick={onBack}
      >
        Back
      </Button>
      <Suspense fallback={<Loader label="Loading the checkout" />}>
        {payments.provider === 'stripe' ? (
          <StripeCheckout publishableKey={payments.publishableKey} clientSecret={clientSecret} />
        ) : (
          <SandboxCheckout clientSecret={clientSecret} />
        )}
      </Suspense>
    </>
  );
}

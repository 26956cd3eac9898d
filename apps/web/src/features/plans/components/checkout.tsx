import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useAppSettings } from '../../../api/settings.ts';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { Loader } from './loader.tsx';

// A server has one of the two, and Stripe’s is large.
const loading = <Loader label="Loading the checkout" />;
const StripeCheckout = lazyPart(() => import('./stripe-checkout.tsx'), loading);
const SandboxCheckout = lazyPart(() => import('./sandbox-checkout.tsx'), loading);

export function Checkout({ clientSecret, onBack }: { clientSecret: string; onBack: () => void }) {
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
      {payments.provider === 'stripe' ? (
        <StripeCheckout publishableKey={payments.publishableKey} clientSecret={clientSecret} />
      ) : (
        <SandboxCheckout clientSecret={clientSecret} />
      )}
    </>
  );
}

import { useDidUpdate } from '@mantine/hooks';
import type { BillingPeriod } from '@engram/contract';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Page } from '../components/page.tsx';
import { Checkout, Plans } from '../features/plans/components/plans.tsx';

export default function PricingPage() {
  const [params] = useSearchParams();
  const upgrade = params.get('upgrade') === 'true';
  const [period, setPeriod] = useState<BillingPeriod>('weekly');
  const [clientSecret, setClientSecret] = useState<string | null>(null);
  // The checkout replaces the plans, and the focus moves to its heading.
  useDidUpdate(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  }, [clientSecret]);
  if (clientSecret) {
    return (
      <Page key="checkout" title="Checkout">
        <Checkout clientSecret={clientSecret} onBack={() => setClientSecret(null)} />
      </Page>
    );
  }
  return (
    <Page
      key="plans"
      title="Pricing"
      lead={
        upgrade
          ? 'A more expensive or longer plan begins immediately, with credit for your current plan. A cheaper or shorter one begins when your plan ends.'
          : 'Start for free. Pay when you ask or store more.'
      }
    >
      <Plans period={period} onPeriod={setPeriod} upgrade={upgrade} onCheckout={setClientSecret} />
    </Page>
  );
}

import type { BillingPeriod } from '@engram/contract';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Page } from '../components/page.tsx';
import { Checkout } from '../features/plans/components/checkout.tsx';
import { Plans } from '../features/plans/components/plans.tsx';

/** A checkout takes the place of the plans: it is read from its heading, and so are they afterwards. */
function useFocusOnChange(shown: string | null): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    window.scrollTo({ top: 0, behavior: 'instant' });
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  }, [shown]);
}

/** The plans, and the checkout of the one that is being bought. */
export function PricingPage() {
  const [params] = useSearchParams();
  const upgrade = params.get('upgrade') === 'true';
  const [period, setPeriod] = useState<BillingPeriod>('weekly');
  const [clientSecret, setClientSecret] = useState<string | null>(null);
  useFocusOnChange(clientSecret);
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
          ? 'A dearer or longer plan begins at once, and what is left of yours counts. A cheaper or shorter one begins when yours ends.'
          : 'Start for nothing. Pay when you ask more, or keep more.'
      }
    >
      <Plans period={period} onPeriod={setPeriod} upgrade={upgrade} onCheckout={setClientSecret} />
    </Page>
  );
}

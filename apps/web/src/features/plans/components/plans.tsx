import type { BillingPeriod, Metrics, Plan } from '@engram/contract';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useMetrics } from '../../../lib/account.ts';
import { notifySuccess } from '../../../lib/notify.ts';
import { useCreateSubscription } from '../api/create-subscription.ts';
import { usePlans } from '../api/list-plans.ts';
import { fallbackPlans } from '../fallback-plans.ts';
import type { Offer } from '../offer.ts';
import { partsOfPlan } from '../../../lib/plan-name.ts';
import { isForSale, isFree, perPeriod, plansOf, standingOf } from '../plan-rules.ts';
import { useUpgrade } from '../use-upgrade.ts';
import { Loader } from './loader.tsx';
import { PlanAccordion } from './plan-accordion.tsx';
import { PlanFailure } from './plan-failure.tsx';
import { PlanTable } from './plan-table.tsx';
import { PlanTabs } from './plan-tabs.tsx';
import { PlansNotes } from './plans-notes.tsx';
import { PlansUnknown } from './plans-unknown.tsx';
import { UpgradeModal } from './upgrade-modal.tsx';

const WIDE = '(min-width: 992px)';

interface PlansProps {
  period: BillingPeriod;
  onPeriod: (period: BillingPeriod) => void;
  /** Whether a running plan is to be changed, rather than one bought. */
  upgrade: boolean;
  /** Something is to be paid: with what its checkout is opened. */
  onCheckout: (clientSecret: string) => void;
}

function offersOf(plans: readonly Plan[], metrics: Metrics | undefined): Offer[] {
  const standings = plans.map((plan) => standingOf(plan, metrics));
  const first = plans.findIndex((plan, index) => isForSale(plan, standings[index] ?? null));
  return plans.map((plan, index) => {
    const standing = standings[index] ?? null;
    return {
      plan,
      name: partsOfPlan(plan.name).plan,
      per: isFree(plan) ? null : perPeriod(plan.billingPeriod),
      standing,
      forSale: isForSale(plan, standing),
      featured: index === first,
    };
  });
}

/** The plans there are, by how often they are paid, and the ways to buy one or to change to it. */
export function Plans({ period, onPeriod, upgrade, onCheckout }: PlansProps) {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const plans = usePlans();
  const metrics = useMetrics();
  const subscribe = useCreateSubscription();
  const change = useChange(onCheckout);
  if (plans.isPending || metrics.isPending) return <Loader label="Loading the plans" />;

  const unknown = plans.data === undefined;
  const offered = unknown ? fallbackPlans : plansOf(plans.data, period);
  const choose = (plan: Plan): void => {
    if (upgrade) change.ask(plan);
    else subscribe.mutate(plan, { onSuccess: onCheckout });
  };
  const Layout = isWide ? PlanTable : PlanAccordion;
  return (
    <>
      {unknown && <PlansUnknown error={plans.error} onRetry={() => void plans.refetch()} />}
      {subscribe.isError && !upgrade && (
        <PlanFailure
          key={subscribe.failureReason?.message}
          title="The checkout could not be opened."
          error={subscribe.error}
          upgrade={false}
        />
      )}
      <PlanTabs period={unknown ? 'monthly' : period} onChange={onPeriod}>
        <Layout
          offers={offersOf(offered, metrics.data)}
          opening={subscribe.isPending ? subscribe.variables : null}
          disabled={unknown}
          onChoose={choose}
        />
      </PlanTabs>
      <PlansNotes metrics={metrics.data} />
      {change.modal}
    </>
  );
}

/** Changing the running plan: asked about first, then done, then away to the home page. */
function useChange(onCheckout: (clientSecret: string) => void) {
  const navigate = useNavigate();
  const upgrade = useUpgrade();
  // The last plan stays in the dialog while that fades away.
  const [asked, setAsked] = useState<{ plan: Plan; opened: boolean } | null>(null);
  const onUpgraded = (clientSecret: string | null, plan: Plan): void => {
    if (clientSecret) return onCheckout(clientSecret);
    notifySuccess(`Your plan is now ${partsOfPlan(plan.name).plan}.`);
    void navigate(paths.home);
  };
  const modal = asked && (
    <UpgradeModal
      plan={asked.plan}
      opened={asked.opened}
      busy={upgrade.isPending}
      error={upgrade.error}
      onCancel={() => setAsked({ ...asked, opened: false })}
      onUpgrade={() =>
        upgrade.mutate(asked.plan, { onSuccess: (secret) => onUpgraded(secret, asked.plan) })
      }
    />
  );
  const ask = (plan: Plan): void => {
    upgrade.reset();
    setAsked({ plan, opened: true });
  };
  return { ask, modal };
}

import type { BillingPeriod, Plan } from '@engram/contract';
import { listPlans } from '@engram/contract/browser';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { useCreateSubscription, usePreviewPlan } from '../api.ts';
import { paths } from '../../../app/paths.ts';
import { useBilling, useMetrics } from '../../../session/account.ts';
import { wayBack } from '../../../session/way-back.ts';
import { formatDay } from '../../../format/format.ts';
import { notifySuccess } from '../../../components/notify.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { fallbackPlans } from '../fallback-plans.ts';
import type { Offer } from '../offer.ts';
import { FREE_PLAN, partsOfPlan } from '../../../format/plan-name.ts';
import {
  isForSale,
  isFree,
  isHeld,
  perPeriod,
  plansOf,
  standingOf,
  type Standing,
} from '../plan-rules.ts';
import { type ShownChange, useUpgrade } from '../use-upgrade.ts';
import { Loader } from './loader.tsx';
import { PlanAccordion } from './plan-accordion.tsx';
import { PlanFailure } from './plan-failure.tsx';
import { PlanTable } from './plan-table.tsx';
import { PlanTabs } from './plan-tabs.tsx';
import { PlansNotes } from './plans-notes.tsx';
import { PlansNotSold } from './plans-not-sold.tsx';
import { PlansUnknown } from './plans-unknown.tsx';

// Nobody changes a plan before there are any.
const UpgradeModal = lazy(async () => ({
  default: (await import('./upgrade-modal.tsx')).UpgradeModal,
}));

const WIDE = '(min-width: 992px)';

interface PlansProps {
  period: BillingPeriod;
  onPeriod: (period: BillingPeriod) => void;
  /** Whether a running plan is to be changed, rather than one bought. */
  upgrade: boolean;
  /** Something is to be paid: with what its checkout is opened. */
  onCheckout: (clientSecret: string) => void;
}

/** @param isSold Whether this server sells plans at all. */
function offersOf(plans: readonly Plan[], standings: Standing[], isSold: boolean): Offer[] {
  const first = plans.findIndex((plan, index) => isForSale(plan, standings[index] ?? null));
  return plans.map((plan, index) => {
    const standing = standings[index] ?? null;
    return {
      plan,
      name: partsOfPlan(plan.name).plan,
      per: isFree(plan) ? null : perPeriod(plan.billingPeriod),
      standing,
      forSale: isSold && isForSale(plan, standing),
      featured: index === first,
    };
  });
}

/** The plans there are, by how often they are paid, and the ways to buy one or to change to it. */
export function Plans({ period, onPeriod, upgrade, onCheckout }: PlansProps) {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const plans = useCall(listPlans, {});
  const metrics = useMetrics();
  const subscribe = useCreateSubscription();
  const billing = useBilling();
  const { payments } = useAppSettings();
  const change = useChange(onCheckout);
  if (plans.isPending || metrics.isPending) return <Loader label="Loading the plans" />;

  const unknown = plans.data === undefined;
  const offered = unknown ? fallbackPlans : plansOf(plans.data, period);
  const isChange = upgrade || isHeld(metrics.data);
  const choose = (plan: Plan): void => {
    if (isChange) change.ask(plan);
    else subscribe.mutate(plan, { onSuccess: onCheckout });
  };
  const next = billing.data?.next?.productName;
  const standings = offered.map((plan) => standingOf(plan, metrics.data, next));
  const own = plans.data?.find(({ name }) => name === metrics.data?.plan && name !== FREE_PLAN);
  const isSold = payments.provider !== 'off';
  const Layout = isWide ? PlanTable : PlanAccordion;
  return (
    <>
      {unknown && <PlansUnknown error={plans.error} onRetry={() => void plans.refetch()} />}
      {!isSold && <PlansNotSold />}
      {subscribe.isError && !isChange && (
        <PlanFailure
          key={subscribe.failureReason?.message}
          title="The checkout could not be opened."
          error={subscribe.error}
          upgrade={false}
        />
      )}
      {change.error !== null && (
        <PlanFailure title="Your plan was not changed." error={change.error} upgrade />
      )}
      <PlanTabs
        period={unknown ? 'monthly' : period}
        own={own?.billingPeriod ?? null}
        onChange={onPeriod}
      >
        <Layout
          offers={offersOf(offered, standings, isSold)}
          opening={subscribe.isPending ? subscribe.variables : change.asking}
          disabled={unknown}
          onChoose={choose}
        />
      </PlanTabs>
      <PlansNotes metrics={metrics.data} />
      {change.modal}
    </>
  );
}

/** Changing the running plan: shown first, then done, then away to the home page. */
function useChange(onCheckout: (clientSecret: string) => void) {
  const navigate = useNavigate();
  const preview = usePreviewPlan();
  const upgrade = useUpgrade();
  // The last plan stays in the dialog while that fades away.
  const [asked, setAsked] = useState<(ShownChange & { opened: boolean }) | null>(null);
  const onChanged = (clientSecret: string | null, { plan, change }: ShownChange): void => {
    if (clientSecret) return onCheckout(clientSecret);
    const name = partsOfPlan(plan.name).plan;
    if (change.kind === 'later') {
      notifySuccess(`${name} begins on ${formatDay(change.beginsOn)}.`);
    } else notifySuccess(`Your plan is now ${name}.`);
    void navigate(wayBack() ?? paths.home);
  };
  const modal = asked && (
    <Suspense>
      <UpgradeModal
        plan={asked.plan}
        change={asked.change}
        opened={asked.opened}
        busy={upgrade.isPending}
        error={upgrade.error}
        onCancel={() => setAsked({ ...asked, opened: false })}
        onUpgrade={() => upgrade.mutate(asked, { onSuccess: (secret) => onChanged(secret, asked) })}
      />
    </Suspense>
  );
  const ask = (plan: Plan): void => {
    upgrade.reset();
    preview.mutate(plan, {
      onSuccess: (change) => setAsked({ plan, change, opened: true }),
    });
  };
  return { ask, modal, asking: preview.isPending ? preview.variables : null, error: preview.error };
}

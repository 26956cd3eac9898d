import type { BillingPeriod, Metrics, Plan } from '@engram/contract';
import { listPlans, previewPlan } from '@engram/contract/browser';
import { Box, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAppSettings } from '../../../api/settings.ts';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { Notice } from '../../../components/notice.tsx';
import { messageOf, notifySuccess } from '../../../components/notify.ts';
import { formatDay, FREE_PLAN, partsOfPlan } from '../../../format/format.ts';
import { useBilling, useMetrics } from '../../../session/account.ts';
import { returnPath } from '../../../session/session-cache.ts';
import { useCreateSubscription, useUpgrade, type PreviewedChange } from '../api.ts';
import { fallbackPlans, hasPaidPlan, offersOf, periods, plansOf } from '../offers.ts';
import { Loader } from './loader.tsx';
import { Offers } from './offers.tsx';
import classes from './offers.module.css';
import { PlanFailure } from './plan-failure.tsx';
import { IconArrowLeft } from '@tabler/icons-react';

const UpgradeModal = lazyPart(() => import('./upgrade-modal.tsx'));

interface PlansProps {
  period: BillingPeriod;
  onPeriod: (period: BillingPeriod) => void;
  upgrade: boolean;
  onCheckout: (clientSecret: string) => void;
}

export function Plans({ period, onPeriod, upgrade, onCheckout }: PlansProps) {
  const plans = useCall(listPlans, {});
  const metrics = useMetrics();
  const subscribe = useCreateSubscription();
  const billing = useBilling();
  const { payments } = useAppSettings();
  const change = useChange(onCheckout);
  if (plans.isPending || metrics.isPending) return <Loader label="Loading the plans" />;

  const isUnknown = plans.data === undefined;
  const shown = isUnknown ? fallbackPlans : plansOf(plans.data, period);
  const isSold = payments.provider !== 'off';
  const user = { metrics: metrics.data, next: billing.data?.next?.productName };
  const isChange = upgrade || hasPaidPlan(metrics.data);
  const choose = (plan: Plan): void => {
    if (isChange) change.preview(plan);
    else subscribe.mutate(plan, { onSuccess: onCheckout });
  };
  const currentPlan = plans.data?.find(
    ({ name }) => name === metrics.data?.plan && name !== FREE_PLAN,
  );
  const openTab = isUnknown ? 'monthly' : period;
  return (
    <>
      {isUnknown && (
        <Notice tone="warning" mb={20} live="alert">
          <Group gap="12px 20px">
            <Box component="p" flex="1 1 320px" maw="76ch">
              <strong>The plans could not be loaded.</strong> {messageOf(plans.error)} These are the
              default monthly prices. You can buy a plan once the plans are loaded.
            </Box>
            <Button variant="default" onClick={() => void plans.refetch()}>
              Try again
            </Button>
          </Group>
        </Notice>
      )}
      {!isSold && (
        <Notice tone="plain" mb={20}>
          <strong>Plans are not sold on this server.</strong> No payment provider is set up. The
          plans are shown for comparison.
        </Notice>
      )}
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
      <Tabs
        variant="none"
        value={openTab}
        onChange={(value) => onPeriod(value as BillingPeriod)}
        classNames={{ tab: classes.tab ?? '' }}
      >
        <Tabs.List
          maw={640}
          p={4}
          mb={20}
          bdrs={14}
          bg="var(--eg-surface-hover)"
          aria-label="Billing period"
        >
          {periods.map(({ period: value, label, discount }) => (
            <Tabs.Tab key={value} value={value}>
              <Stack component="span" align="center" gap={4}>
                {label}{' '}
                {discount && (
                  <Text span fz={11} fw={650} c="indigo">
                    {discount}
                  </Text>
                )}
                {value === currentPlan?.billingPeriod && (
                  <Text span fz={11} fw={650} c="dimmed">
                    Your plan
                  </Text>
                )}
              </Stack>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={openTab}>
          <Offers
            offers={offersOf(shown, user, isSold)}
            pendingPlan={subscribe.isPending ? subscribe.variables : change.pendingPlan}
            disabled={isUnknown}
            onChoose={choose}
          />
        </Tabs.Panel>
      </Tabs>
      <Notes metrics={metrics.data} isSandbox={payments.provider === 'sandbox'} />
      {change.modal}
    </>
  );
}

function useChange(onCheckout: (clientSecret: string) => void) {
  const navigate = useNavigate();
  const fetchPreview = useAction(previewPlan);
  const upgrade = useUpgrade();
  const [pendingPlan, setPendingPlan] = useState<Plan | null>(null);
  // The last change stays in the dialog while it closes.
  const [previewed, setPreviewed] = useState<(PreviewedChange & { opened: boolean }) | null>(null);
  const onChanged = (clientSecret: string | null, { plan, change }: PreviewedChange): void => {
    if (clientSecret) return onCheckout(clientSecret);
    const name = partsOfPlan(plan.name).plan;
    notifySuccess(
      change.kind === 'later'
        ? `${name} begins on ${formatDay(change.beginsOn)}.`
        : `Your plan is now ${name}.`,
    );
    void navigate(returnPath() ?? paths.home);
  };
  const modal = previewed && (
    <UpgradeModal
      {...previewed}
      isPending={upgrade.isPending}
      error={upgrade.error}
      onCancel={() => setPreviewed({ ...previewed, opened: false })}
      onUpgrade={() =>
        upgrade.mutate(previewed, { onSuccess: (secret) => onChanged(secret, previewed) })
      }
    />
  );
  const preview = (plan: Plan): void => {
    upgrade.reset();
    setPendingPlan(plan);
    fetchPreview.mutate(
      { query: { priceId: plan.priceId } },
      { onSuccess: (change) => setPreviewed({ plan, change, opened: true }) },
    );
  };
  const { isPending, error } = fetchPreview;
  return { preview, modal, pendingPlan: isPending ? pendingPlan : null, error };
}

function Notes({ metrics, isSandbox }: { metrics: Metrics | undefined; isSandbox: boolean }) {
  const notes = [
    'All plans have the same features, and differ in the number of questions and the storage. Days, weeks and months are counted in UTC.',
    metrics?.enforced === true &&
      'Limits are enforced on this server: when one is used up, each further question costs a credit.',
    metrics?.enforced === false &&
      'Limits are not enforced on this server: your usage is shown, but not limited.',
    isSandbox && 'Plans are bought in a sandbox on this server: no money moves.',
  ].filter((note) => note !== false);
  return (
    <Stack gap={4} mt={20}>
      {notes.map((note) => (
        <Text key={note} size="sm" maw="82ch" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  );
}

// A server uses one of the two, and Stripe’s is large.
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

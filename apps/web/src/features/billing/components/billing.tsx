import type { BillingRecord, Metrics } from '@engram/contract';
import { LoadState } from '../../../components/load-state.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useBilling, useMetrics } from '../../../session/account.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { partsOfPlan } from '../../../format/plan-name.ts';
import { BillingFacts } from './billing-facts.tsx';
import { Credits } from './credits.tsx';
import { PlanActions } from './plan-actions.tsx';
import { PlanNotices } from './plan-notices.tsx';
import { PlanUsage } from './plan-usage.tsx';
import { StatusPill } from './status-pill.tsx';

/** The plan, what it costs and allows, and the credits. */
export function Billing() {
  const billing = useBilling();
  const metrics = useMetrics();
  if (billing.data === undefined || metrics.data === undefined) {
    const failed = [billing, metrics].find(({ data, error }) => data === undefined && error);
    return <LoadState call={failed ?? metrics} what="your billing" heights={[240, 200, 160]} />;
  }
  return <LoadedBilling record={billing.data} metrics={metrics.data} />;
}

interface LoadedBillingProps {
  record: BillingRecord | null;
  metrics: Metrics;
}

function LoadedBilling({ record, metrics }: LoadedBillingProps) {
  return (
    <>
      {record && (
        <Panel
          title={partsOfPlan(record.productName).plan}
          aside={<StatusPill status={record.status} />}
        >
          <PlanNotices record={record} metrics={metrics} />
          <BillingFacts record={record} />
          <PlanActions record={record} />
        </Panel>
      )}
      <Panel title="Use and limits">
        <PlanUsage metrics={metrics} />
      </Panel>
      <Credits metrics={metrics} />
      <PaymentsHere />
    </>
  );
}

const paymentsHere = {
  off: 'Plans are not sold on this server: whoever runs it has set up no payments.',
  sandbox:
    'Plans are paid in a sandbox: it takes test cards only, and no money moves. It does not renew a plan by itself, so a period that ends is paid by buying the plan again.',
  stripe: 'Plans are paid through Stripe, which keeps your card. Engram never sees its number.',
} as const;

/** Who takes the money on this server, if anybody. */
function PaymentsHere() {
  const { payments } = useAppSettings();
  return <Panel title="Payments on this server" lead={paymentsHere[payments.provider]} />;
}

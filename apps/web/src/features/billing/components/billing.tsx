import type { BillingRecord, Metrics } from '@engram/contract';
import { listLedger } from '@engram/contract/browser';
import { Group, Text } from '@mantine/core';
import { useAppSettings } from '../../../api/settings.ts';
import { usePages } from '../../../api/use-pages.ts';
import { LedgerTable } from '../../../components/table.tsx';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { PagedList } from '../../../components/lists.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Tag } from '../../../components/tag.tsx';
import {
  formatDay,
  plural,
  capitalized,
  formatDollars,
  partsOfPlan,
} from '../../../format/format.ts';
import { useBilling, useMetrics } from '../../../session/account.ts';
import { PlanActions, PlanNotices } from './current-plan.tsx';
import { PlanUsage } from './plan-usage.tsx';

const statusTones = { ACTIVE: 'success', CANCELLED: 'warning', EXPIRED: 'danger' } as const;

const payments = {
  off: 'Plans are not sold on this server: no payment provider is set up.',
  sandbox:
    'Plans are paid in a sandbox with test cards, and no money moves. Plans are not renewed automatically. When a period ends, buy the plan again.',
  stripe: 'Plans are paid through Stripe, which stores your card. Engram never sees its number.',
} as const;

export default function Billing() {
  const billing = useBilling();
  const metrics = useMetrics();
  const { provider } = useAppSettings().payments;
  if (billing.data === undefined || metrics.data === undefined) {
    const failed = [billing, metrics].find(({ data, error }) => data === undefined && error);
    return <LoadState call={failed ?? metrics} what="your billing" heights={[240, 200, 160]} />;
  }
  const record = billing.data;
  return (
    <>
      {record && (
        <Panel
          title={partsOfPlan(record.productName).plan}
          aside={
            <Tag tone={statusTones[record.status]}>{capitalized(record.status.toLowerCase())}</Tag>
          }
        >
          <PlanNotices record={record} metrics={metrics.data} />
          <BillingFacts record={record} />
          <PlanActions record={record} />
        </Panel>
      )}
      <Panel title="Usage and limits">
        <PlanUsage metrics={metrics.data} />
      </Panel>
      <Credits metrics={metrics.data} />
      <Panel title="Payments on this server" lead={payments[provider]} />
    </>
  );
}

const endLabels = { ACTIVE: 'Renews on', CANCELLED: 'Access until', EXPIRED: 'Ended on' } as const;

function BillingFacts({ record }: { record: BillingRecord }) {
  const { billingCycle, renewsOn, amount, status, billingAddress, balance, next } = record;
  const facts: [label: string, value: string | false | null][] = [
    ['Billing cycle', billingCycle ? capitalized(billingCycle) : 'None'],
    ['Amount', formatDollars(amount)],
    [next ? 'Ends on' : endLabels[status], renewsOn && formatDay(renewsOn)],
    ['Balance', balance > 0 && `${formatDollars(balance)}, credited to your next payment`],
    ['Billing address', billingAddress ?? 'None until your first payment'],
  ];
  return (
    <Group component="dl" align="flex-start" gap="16px 40px">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <Text component="dt" size="sm" c="dimmed">
                {label}
              </Text>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </Group>
  );
}

function Credits({ metrics: { credit, enforced } }: { metrics: Metrics }) {
  const ledger = usePages(listLedger, {});
  return (
    <Panel
      title="Credits"
      lead={
        enforced
          ? 'A credit pays for one question when a limit of your plan is used up.'
          : 'A credit pays for one question when a limit is used up. Limits are not enforced here, so no credits are used.'
      }
      aside={
        <Text span fz={18} fw={650} lts="-0.015em">
          {plural(credit, 'credit')}
        </Text>
      }
    >
      <PagedList
        pages={ledger}
        nouns={['change of credits', 'changes of credits']}
        empty={
          <Text size="sm" c="dimmed">
            No credits have been added or used yet.
          </Text>
        }
      >
        {(entries) => (
          <LedgerTable caption="Changes of your credits, newest first" entries={entries} />
        )}
      </PagedList>
    </Panel>
  );
}

import type { BillingRecord } from '@engram/contract';
import { Group, Text } from '@mantine/core';
import { formatDay } from '../../../format/format.ts';
import { capitalized, formatDollars } from '../../../format/plan-name.ts';

/** What the end of the period means to a plan. */
const endLabels = {
  ACTIVE: 'Renews on',
  CANCELLED: 'Access until',
  EXPIRED: 'Ended on',
} as const;

/** A plan as it is billed. */
export function BillingFacts({ record }: { record: BillingRecord }) {
  const { billingCycle, renewsOn, amount, status, billingAddress, balance, next } = record;
  const facts: [label: string, value: string][] = [
    ['Billing cycle', billingCycle ? capitalized(billingCycle) : 'None'],
    ['Amount', formatDollars(amount)],
    ...(renewsOn
      ? [[next ? 'Ends on' : endLabels[status], formatDay(renewsOn)] as [string, string]]
      : []),
    ...(balance > 0
      ? [
          ['Balance', `${formatDollars(balance)}, set against your next payment`] as [
            string,
            string,
          ],
        ]
      : []),
    ['Billing address', billingAddress ?? 'None yet; it comes with a payment'],
  ];
  return (
    <Group component="dl" align="flex-start" gap="16px 40px">
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <dd>{value}</dd>
        </div>
      ))}
    </Group>
  );
}

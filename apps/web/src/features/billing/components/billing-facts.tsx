import type { BillingRecord } from '@engram/contract';
import { formatDay } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { capitalized, formatDollars } from '../../../format/plan-name.ts';
import classes from './billing.module.css';

/** What the end of the period means to a plan. */
const endLabels = {
  ACTIVE: 'Renews on',
  CANCELLED: 'Access until',
  EXPIRED: 'Ended on',
} as const;

/** A plan as it is billed. */
export function BillingFacts({ record }: { record: BillingRecord }) {
  const { timeZone } = useTimeZone();
  const { billingCycle, renewsOn, amount, status, billingAddress, balance, next } = record;
  const facts: [label: string, value: string][] = [
    ['Billing cycle', billingCycle ? capitalized(billingCycle) : 'None'],
    ['Amount', formatDollars(amount)],
    ...(renewsOn
      ? [[next ? 'Ends on' : endLabels[status], formatDay(renewsOn, timeZone)] as [string, string]]
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
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { PlanChange } from '@engram/contract';
import { Pairs } from '../../../components/pairs.tsx';
import { formatDay } from '../../../format/format.ts';
import { formatDollars } from '../../../format/plan-name.ts';

/** What a change of the plan costs today, and when the plan begins. */
export function PlanChangeAmounts({ change }: { change: PlanChange }) {
  const { kind, beginsOn, dueToday, price, credited, balance } = change;
  const lines: [label: string, amount: string][] = [
    ...(kind === 'later' ? [['Begins on', formatDay(beginsOn)] as [string, string]] : []),
    ...(credited > 0
      ? ([
          ['Price today', formatDollars(price)],
          ['Credited for what is left', `−${formatDollars(credited)}`],
        ] as [string, string][])
      : []),
    ['Due today', formatDollars(dueToday)],
    ...(balance > 0
      ? [['Left over for later payments', formatDollars(balance)] as [string, string]]
      : []),
  ];
  return (
    <Pairs
      mb={16}
      px={14}
      pairs={lines.map(([label, value]) => ({ label, value, strong: label === 'Due today' }))}
    />
  );
}

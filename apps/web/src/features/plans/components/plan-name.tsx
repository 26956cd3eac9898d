import { Group, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { Offer } from '../offer.ts';
import { Tag } from '../../../components/tag.tsx';
import { formatDollars } from '../../../format/plan-name.ts';
import { type Standing, standingText } from '../plan-rules.ts';

const tones: Record<NonNullable<Standing>, ComponentProps<typeof Tag>['tone']> = {
  Active: 'accent',
  Next: 'quiet',
  Cancelled: 'warning',
  Expired: 'danger',
};

/** A plan's name, with where the person stands with it. */
export function PlanName({ name, standing }: Pick<Offer, 'name' | 'standing'>) {
  return (
    <Group component="span" gap="4px 8px" fz={16} fw={650} lts="-0.01em">
      {name}
      {standing && (
        <>
          {' '}
          <Tag tone={tones[standing]}>{standingText(standing)}</Tag>
        </>
      )}
    </Group>
  );
}

/** '$5.00 per month'. */
export function PlanPrice({ plan, per }: Pick<Offer, 'plan' | 'per'>) {
  return <Price amount={formatDollars(plan.amount)}>{per ?? 'for as long as you like'}</Price>;
}

/** The plan that is made to measure: it has words where others have a price. */
export const UltimatePrice = () => <Price amount="On request">made to measure</Price>;

const Price = ({ amount, children }: { amount: string; children: ReactNode }) => (
  <Group component="span" align="baseline" gap="0 6px" fz="sm" fw={400} c="dimmed">
    <Text span c="var(--eg-ink)" fz={22} fw={650} lts="-0.02em">
      {amount}
    </Text>{' '}
    <span>{children}</span>
  </Group>
);

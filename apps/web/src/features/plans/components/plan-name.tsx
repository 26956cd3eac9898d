import type { ComponentProps } from 'react';
import type { Offer } from '../offer.ts';
import { Tag } from '../../../components/tag.tsx';
import { formatDollars } from '../../../format/plan-name.ts';
import { type Standing, standingText } from '../plan-rules.ts';
import classes from './plan-name.module.css';

const tones: Record<NonNullable<Standing>, ComponentProps<typeof Tag>['tone']> = {
  Active: 'accent',
  Next: 'quiet',
  Cancelled: 'warning',
  Expired: 'danger',
};

/** A plan's name, with where the person stands with it. */
export function PlanName({ name, standing }: Pick<Offer, 'name' | 'standing'>) {
  return (
    <span className={classes.name}>
      {name}
      {standing && (
        <>
          {' '}
          <Tag tone={tones[standing]}>{standingText(standing)}</Tag>
        </>
      )}
    </span>
  );
}

/** '$5.00 per month'. */
export function PlanPrice({ plan, per }: Pick<Offer, 'plan' | 'per'>) {
  return (
    <span className={classes.price}>
      <span className={classes.amount}>{formatDollars(plan.amount)}</span>{' '}
      <span>{per ?? 'for as long as you like'}</span>
    </span>
  );
}

/** The plan that is made to measure: it has words where others have a price. */
export const UltimatePrice = () => (
  <span className={classes.price}>
    <span className={classes.amount}>On request</span> <span>made to measure</span>
  </span>
);

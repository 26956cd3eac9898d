import type { Offer } from '../offer.ts';
import tag from '../../../components/tag.module.css';
import { formatDollars } from '../../../format/plan-name.ts';
import { standingText } from '../plan-rules.ts';
import classes from './plan-name.module.css';

/** A plan's name, with where the person stands with it. */
export function PlanName({ name, standing }: Pick<Offer, 'name' | 'standing'>) {
  return (
    <span className={classes.name}>
      {name}
      {standing && (
        <>
          {' '}
          <span className={`${tag.tag} ${classes.standing}`} data-standing={standing}>
            {standingText(standing)}
          </span>
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

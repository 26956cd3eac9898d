import type { BillingRecord } from '@engram/contract';
import { capitalized } from '../../../format/plan-name.ts';
import classes from './billing.module.css';

/** How a plan stands. */
export const StatusPill = ({ status }: Pick<BillingRecord, 'status'>) => (
  <span className={classes.status} data-status={status}>
    {capitalized(status.toLowerCase())}
  </span>
);

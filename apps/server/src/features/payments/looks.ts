import type { CheckoutRow } from './payments.tables.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long the event of a checkout is waited for, in milliseconds. */
const EVENT_GRACE_MS = 10 * MINUTE_MS;

/** How often a checkout is asked for at most and at least, in milliseconds. */
const [OFTEN_MS, SELDOM_MS] = [5 * MINUTE_MS, DAY_MS / 4];

/** How long after its end a checkout that nobody paid is believed to have ended: clocks differ. */
const END_GRACE_MS = 10 * MINUTE_MS;

/** How long a payment may be on its way, in milliseconds: a bank may take two weeks. */
const LONGEST_PAYMENT_MS = 21 * DAY_MS;

/** When a checkout of which no event has come is asked for by itself. */
export const firstLook = (createdAt: Date): Date => new Date(createdAt.getTime() + EVENT_GRACE_MS);

/** When it is asked for again: the older it is, the later. */
export function nextLook({ createdAt }: Pick<CheckoutRow, 'createdAt'>, at: Date): Date {
  const age = at.getTime() - createdAt.getTime();
  return new Date(at.getTime() + Math.min(SELDOM_MS, Math.max(OFTEN_MS, age / 4)));
}

/** Whether nothing more is to come of a checkout of which its provider says nothing else. */
export const isOver = ({ expiresAt }: CheckoutRow, at: Date): boolean =>
  at.getTime() >= expiresAt.getTime() + END_GRACE_MS;

/** Whether a payment has been on its way for so long that it does not come any more. */
export const isLate = ({ createdAt }: CheckoutRow, at: Date): boolean =>
  at.getTime() - createdAt.getTime() >= LONGEST_PAYMENT_MS;

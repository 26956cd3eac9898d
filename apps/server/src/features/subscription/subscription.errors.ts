import { HttpError } from '../../platform/http/errors.ts';
import type { WindowName } from './windows.ts';

const spans: Record<WindowName, string> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
};

const moment = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

export const subscriptionExpired = (): HttpError =>
  new HttpError(
    402,
    'subscription_expired',
    'Your subscription has expired. Please renew to continue accessing the services.',
  );

/** @param opens Midnight, UTC, from which on questions can be asked again. */
export const queriesUsedUp = (limit: number, window: WindowName, opens: Date): HttpError =>
  new HttpError(
    402,
    'queries_used_up',
    `You have used all ${limit} questions of your plan for ${spans[window]}. You can ask again from ${moment.format(opens)}, 00:00 UTC.`,
  );

/** @param gigabytes What the plan stores. */
export const storageUsedUp = (gigabytes: number): HttpError =>
  new HttpError(
    402,
    'storage_used_up',
    `Your plan stores up to ${gigabytes} GB, and this upload would exceed it. Please delete some files or choose a larger plan.`,
  );

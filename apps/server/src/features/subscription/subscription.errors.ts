import { HttpError } from '../../platform/http/errors.ts';
import { sayMoment } from './moments.ts';
import type { WindowName } from './windows.ts';

const spans: Record<WindowName, string> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
};

const number = new Intl.NumberFormat('en-US');

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
    `You have used all ${limit} questions of your plan for ${spans[window]}. You can ask again from ${sayMoment(opens)}.`,
  );

/** @param gigabytes What the plan stores. */
export const storageUsedUp = (gigabytes: number): HttpError =>
  new HttpError(
    402,
    'storage_used_up',
    `Your plan stores up to ${gigabytes} GB, and this upload would exceed it. Please delete some files or choose a larger plan.`,
  );

export const personNotFound = (): HttpError =>
  new HttpError(404, 'person_not_found', 'There is no such person.');

/** @param most What a balance can hold. */
export const tooManyCredits = (balance: number, most: number): HttpError =>
  new HttpError(
    400,
    'too_many_credits',
    `This person has ${number.format(balance)} credits, and nobody can have more than ${number.format(most)}. Please add fewer.`,
  );

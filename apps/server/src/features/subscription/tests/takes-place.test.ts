import { expect, test } from 'vitest';
import { type ReportedSubscription, takesPlaceOf } from '../standing.ts';
import type { SubscriptionRow } from '../subscription.tables.ts';

const at = (day: number): Date => new Date(Date.UTC(2026, 2, day));

const kept = (changes: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  userId: 'ada',
  plan: 'Engram - Pro - monthly',
  status: 'Active',
  credit: 0,
  endsAt: at(20),
  provider: 'stripe',
  providerCustomer: 'cus_1',
  providerSubscription: 'sub_1',
  billingAddress: null,
  reportedAt: at(10),
  nextPlan: null,
  nextEndsAt: null,
  balance: 0,
  ...changes,
});

const told = (changes: Partial<ReportedSubscription> = {}): ReportedSubscription => ({
  userId: 'ada',
  provider: 'stripe',
  customer: 'cus_1',
  subscription: 'sub_1',
  priceId: 'price_pro_monthly',
  status: 'active',
  endsAt: at(25),
  next: null,
  balance: 0,
  billingAddress: null,
  reportedAt: at(11),
  ...changes,
});

const other = { subscription: 'sub_2' };
const free = { provider: null, providerSubscription: null, reportedAt: null };

test.each<[string, Partial<SubscriptionRow>, Partial<ReportedSubscription>, boolean]>([
  ['the first that is told', free, {}, true],
  ['what is told later', {}, {}, true],
  ['the same told twice', {}, { reportedAt: at(10) }, true],
  ['what was told before', {}, { reportedAt: at(9) }, false],
  ['another one that runs', {}, other, true],
  ['another one told at the same moment', {}, { ...other, reportedAt: at(10) }, false],
  ['another one told before', {}, { ...other, reportedAt: at(9) }, false],
  ['late news of one that has expired', {}, { ...other, status: 'expired' }, false],
  ['late news of one that is cancelled', {}, { ...other, status: 'cancelled' }, false],
  ['late news of one that has ended', {}, { ...other, endsAt: at(1) }, false],
  [
    'one that ends after one that has ended',
    { endsAt: at(9) },
    { ...other, status: 'cancelled' },
    true,
  ],
  [
    'one that has ended after a cancelled one that runs',
    { status: 'Cancelled' },
    { ...other, endsAt: at(5) },
    false,
  ],
  [
    'one of another provider under the same id',
    {},
    { provider: 'sandbox', reportedAt: at(10) },
    false,
  ],
])('%s', (_, before, after, takes) => {
  expect(takesPlaceOf(kept(before), told(after))).toBe(takes);
});

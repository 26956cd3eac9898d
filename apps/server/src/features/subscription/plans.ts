import type { BillingPeriod } from '@engram/contract';

/** A plan that is sold, or the free plan. A limit of 0 does not apply. */
export interface Plan {
  name: string;
  productId: string;
  priceId: string;
  /** US cents a period. */
  amount: number;
  billingPeriod: BillingPeriod;
  queries: { day: number; week: number; month: number };
  /** Gigabytes (10^9 bytes). */
  storage: number;
  /** False for one that is no longer sold. Users who have it keep it. */
  active: boolean;
}

/** The plan of users who bought none, or whose cancelled plan has ended. */
export const FREE_PLAN: Plan = {
  name: 'Starter(Free)',
  productId: 'product_starter',
  priceId: 'price_starter_weekly',
  amount: 0,
  billingPeriod: 'weekly',
  queries: { day: 15, week: 105, month: 0 },
  storage: 10,
  active: true,
};

export const isFree = ({ name }: Pick<Plan, 'name'>): boolean => name === FREE_PLAN.name;

/** Bytes. */
export const GIGABYTE = 1_000_000_000;

/** Bytes that a plan stores. */
export const storageOf = ({ storage }: Plan): number =>
  storage > 0 ? storage * GIGABYTE : Number.POSITIVE_INFINITY;

/** The periods, shortest first. */
const PERIODS: readonly BillingPeriod[] = ['weekly', 'monthly', 'quarterly', 'yearly'];

/** Average days of a period. */
const DAYS: Record<BillingPeriod, number> = {
  weekly: 7,
  monthly: 365.25 / 12,
  quarterly: 365.25 / 4,
  yearly: 365.25,
};

/** The prices of two tiers for the same time: the longest period for which both are sold. */
function comparablePrices(one: Plan, other: Plan, all: readonly Plan[]): [number, number] {
  const priceOf = ({ productId }: Plan, period: BillingPeriod): number | undefined =>
    all.find((plan) => plan.productId === productId && plan.billingPeriod === period)?.amount;
  for (const period of PERIODS.toReversed()) {
    const [ours, theirs] = [priceOf(one, period), priceOf(other, period)];
    if (ours !== undefined && theirs !== undefined) return [ours, theirs];
  }
  return [one.amount / DAYS[one.billingPeriod], other.amount / DAYS[other.billingPeriod]];
}

/**
 * Whether a plan is cheaper or shorter than another, so that a change to it waits for the end of the
 * period. Tiers are compared by price, then periods by length, then plans of one period by price.
 * @param all All plans, also those that are no longer sold.
 */
export function isCheaperOrShorter(plan: Plan, than: Plan, all: readonly Plan[]): boolean {
  const [tier, itsTier] =
    plan.productId === than.productId ? [0, 0] : comparablePrices(plan, than, all);
  const period = PERIODS.indexOf(plan.billingPeriod);
  const itsPeriod = PERIODS.indexOf(than.billingPeriod);
  const order = tier - itsTier || period - itsPeriod || plan.amount - than.amount;
  return order < 0;
}

const paid = (
  tier: string,
  cents: Record<BillingPeriod, number>,
  queries: Plan['queries'],
  storage: number,
): Plan[] =>
  PERIODS.map((billingPeriod) => ({
    name: `Engram - ${tier} - ${billingPeriod}`,
    productId: `product_${tier.toLowerCase()}`,
    priceId: `price_${tier.toLowerCase()}_${billingPeriod}`,
    amount: cents[billingPeriod],
    billingPeriod,
    queries,
    storage,
    active: true,
  }));

/** The initial rows of the table of plans, in the order in which they are listed. */
export const SEED_PLANS: readonly Plan[] = [
  FREE_PLAN,
  ...paid(
    'Pro',
    { weekly: 150, monthly: 500, quarterly: 1350, yearly: 4800 },
    { day: 25, week: 175, month: 700 },
    25,
  ),
  ...paid(
    'Elite',
    { weekly: 300, monthly: 1000, quarterly: 2700, yearly: 9600 },
    { day: 100, week: 700, month: 3000 },
    100,
  ),
];

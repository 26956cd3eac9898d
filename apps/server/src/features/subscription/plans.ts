import type { BillingPeriod } from '@engram/contract';

/** Something to buy, or the free plan. A limit of 0 does not apply. */
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
  /** False for one that is not sold any more; who has it keeps it. */
  active: boolean;
}

/** What everybody has who has bought nothing, and returns to when a bought plan was cancelled. */
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

/** Bytes of a gigabyte, as plans count them. */
export const GIGABYTE = 1_000_000_000;

/** Bytes that a plan stores. */
export const storageOf = ({ storage }: Plan): number =>
  storage > 0 ? storage * GIGABYTE : Number.POSITIVE_INFINITY;

const paid = (
  tier: string,
  cents: Record<BillingPeriod, number>,
  queries: Plan['queries'],
  storage: number,
): Plan[] =>
  (['weekly', 'monthly', 'quarterly', 'yearly'] as const).map((billingPeriod) => ({
    name: `Engram - ${tier} - ${billingPeriod}`,
    productId: `product_${tier.toLowerCase()}`,
    priceId: `price_${tier.toLowerCase()}_${billingPeriod}`,
    amount: cents[billingPeriod],
    billingPeriod,
    queries,
    storage,
    active: true,
  }));

/** What the table of plans is filled with where it is empty, in the order in which it is listed. */
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

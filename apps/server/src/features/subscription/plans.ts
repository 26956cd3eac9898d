/** Prices are US dollars. A limit of 0 does not apply to the plan. */
export interface Plan {
  name: string;
  /** Null for the plan that costs nothing and never ends. */
  billing: { period: BillingPeriod; price: number } | null;
  queries: { day: number; week: number; month: number };
  /** Gigabytes (10^9 bytes). */
  storage: number;
}

export type BillingPeriod = 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** What everybody has who has bought nothing, and returns to when a bought plan was cancelled. */
export const FREE_PLAN: Plan = {
  name: 'Starter(Free)',
  billing: null,
  queries: { day: 15, week: 105, month: 0 },
  storage: 10,
};

const paid = (
  tier: string,
  prices: Record<BillingPeriod, number>,
  queries: Plan['queries'],
  storage: number,
): Plan[] =>
  (['weekly', 'monthly', 'quarterly', 'yearly'] as const).map((period) => ({
    name: `Engram - ${tier} - ${period}`,
    billing: { period, price: prices[period] },
    queries,
    storage,
  }));

/** Every plan there is. */
export const PLANS: readonly Plan[] = [
  FREE_PLAN,
  ...paid(
    'Pro',
    { weekly: 1.5, monthly: 5, quarterly: 13.5, yearly: 48 },
    { day: 25, week: 175, month: 700 },
    25,
  ),
  ...paid(
    'Elite',
    { weekly: 3, monthly: 10, quarterly: 27, yearly: 96 },
    { day: 100, week: 700, month: 3000 },
    100,
  ),
];

/** The plan of a name; one that is not known any more gives what the free one gives. */
export const planOf = (name: string): Plan => PLANS.find((plan) => plan.name === name) ?? FREE_PLAN;

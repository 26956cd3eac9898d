import type { BillingPeriod } from '@engram/contract';
import { asc } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { plans as table, type SubscriptionRow } from './subscription.tables.ts';

/** A paid plan or the free plan. A query limit of 0 means no limit. */
export type Plan = typeof table.$inferSelect;

/** The plan of users who have no paid plan. */
export const FREE_PLAN: Plan = {
  name: 'Starter(Free)',
  productId: 'product_starter',
  priceId: 'price_starter_weekly',
  amount: 0,
  billingPeriod: 'weekly',
  queriesDay: 15,
  queriesWeek: 105,
  queriesMonth: 0,
  storage: 10,
  position: 0,
  active: true,
};

export const isFree = ({ name }: Pick<Plan, 'name'>): boolean => name === FREE_PLAN.name;

/** Bytes. */
export const GIGABYTE = 1_000_000_000;

export const storageOf = ({ storage }: Plan): number =>
  storage > 0 ? storage * GIGABYTE : Number.POSITIVE_INFINITY;

/** The periods, shortest first. */
const PERIODS: readonly BillingPeriod[] = ['weekly', 'monthly', 'quarterly', 'yearly'];

const DAYS: Record<BillingPeriod, number> = {
  weekly: 7,
  monthly: 365.25 / 12,
  quarterly: 365.25 / 4,
  yearly: 365.25,
};

/** The prices of two tiers for the longest period that both offer. */
function comparablePrices(plan: Plan, other: Plan, all: readonly Plan[]): [number, number] {
  const priceOf = ({ productId }: Plan, period: BillingPeriod): number | undefined =>
    all.find((row) => row.productId === productId && row.billingPeriod === period)?.amount;
  for (const period of PERIODS.toReversed()) {
    const [price, otherPrice] = [priceOf(plan, period), priceOf(other, period)];
    if (price !== undefined && otherPrice !== undefined) return [price, otherPrice];
  }
  return [plan.amount / DAYS[plan.billingPeriod], other.amount / DAYS[other.billingPeriod]];
}

/**
 * Whether a change from `current` to `plan` waits for the end of the period. Tiers are compared by price,
 * then periods by length, then plans of one period by price.
 * @param all All plans, including those that are no longer sold.
 */
export function isCheaperOrShorter(plan: Plan, current: Plan, all: readonly Plan[]): boolean {
  const [tier, currentTier] =
    plan.productId === current.productId ? [0, 0] : comparablePrices(plan, current, all);
  const period = PERIODS.indexOf(plan.billingPeriod);
  const currentPeriod = PERIODS.indexOf(current.billingPeriod);
  return (tier - currentTier || period - currentPeriod || plan.amount - current.amount) < 0;
}

const paidPlans = (
  tier: string,
  firstPosition: number,
  cents: Record<BillingPeriod, number>,
  limits: Pick<Plan, 'queriesDay' | 'queriesWeek' | 'queriesMonth' | 'storage'>,
) =>
  PERIODS.map((billingPeriod, index) => ({
    name: `Engram - ${tier} - ${billingPeriod}`,
    productId: `product_${tier.toLowerCase()}`,
    priceId: `price_${tier.toLowerCase()}_${billingPeriod}`,
    amount: cents[billingPeriod],
    billingPeriod,
    ...limits,
    position: firstPosition + index,
    active: true,
  }));

export const SEED_PLANS: readonly Plan[] = [
  FREE_PLAN,
  ...paidPlans(
    'Pro',
    1,
    { weekly: 150, monthly: 500, quarterly: 1350, yearly: 4800 },
    { queriesDay: 25, queriesWeek: 175, queriesMonth: 700, storage: 25 },
  ),
  ...paidPlans(
    'Elite',
    5,
    { weekly: 300, monthly: 1000, quarterly: 2700, yearly: 9600 },
    { queriesDay: 100, queriesWeek: 700, queriesMonth: 3000, storage: 100 },
  ),
];

const CACHE_MS = 5000;

/** @param sandboxCounts Whether purchases in the sandbox count. */
function plansOf(all: readonly Plan[], sandboxCounts: boolean) {
  const names = new Map(all.map((plan) => [plan.name, plan]));
  const sold = all.filter((plan) => !isFree(plan));
  const prices = new Map(sold.map((plan) => [plan.priceId, plan]));
  const free = names.get(FREE_PLAN.name) ?? FREE_PLAN;
  return {
    free,
    named: (name: string): Plan => names.get(name) ?? free,
    /** The paid plan of a price, even if it is no longer sold. */
    priced: (priceId: string): Plan | undefined => prices.get(priceId),
    offered: [free, ...sold.filter(({ active }) => active)],
    all,
    /** Whether purchases from this provider count on this server. */
    counts: ({ provider }: Pick<SubscriptionRow, 'provider'>): boolean =>
      provider !== 'sandbox' || sandboxCounts,
  };
}

export type Plans = ReturnType<typeof plansOf>;

const readRows = (executor: Executor): Promise<Plan[]> =>
  executor.select().from(table).orderBy(asc(table.position), asc(table.name));

/** Reads the plans, and caches them for a few seconds because each question and each uploaded file needs them. */
export function createPlanReader({ storage, config, now }: Core) {
  let cached: { at: number; plans: Plans } | undefined;

  /** @param executor The caller's transaction, which must not wait for another connection. */
  return async (executor: Executor = storage.database.db): Promise<Plans> => {
    const time = now().getTime();
    // The clock may have been set back.
    if (cached && Math.abs(time - cached.at) < CACHE_MS) return cached.plans;
    let rows = await readRows(executor);
    if (rows.length === 0) {
      await executor
        .insert(table)
        .values([...SEED_PLANS])
        .onConflictDoNothing();
      rows = await readRows(executor);
    }
    cached = { at: time, plans: plansOf(rows, config.payments === 'sandbox') };
    return cached.plans;
  };
}

export type ReadPlans = ReturnType<typeof createPlanReader>;

import type { BillingPeriod } from '@engram/contract';
import type { Plan } from './plans.ts';

/** The periods, the shortest first. */
const PERIODS: readonly BillingPeriod[] = ['weekly', 'monthly', 'quarterly', 'yearly'];

/** Days of a period, on average. */
const DAYS: Record<BillingPeriod, number> = {
  weekly: 7,
  monthly: 365.25 / 12,
  quarterly: 365.25 / 4,
  yearly: 365.25,
};

/** What two tiers cost for the same time: for the longest period that both are sold for. */
function pricesOf(one: Plan, other: Plan, all: readonly Plan[]): [number, number] {
  const priced = ({ productId }: Plan, period: BillingPeriod): number | undefined =>
    all.find((plan) => plan.productId === productId && plan.billingPeriod === period)?.amount;
  for (const period of PERIODS.toReversed()) {
    const [ours, theirs] = [priced(one, period), priced(other, period)];
    if (ours !== undefined && theirs !== undefined) return [ours, theirs];
  }
  return [one.amount / DAYS[one.billingPeriod], other.amount / DAYS[other.billingPeriod]];
}

/**
 * Whether a plan is cheaper or shorter than another one, and therefore waits for its end. The tier
 * decides, by what both cost for the same time; within a tier the period does, and within a period
 * the price. The free plan is below every other one.
 * @param all All plans there are, also those that are not sold any more.
 */
export function isCheaperOrShorter(plan: Plan, than: Plan, all: readonly Plan[]): boolean {
  const [tier, itsTier] = plan.productId === than.productId ? [0, 0] : pricesOf(plan, than, all);
  const period = PERIODS.indexOf(plan.billingPeriod);
  const itsPeriod = PERIODS.indexOf(than.billingPeriod);
  const order = tier - itsTier || period - itsPeriod || plan.amount - than.amount;
  return order < 0;
}

import type { BillingPeriod, Metrics, Plan } from '@engram/contract';
import { FREE_PLAN } from '../../format/plan-name.ts';

/** The tabs, the one that is open at first before the others. */
export const periods: readonly { period: BillingPeriod; label: string; discount?: string }[] = [
  { period: 'weekly', label: 'Weekly' },
  { period: 'monthly', label: 'Monthly' },
  { period: 'quarterly', label: 'Quarterly', discount: '10% OFF' },
  { period: 'yearly', label: 'Yearly', discount: '20% OFF' },
];

const nouns: Record<BillingPeriod, string> = {
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

/** 'per month'; a period that is not known is named as it is. */
export const perPeriod = (period: string): string =>
  `per ${nouns[period.toLowerCase() as BillingPeriod] ?? period}`;

/** The plan that costs nothing stands in every tab and is not for sale. */
export const isFree = ({ name }: Pick<Plan, 'name'>): boolean => name === FREE_PLAN;

const rankOf = ({ name }: Plan): number => {
  const words = name.toLowerCase().split(/[^a-z]+/u);
  if (words.includes('pro')) return 0;
  return words.includes('elite') ? 1 : 2;
};

/** The plans of a tab: those of its period and the free one; Pro first, then Elite, then the others. */
export const plansOf = (plans: readonly Plan[], period: BillingPeriod): Plan[] =>
  plans
    .filter((plan) => isFree(plan) || plan.billingPeriod.toLowerCase() === period)
    .toSorted((a, b) => rankOf(a) - rankOf(b));

const NOT_APPLICABLE = 'N/A';

const count = (limit: number | undefined): string =>
  limit && limit > 0 ? limit.toLocaleString('en-US') : NOT_APPLICABLE;

const gigabytes = (limit: number | undefined): string =>
  limit && limit > 0 ? `${limit.toLocaleString('en-US')} GB` : NOT_APPLICABLE;

/** What a plan is compared by, with the words that stand before each limit. */
export const limits: readonly { label: string; of: (plan: Plan) => string }[] = [
  { label: 'Daily query limit', of: ({ queryLimit }) => count(queryLimit.dailyLimit) },
  { label: 'Weekly query limit', of: ({ queryLimit }) => count(queryLimit.weeklyLimit) },
  {
    label: 'Monthly query limit',
    of: (plan) => (isFree(plan) ? NOT_APPLICABLE : count(plan.queryLimit.monthlyLimit)),
  },
  {
    label: 'File size limit',
    of: (plan) =>
      gigabytes(isFree(plan) ? plan.fileSizeLimit.weeklyLimit : plan.fileSizeLimit.yearlyLimit),
  },
];

/**
 * Where a person stands with a plan: on it, with what has come of it, about to be on it, or not on it.
 */
export type Standing = Metrics['status'] | 'Next' | null;

/** @param next The plan that follows the person's own. */
export function standingOf(
  { name }: Plan,
  metrics: Metrics | undefined,
  next: string | undefined,
): Standing {
  if (metrics?.plan === name) return metrics.status;
  return next === name ? 'Next' : null;
}

/** Whether a paid plan holds, so that it is changed, with its card, rather than bought. */
export const isHeld = (metrics: Metrics | undefined): boolean =>
  metrics !== undefined && metrics.plan !== FREE_PLAN && metrics.status !== 'Expired';

const standingWords: Record<NonNullable<Standing>, string> = {
  Active: 'Your plan',
  Cancelled: 'Your plan, cancelled',
  Expired: 'Your plan, expired',
  Next: 'Your next plan',
};

export const standingText = (standing: NonNullable<Standing>): string => standingWords[standing];

/** Whether a plan can be bought: the free one never, and none that the person has or will have. */
export const isForSale = (plan: Plan, standing: Standing): boolean =>
  !isFree(plan) && (standing === null || standing === 'Expired');

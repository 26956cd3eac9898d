import type { BillingPeriod, Metrics, Plan } from '@engram/contract';
import { FREE_PLAN, partsOfPlan } from '../../format/format.ts';

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

/** 'per month'. Unknown periods are unchanged. */
export const perPeriod = (period: string): string =>
  `per ${nouns[period.toLowerCase() as BillingPeriod] ?? period}`;

/** The free plan is in every tab and is not for sale. */
const isFree = ({ name }: Plan): boolean => name === FREE_PLAN;

const rankOf = ({ name }: Plan): number => {
  const words = name.toLowerCase().split(/[^a-z]+/u);
  if (words.includes('pro')) return 0;
  return words.includes('elite') ? 1 : 2;
};

/** The plans of a tab: those of its period and the free one. Pro comes first, then Elite. */
export const plansOf = (plans: readonly Plan[], period: BillingPeriod): Plan[] =>
  plans
    .filter((plan) => isFree(plan) || plan.billingPeriod.toLowerCase() === period)
    .toSorted((a, b) => rankOf(a) - rankOf(b));

const NOT_APPLICABLE = 'N/A';

const formatLimit = (limit: number | undefined, unit = ''): string =>
  limit && limit > 0 ? `${limit.toLocaleString('en-US')}${unit}` : NOT_APPLICABLE;

export const limits: readonly { label: string; format: (plan: Plan) => string }[] = [
  { label: 'Daily query limit', format: ({ queryLimit }) => formatLimit(queryLimit.dailyLimit) },
  { label: 'Weekly query limit', format: ({ queryLimit }) => formatLimit(queryLimit.weeklyLimit) },
  {
    label: 'Monthly query limit',
    format: (plan) => (isFree(plan) ? NOT_APPLICABLE : formatLimit(plan.queryLimit.monthlyLimit)),
  },
  {
    label: 'File size limit',
    format: (plan) => {
      const { weeklyLimit, yearlyLimit } = plan.fileSizeLimit;
      return formatLimit(isFree(plan) ? weeklyLimit : yearlyLimit, ' GB');
    },
  },
];

/** The status of the user's plan, 'Next' for the plan after it, or null for other plans. */
export type PlanStatus = Metrics['status'] | 'Next' | null;

/** Whether the user has a paid plan, which is changed instead of buying another one. */
export const hasPaidPlan = (metrics: Metrics | undefined): boolean =>
  metrics !== undefined && metrics.plan !== FREE_PLAN && metrics.status !== 'Expired';

export interface Offer {
  plan: Plan;
  name: string;
  per: string | null;
  status: PlanStatus;
  isForSale: boolean;
  /** Whether it is the first plan for sale, which has a prominent button. */
  isFeatured: boolean;
}

interface User {
  metrics: Metrics | undefined;
  next: string | undefined;
}

export function offersOf(
  plans: readonly Plan[],
  { metrics, next }: User,
  isSold: boolean,
): Offer[] {
  const statusOf = ({ name }: Plan): PlanStatus => {
    if (metrics?.plan === name) return metrics.status;
    return next === name ? 'Next' : null;
  };
  const canBeBought = (plan: Plan): boolean =>
    !isFree(plan) && (statusOf(plan) === null || statusOf(plan) === 'Expired');
  const featured = plans.find(canBeBought);
  return plans.map((plan) => ({
    plan,
    name: partsOfPlan(plan.name).plan,
    per: isFree(plan) ? null : perPeriod(plan.billingPeriod),
    status: statusOf(plan),
    isForSale: isSold && canBeBought(plan),
    isFeatured: plan === featured,
  }));
}

const fallback = (
  name: string,
  amount: number,
  [dailyLimit, weeklyLimit, monthlyLimit]: [number, number, number],
  gigabytes: number,
): Plan => ({
  name,
  productId: '',
  priceId: '',
  amount,
  billingPeriod: 'monthly',
  queryLimit: { dailyLimit, weeklyLimit, monthlyLimit },
  fileSizeLimit: {
    weeklyLimit: gigabytes,
    monthlyLimit: gigabytes,
    quarterlyLimit: gigabytes,
    yearlyLimit: gigabytes,
  },
});

/** The default monthly plans, shown but not for sale if the server's plans cannot be loaded. */
export const fallbackPlans: readonly Plan[] = [
  fallback('Engram - Pro - monthly', 5, [25, 175, 700], 25),
  fallback('Engram - Elite - monthly', 10, [100, 700, 3000], 100),
  fallback(FREE_PLAN, 0, [15, 105, 0], 10),
];

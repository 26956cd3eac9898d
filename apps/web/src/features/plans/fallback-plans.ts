import type { Plan } from '@engram/contract';

const fallback = (
  name: string,
  amount: number,
  [dailyLimit, weeklyLimit, monthlyLimit]: [number, number, number],
  fileSizeLimit: Plan['fileSizeLimit'],
): Plan => ({
  name,
  productId: '',
  priceId: '',
  amount,
  billingPeriod: 'monthly',
  queryLimit: { dailyLimit, weeklyLimit, monthlyLimit },
  fileSizeLimit,
});

const storage = (limit: number): Plan['fileSizeLimit'] => ({
  weeklyLimit: 0,
  monthlyLimit: limit,
  quarterlyLimit: limit,
  yearlyLimit: limit,
});

/** What Engram comes with, by the month: shown, and not for sale, while the server cannot tell its plans. */
export const fallbackPlans: readonly Plan[] = [
  fallback('Engram - Pro - monthly', 5, [25, 175, 700], storage(25)),
  fallback('Engram - Elite - monthly', 10, [100, 700, 3000], storage(100)),
  fallback('Starter(Free)', 0, [15, 105, 0], { ...storage(0), weeklyLimit: 10 }),
];

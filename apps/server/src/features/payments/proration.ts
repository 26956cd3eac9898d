import type { BillingPeriod } from '@engram/contract';
import { type Amounts, amountsOf, type SoldPlan } from './provider.ts';

type Priced = Pick<SoldPlan, 'amount' | 'billingPeriod'>;

export interface Running extends Priced {
  start: Date;
  end: Date;
}

const MONTHS: Record<Exclude<BillingPeriod, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

/** The end of a period. In a month without that day it is the last day. */
export function periodEnd(start: Date, period: BillingPeriod): Date {
  const end = new Date(start);
  if (period === 'weekly') {
    end.setUTCDate(end.getUTCDate() + 7);
    return end;
  }
  const month = start.getUTCMonth() + MONTHS[period];
  end.setUTCMonth(month);
  if (end.getUTCMonth() !== month % 12) end.setUTCDate(0);
  return end;
}

/** The value of the rest of a paid period, in US cents. */
export function restOf({ amount, start, end }: Running, at: Date): number {
  const share = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
  return Math.round(amount * Math.min(1, Math.max(0, share)));
}

/**
 * What it costs to change to another plan now, as Stripe computes it: for the same period the plan's share
 * of the rest, otherwise its whole price, minus the rest of the old plan and the balance.
 */
export function costOfChange(from: Running, to: Priced, balance: number, at: Date): Amounts {
  const isSameLength = to.billingPeriod === from.billingPeriod;
  const price = isSameLength ? restOf({ ...from, amount: to.amount }, at) : to.amount;
  return amountsOf(price, balance + restOf(from, at));
}

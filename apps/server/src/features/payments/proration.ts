import type { BillingPeriod } from '@engram/contract';
import type { Amounts, SoldPlan } from './provider.ts';

/** A price for a period. */
type Priced = Pick<SoldPlan, 'amount' | 'billingPeriod'>;

/** A plan in the period that is paid for. */
export interface Running extends Priced {
  start: Date;
  end: Date;
}

const MONTHS: Record<Exclude<BillingPeriod, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

/** The end of a period; a month that has no such day ends with its last one. */
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

/** What is left of a period that is paid for, in US cents. */
export function restOf({ amount, start, end }: Running, at: Date): number {
  const share = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
  return Math.round(amount * Math.min(1, Math.max(0, share)));
}

/** A price set against what is there of credit. */
export function amountsOf(price: number, credit: number): Amounts {
  const credited = Math.min(price, credit);
  return { price, credited, due: price - credited, balance: credit - credited };
}

/**
 * What it costs that another plan begins at once, as Stripe reckons it: within the same period its
 * share of what is left, else the whole price of a period that begins now; less what is left of the
 * old plan, and the balance.
 */
export function costOfChange(from: Running, to: Priced, balance: number, at: Date): Amounts {
  const isSameLength = to.billingPeriod === from.billingPeriod;
  const price = isSameLength ? restOf({ ...from, amount: to.amount }, at) : to.amount;
  return amountsOf(price, balance + restOf(from, at));
}

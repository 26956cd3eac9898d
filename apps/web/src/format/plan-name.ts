/** A plan's name in its parts: 'Engram - Pro - monthly' is Engram - Pro, bought monthly. */
export function partsOfPlan(name: string): { plan: string; frequency: string | null } {
  const [, plan, frequency] = /^(.+) - ([^-]+)$/u.exec(name) ?? [];
  return plan && frequency
    ? { plan: plan.trim(), frequency: frequency.trim() }
    : { plan: name, frequency: null };
}

/** A plan in one word: 'Pro' of 'Engram - Pro - monthly', 'Starter' of 'Starter(Free)'. */
export const shortPlanName = (name: string): string =>
  (name.split(' - ')[1] ?? name).replace(/^([^(]*)\(.*\)$/u, '$1').trim();

/** A plan without the product's name: 'Pro - weekly' of 'Engram - Pro - weekly'. */
export const planWithPeriod = (name: string): string => name.replace(/^Engram - /u, '');

/** The plan that costs nothing. */
export const FREE_PLAN = 'Starter(Free)';

/** US dollars with two decimals. */
export const formatDollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Gigabytes (10^9 bytes) in the unit that reads best; what is there never reads as 0. */
export function formatGigabytes(gigabytes: number): string {
  if (gigabytes >= 1) return `${Number(gigabytes.toFixed(2))} GB`;
  if (gigabytes === 0) return '0 GB';
  const megabytes = gigabytes * 1000;
  return `${Math.max(0.1, Number(megabytes.toFixed(megabytes < 10 ? 1 : 0)))} MB`;
}

/** 'Monthly' of 'monthly'. */
export const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** How long a new key works, with the words for it. */
export const lifetimes = {
  never: 'Until it is revoked',
  30: 'For 30 days',
  90: 'For 90 days',
  365: 'For a year',
  day: 'Until a day of your choice',
} as const;
export type Lifetime = keyof typeof lifetimes;

const DAY_MS = 86_400_000;

/** When a key ends that is made now: a time, or the day as it was typed; null where it does not. */
export function expiryOf(lifetime: string, day: string, now: number): string | null {
  if (lifetime === 'never') return null;
  if (lifetime === 'day') return day;
  return new Date(now + Number(lifetime) * DAY_MS).toISOString();
}

/** Today in UTC, in which the days of keys are counted, as YYYY-MM-DD. */
export const todayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

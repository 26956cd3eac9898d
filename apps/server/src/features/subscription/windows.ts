/** A span of UTC time in which questions are counted. */
export interface Window {
  /** First day, as YYYY-MM-DD. */
  from: string;
  /** When the next window opens. */
  opens: Date;
}

export type WindowName = 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

/** A moment's UTC day, as YYYY-MM-DD. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The UTC calendar day, ISO 8601 week (from Monday on) and calendar month that a moment lies in. */
export function windowsAt(at: Date): Record<WindowName, Window> {
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const today = Date.UTC(year, month, date);
  const monday = today - ((at.getUTCDay() + 6) % 7) * DAY_MS;
  const window = (from: number, opens: number): Window => ({
    from: dayOf(new Date(from)),
    opens: new Date(opens),
  });
  return {
    day: window(today, today + DAY_MS),
    week: window(monday, monday + 7 * DAY_MS),
    month: window(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)),
  };
}

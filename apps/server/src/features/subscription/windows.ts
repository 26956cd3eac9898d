/** A UTC day, week or month in which questions are counted. */
export interface Window {
  /** First day, as YYYY-MM-DD. */
  from: string;
  opens: Date;
}

export type WindowName = 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The UTC day, ISO 8601 week (from Monday) and calendar month of a time. */
export function windowsAt(time: Date): Record<WindowName, Window> {
  const [year, month, date] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const today = Date.UTC(year, month, date);
  const monday = today - ((time.getUTCDay() + 6) % 7) * DAY_MS;
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

const dayFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export const formatDay = (time: Date): string => dayFormat.format(time);

/** A UTC time, such as 'Thursday, March 5, 2026, 00:00 UTC'. */
export const formatTime = (time: Date) => `${formatDay(time)}, ${timeFormat.format(time)} UTC`;

const day = {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
} as const;
const dayFormat = new Intl.DateTimeFormat('en-US', day);
const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** A day in UTC, such as 'Thursday, March 5, 2026'. */
export const sayDay = (at: Date): string => dayFormat.format(at);

/** A moment in UTC, such as 'Thursday, March 5, 2026, 00:00 UTC'. */
export const sayMoment = (at: Date): string => `${sayDay(at)}, ${timeFormat.format(at)} UTC`;

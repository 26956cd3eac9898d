import { memoize } from '../memoize.ts';
import type { DateMention, DateParts, DateRange, Day } from './dates.ts';

const DAY_MS = 86_400_000;

export function dayOf(year: number, month: number, day: number): Day {
  return year * 10_000 + month * 100 + day;
}

const toUtc = (day: Day): number => Date.UTC(yearOf(day), monthOf(day) - 1, day % 100);

function fromUtc(ms: number): Day {
  const date = new Date(ms);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

export const yearOf = (day: Day): number => Math.floor(day / 10_000);
export const monthOf = (day: Day): number => Math.floor(day / 100) % 100;

export const addDays = (day: Day, days: number): Day => fromUtc(toUtc(day) + days * DAY_MS);

export const weekdayOf = (day: Day): number => new Date(toUtc(day)).getUTCDay();

// The Swedish format is 2026-11-20 12:00:00.
const formatIn = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

/** Local time of an instant, as if it were UTC, in milliseconds. */
function wallClock(ms: number, timeZone: string): number {
  return Date.parse(`${formatIn(timeZone).format(ms).replace(' ', 'T')}Z`);
}

export const dayAt = (time: Date, timeZone: string): Day =>
  fromUtc(wallClock(time.getTime(), timeZone));

/** The start of a day in a time zone, including daylight saving. */
export function startOfDay(day: Day, timeZone: string): Date {
  const midnight = toUtc(day);
  // Clocks may change at midnight.
  const starts = [midnight - DAY_MS, midnight + DAY_MS]
    .map((near) => midnight - (wallClock(near, timeZone) - near))
    .sort((a, b) => a - b);
  const [first = midnight, second = first] = starts;
  return new Date(wallClock(first, timeZone) < midnight ? second : first);
}

/** The days of a mention in a year. A season from December ends in the next year. */
function daysIn({ months, day }: DateParts, year: number): { from: Day; to: Day } {
  const [first, last] = months ?? [1, 12];
  const end = last < first ? year + 1 : year;
  return {
    from: dayOf(year, first, day ?? 1),
    to: day === null ? addDays(dayOf(end, last + 1, 1), -1) : dayOf(end, last, day),
  };
}

/** The days that a question means. Without a year, the latest that began before `today`. */
export function rangeOf(parts: DateParts, today: Day): DateRange {
  const { year, months, day } = parts;
  const grain = day !== null ? 'day' : months !== null ? 'month' : 'year';
  const thisYear = daysIn(parts, yearOf(today));
  const assumed = thisYear.from <= today ? yearOf(today) : yearOf(today) - 1;
  return { ...daysIn(parts, year ?? assumed), grain, openYear: year === null };
}

const overlap = (a: { from: Day; to: Day }, b: { from: Day; to: Day }): boolean =>
  a.from <= b.to && b.from <= a.to;

/** Scores of partial matches. */
const FIT = {
  /** A longer period, such as the month of a day. */
  wider: 0.3,
  /** The same days of another year, if the question has no year. */
  otherYear: 0.5,
} as const;

/** How well a date matches, from 1 to -1 for another date. */
export function fitOf(mention: DateMention, range: DateRange): number {
  const { swapped } = mention;
  const exactFit = fitOne(mention, range);
  if (swapped === undefined || exactFit > 0) return exactFit;
  const { month, day } = swapped;
  return Math.max(exactFit, fitOne({ ...mention, months: [month, month], day }, range));
}

function fitOne(parts: DateParts, range: DateRange): number {
  const { year, months } = parts;
  const years = [yearOf(range.from), yearOf(range.to)];
  // A month says nothing about the year.
  if (year === null && range.grain === 'year') return 0;
  const days = (year === null ? years : [year])
    .map((year) => daysIn(parts, year))
    .find((days) => overlap(days, range));
  if (days) return days.from < range.from || days.to > range.to ? FIT.wider : 1;
  if (year === null || !range.openYear) return -1;
  if (months === null) return 0;
  const apart = year - yearOf(range.from);
  const [from, to] = [range.from + apart * 10_000, range.to + apart * 10_000];
  return overlap(daysIn(parts, year), { from, to }) ? FIT.otherYear / Math.abs(apart) : -1;
}

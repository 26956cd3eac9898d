import { dayOf } from '../../format/format.ts';

export interface DayGroup<T> {
  /** 'TODAY', 'YESTERDAY' or 'YYYY-MM-DD'. */
  heading: string;
  entries: T[];
}

const DAY_MS = 86_400_000;

/** The day before a day, both 'YYYY-MM-DD'. Counted on the calendar: a day may have 23 or 25 hours. */
const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

/** Telling the day of a date takes a while, and a list of thousands is grouped again and again. */
const known = new WeakMap<object, { timeZone: string; day: string }>();

function dayOfEntry(entry: { date: string }, timeZone: string): string {
  const found = known.get(entry);
  if (found?.timeZone === timeZone) return found.day;
  const day = dayOf(entry.date, timeZone);
  known.set(entry, { timeZone, day });
  return day;
}

/** Groups entries, newest first as they come, by their calendar day in a time zone. */
export function groupByDay<T extends { date: string }>(
  entries: readonly T[],
  timeZone: string,
  now: Date,
): DayGroup<T>[] {
  const today = dayOf(now, timeZone);
  const yesterday = dayBefore(today);
  const headingOf = (day: string): string => {
    if (day === today) return 'TODAY';
    return day === yesterday ? 'YESTERDAY' : day;
  };

  const groups: DayGroup<T>[] = [];
  for (const entry of entries) {
    const heading = headingOf(dayOfEntry(entry, timeZone));
    const last = groups.at(-1);
    if (last?.heading === heading) last.entries.push(entry);
    else groups.push({ heading, entries: [entry] });
  }
  return groups;
}

import type { HistoryThread } from '@engram/contract';
import { dayOf } from '../../format/format.ts';

interface DayRow {
  kind: 'day';
  key: string;
  heading: string;
}

interface EntryRow {
  kind: 'entry';
  key: string;
  entry: HistoryThread;
  /** The day it stands under, and that day's place among the rows. */
  heading: string;
  dayIndex: number;
  /** Its place among the questions, counted from 1. */
  position: number;
}

/** What the list shows, one below the other. */
export type HistoryRow = DayRow | EntryRow;

/** Questions with the headings of their days. */
export function historyRows(
  entries: readonly HistoryThread[],
  timeZone: string,
  now: Date,
): HistoryRow[] {
  const rows: HistoryRow[] = [];
  let position = 0;
  for (const { heading, entries: ofDay } of groupByDay(entries, timeZone, now)) {
    const dayIndex = rows.push({ kind: 'day', key: heading, heading }) - 1;
    for (const entry of ofDay) {
      position += 1;
      rows.push({ kind: 'entry', key: entry.id, entry, heading, dayIndex, position });
    }
  }
  return rows;
}

interface DayGroup<T> {
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

/** A row in sight, and where it begins. */
interface Item {
  index: number;
  start: number;
}

interface VisibleDay {
  heading: string;
  /** The heading's place among the rows; its row itself may be out of sight. */
  dayIndex: number;
  entries: { index: number; row: EntryRow }[];
}

/** The rows in sight under their days; each day has its heading, also where that is further up. */
export function visibleDays(items: readonly Item[], rows: readonly HistoryRow[]): VisibleDay[] {
  const days: VisibleDay[] = [];
  for (const { index } of items) {
    const row = rows[index];
    if (!row) continue;
    const dayIndex = row.kind === 'day' ? index : row.dayIndex;
    if (days.at(-1)?.dayIndex !== dayIndex) {
      const { heading } = row;
      days.push({ heading, dayIndex, entries: [] });
    }
    if (row.kind === 'entry') days.at(-1)?.entries.push({ index, row });
  }
  return days;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: 1, End: -1 };

/** The question that a key moves the focus to, by its place among the rows; null where none. */
export function rowToFocus(key: string, from: number, rows: readonly HistoryRow[]): number | null {
  const step = steps[key];
  if (step === undefined) return null;
  let index = from + step;
  if (key === 'Home') index = 0;
  if (key === 'End') index = rows.length - 1;
  // Headings are passed over.
  while (rows[index]?.kind === 'day') index += step;
  return rows[index] ? index : null;
}

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
  /** The day, and the index of the row with its heading. */
  heading: string;
  dayIndex: number;
  position: number;
}

export type HistoryRow = DayRow | EntryRow;

export function historyRows(
  entries: readonly HistoryThread[],
  timeZone: string,
  now: Date,
): HistoryRow[] {
  const rows: HistoryRow[] = [];
  let position = 0;
  for (const { heading, entries: dayEntries } of groupByDay(entries, timeZone, now)) {
    const dayIndex = rows.push({ kind: 'day', key: heading, heading }) - 1;
    for (const entry of dayEntries) {
      position += 1;
      rows.push({ kind: 'entry', key: entry.id, entry, heading, dayIndex, position });
    }
  }
  return rows;
}

const DAY_MS = 86_400_000;

/** The previous day, as 'YYYY-MM-DD'. In UTC, since a local day may have 23 or 25 hours. */
const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

/** Groups entries by calendar day: 'TODAY', 'YESTERDAY' or 'YYYY-MM-DD'. */
export function groupByDay<T extends { date: string }>(
  entries: readonly T[],
  timeZone: string,
  now: Date,
): { heading: string; entries: T[] }[] {
  const today = dayOf(now, timeZone);
  const yesterday = dayBefore(today);
  const headingOf = (day: string): string => {
    if (day === today) return 'TODAY';
    return day === yesterday ? 'YESTERDAY' : day;
  };

  const groups: { heading: string; entries: T[] }[] = [];
  for (const entry of entries) {
    const heading = headingOf(dayOf(entry.date, timeZone));
    const last = groups.at(-1);
    if (last?.heading === heading) last.entries.push(entry);
    else groups.push({ heading, entries: [entry] });
  }
  return groups;
}

/** The visible rows by day. Each day has its heading, even if that is not visible. */
export function visibleDays(items: readonly { index: number }[], rows: readonly HistoryRow[]) {
  const days: { heading: string; dayIndex: number; entries: { index: number; row: EntryRow }[] }[] =
    [];
  for (const { index } of items) {
    const row = rows[index];
    if (!row) continue;
    const dayIndex = row.kind === 'day' ? index : row.dayIndex;
    if (days.at(-1)?.dayIndex !== dayIndex) {
      days.push({ heading: row.heading, dayIndex, entries: [] });
    }
    if (row.kind === 'entry') days.at(-1)?.entries.push({ index, row });
  }
  return days;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: 1, End: -1 };

/** The row of the question that a key moves the focus to, or null. */
export function rowToFocus(key: string, from: number, rows: readonly HistoryRow[]): number | null {
  const step = steps[key];
  if (step === undefined) return null;
  let index = from + step;
  if (key === 'Home') index = 0;
  if (key === 'End') index = rows.length - 1;
  while (rows[index]?.kind === 'day') index += step;
  return rows[index] ? index : null;
}

import type { HistoryThread } from '@engram/contract';
import { dayOf } from '../../format/format.ts';

export interface HistoryRow {
  entry: HistoryThread;
  /** The heading of its day. */
  heading: string;
  isFirstOfDay: boolean;
}

export const historyRows = (
  entries: readonly HistoryThread[],
  timeZone: string,
  now: Date,
): HistoryRow[] =>
  groupByDay(entries, timeZone, now).flatMap(({ heading, entries: ofDay }) =>
    ofDay.map((entry, index) => ({ entry, heading, isFirstOfDay: index === 0 })),
  );

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

/** The row that a key moves the focus to, or null. */
export function rowToFocus(key: string, from: number, count: number): number | null {
  const steps: Partial<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    Home: 0,
    End: count - 1,
  };
  const target = steps[key];
  return target !== undefined && target >= 0 && target < count ? target : null;
}

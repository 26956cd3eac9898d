import type { HistoryThread } from '@engram/contract';
import { groupByDay } from './group-by-day.ts';

export interface DayRow {
  kind: 'day';
  key: string;
  heading: string;
}

export interface EntryRow {
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

import type { EntryRow, HistoryRow } from './history-rows.ts';

/** A row in sight, and where it begins. */
interface Item {
  index: number;
  start: number;
}

export interface VisibleDay {
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

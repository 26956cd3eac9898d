import type { HistoryRow } from './history-rows.ts';

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

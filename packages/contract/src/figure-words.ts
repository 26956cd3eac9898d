import type { ComputedFigure } from './search.ts';

const NAMES: Readonly<Record<ComputedFigure['operation'], string>> = {
  sum: 'Sum',
  count: 'Count',
  average: 'Average',
  largest: 'Largest',
  smallest: 'Smallest',
  difference: 'Difference',
};

/** What a figure was computed from, such as 'Sum of 12 rows'; what is counted may be files as well. */
export function figureWords({ operation, rows }: ComputedFigure): string {
  const noun = operation === 'count' ? ['entry', 'entries'] : ['row', 'rows'];
  return `${NAMES[operation]} of ${rows.toLocaleString('en-US')} ${rows === 1 ? noun[0] : noun[1]}`;
}

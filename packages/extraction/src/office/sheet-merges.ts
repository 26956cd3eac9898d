/** A range of cells, counted from 0, both ends included. */
interface CellRange {
  s: { r: number; c: number };
  e: { r: number; c: number };
}

/** Merges looked at, rows and columns that one covers, and cells filled in of one sheet at most. */
const MAX_MERGES = 20_000;
const MAX_ROWS = 2000;
const MAX_COLUMNS = 200;
const MAX_FILLED = 200_000;
/** What is longer stands for itself and is not said in each row again. */
const MAX_LENGTH = 120;

/** Applies merged cells: names to all their columns, values to all their rows. */
export function readMerges(
  merges: readonly CellRange[],
  textAt: (row: number, column: number) => string,
) {
  const down = new Map<number, [column: number, text: string][]>();
  const across = new Map<number, { from: number; to: number }[]>();
  let filled = 0;
  for (const { s: start, e: end } of merges.slice(0, MAX_MERGES)) {
    if (end.c > start.c) {
      const spans = across.get(start.r) ?? [];
      spans.push({ from: start.c, to: Math.min(end.c, start.c + MAX_COLUMNS) });
      across.set(start.r, spans);
      continue;
    }
    const text = textAt(start.r, start.c);
    if (text === '' || text.length > MAX_LENGTH) continue;
    for (let row = start.r + 1; row <= Math.min(end.r, start.r + MAX_ROWS); row += 1) {
      if ((filled += 1) > MAX_FILLED) break;
      const known = down.get(row);
      if (known === undefined) down.set(row, [[start.c, text]]);
      else known.push([start.c, text]);
    }
  }
  return {
    /** Adds to a row the values of cells above it that were merged down over it. */
    fill(row: number, cells: string[]): string[] {
      for (const [column, text] of down.get(row) ?? []) {
        while (cells.length < column) cells.push('');
        if ((cells[column] ?? '') === '') cells[column] = text;
      }
      return cells;
    },
    /** The columns that merged cells of a row span, or null without any. */
    band: (row: number) => across.get(row) ?? null,
  };
}

/** The names of columns below a band: '2024' over 'Q1' names its column '2024 Q1'. */
export function joinNames(above: readonly string[], below: readonly string[]): string[] {
  const columns = Math.max(above.length, below.length);
  return Array.from({ length: columns }, (_, at) => {
    const [band = '', name = ''] = [above[at], below[at]];
    return band === name || band === '' ? name : `${band} ${name}`.trim();
  });
}

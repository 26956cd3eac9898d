import type { ArtifactSegment } from './api.ts';
import { parseRows, type Cell } from './table-rows.ts';

/** A row of a sheet as it is shown. */
export interface SheetRow {
  /** The row's number in the sheet, counted from 1; null for the heading of a table. */
  number: number | null;
  /** Offsets in the whole text. */
  start: number;
  end: number;
  names: readonly string[] | null;
  isHeader: boolean;
  /** Offsets in the whole text. */
  cells: readonly Cell[];
}

/** The rows that stretches of text belong to, with the cells in them; a long row is put together. */
export function sheetRows(text: string, segments: readonly ArtifactSegment[]): SheetRow[] {
  const rows: { start: number; end: number; number: number; heading: boolean }[] = [];
  for (const { start, end, kind, location } of segments) {
    if (!('row' in location)) continue;
    const number = Number(location.row);
    const heading = kind === 'heading';
    const last = rows.at(-1);
    const goesOn = last?.number === number && !last.heading && !heading;
    // A sheet and its one table often have the same name.
    if (heading && last?.heading && text.slice(last.start, last.end) === text.slice(start, end)) {
      last.end = end;
      last.start = start;
    } else if (goesOn && !text.slice(last.end, start).includes('\n')) last.end = end;
    else rows.push({ start, end, number, heading });
  }
  const tables = rows.filter(({ heading }) => !heading);
  const parsed = parseRows(tables.map(({ start, end }) => text.slice(start, end)));
  let at = 0;
  return rows.map(({ start, end, number, heading }) => {
    const row = heading ? undefined : parsed[at++];
    return {
      number: heading ? null : number,
      start,
      end,
      names: row?.names ?? null,
      isHeader: row?.isHeader ?? false,
      cells: (row?.cells ?? []).map((cell) => ({
        column: cell.column,
        start: start + cell.start,
        end: start + cell.end,
      })),
    };
  });
}

export interface SheetColumns {
  /** Whether any row has something before its first named column. */
  lead: boolean;
  /** Width of each column, the lead one first, in characters. */
  widths: number[];
}

const NARROWEST = 6;
const WIDEST = 36;

/** The columns that rows need so that all of them line up. */
export function columnsOf(rows: readonly SheetRow[]): SheetColumns {
  const lead = rows.some(({ cells }) => cells.some(({ column }) => column === -1));
  const widths: number[] = [];
  const widen = (column: number, length: number): void => {
    const at = column + (lead ? 1 : 0);
    while (widths.length <= at) widths.push(NARROWEST);
    widths[at] = Math.max(widths[at]!, Math.min(length, WIDEST));
  };
  for (const { names, cells } of rows) {
    for (const { column, start, end } of cells) widen(column, end - start);
    names?.forEach((name, column) => widen(column, name.length));
  }
  return { lead, widths };
}

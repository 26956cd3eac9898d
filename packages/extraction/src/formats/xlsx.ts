import { read as readWorkbook, SSF } from '@e965/xlsx';
import type { CellObject, WorkSheet } from '@e965/xlsx';
import type { Format, FormatInput } from '../format.ts';
import { damaged, noteOnlyPictures, readOfficeParts, repack } from '../office-zip.ts';
import { joinNames, readMerges } from '../sheet-merges.ts';
import { createTableWriter } from '../tables.ts';
import type { TextBuilder } from '../text-builder.ts';
import { cleanTitle } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

/** Columns read of a row at most. */
const MAX_COLUMNS = 1000;

/** Excel workbooks: a segment a row, values as the sheet shows them. */
export const xlsx: Format = { type: 'xlsx', read };

function read({ bytes, builder, onProgress }: FormatInput): Extraction {
  const parts = readOfficeParts(
    bytes,
    (path) => !/^xl\/(?:media|embeddings|drawings)\//.test(path),
  );
  if (![...parts.keys()].some((path) => /^xl\/workbook\.(?:xml|bin)$/i.test(path))) throw damaged();
  const workbook = openWorkbook(repack(parts));
  const names = workbook.SheetNames;
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  for (const [at, name] of names.entries()) {
    const sheet = workbook.Sheets[name];
    if (sheet !== undefined && !builder.full) writeSheet(name, sheet, date1904, builder);
    onProgress(Math.round(((at + 1) / names.length) * 100));
  }
  noteOnlyPictures(bytes, builder);
  return builder.finish({ title: cleanTitle(workbook.Props?.Title), parts: names.length });
}

function openWorkbook(bytes: Uint8Array): ReturnType<typeof readWorkbook> {
  try {
    return readWorkbook(bytes, { type: 'array', dense: true, cellNF: true, dateNF: 'yyyy-mm-dd' });
  } catch (error) {
    throw damaged(error);
  }
}

/** @param date1904 whether the workbook counts days from 1904, as old ones of the Mac do */
function writeSheet(name: string, sheet: WorkSheet, date1904: boolean, builder: TextBuilder): void {
  const rows = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  const textOf = (cell: CellObject | undefined): string => cellText(cell, date1904);
  // Sheets are sparse: a row far below has an entry, and those above it that are blank have none.
  const present = Object.keys(rows).map(Number);
  if (!present.some((at) => rows[at]?.some((cell) => textOf(cell) !== ''))) return;
  builder.heading(1, name, { sheet: name, row: 1 });
  const writer = createTableWriter(builder, (row) => ({ sheet: name, row }), 2);
  const merges = readMerges(sheet['!merges'] ?? [], (row, column) => textOf(rows[row]?.[column]));
  let names: string[] | null = null;
  let wide = false;
  for (const [index, at] of present.entries()) {
    if (builder.full) break;
    // A gap ends a table, as a blank row does.
    if (index > 0 && present[index - 1] !== at - 1) writer.row({ row: at, cells: [] });
    const row = rows[at] ?? [];
    wide ||= row.length > MAX_COLUMNS;
    const cells = merges.fill(at, Array.from(row.slice(0, MAX_COLUMNS), textOf));
    const spans = merges.band(at);
    const band = spans !== null && isBand(cells, spans);
    const named: string[] =
      names === null ? cells : joinNames(names, band ? spread(cells, spans) : cells);
    writer.row({ row: at + 1, cells, band, ...(names === null ? {} : { names: named }) });
    names = band ? (names === null ? spread(cells, spans) : named) : null;
  }
  writer.end();
  if (wide)
    builder.note(`Only the first ${MAX_COLUMNS.toLocaleString('en-US')} columns were read.`);
}

/** A title stands across all columns; names of groups of columns stand beside each other. */
function isBand(cells: string[], spans: readonly { from: number; to: number }[]): boolean {
  const texts = cells.filter((cell) => cell !== '').length;
  return texts > 1 || spans.some(({ from }) => from > 0 && (cells[from] ?? '') !== '');
}

/** A row with each name over all the columns that its cell covers. */
function spread(cells: string[], spans: readonly { from: number; to: number }[]): string[] {
  const names = [...cells];
  for (const { from, to } of spans) {
    while (names.length <= to) names.push('');
    names.fill(cells[from] ?? '', from, to + 1);
  }
  return names;
}

/** A cell as the sheet shows it: dates, money and formulas by their formatted value. */
function cellText(cell: CellObject | undefined, date1904: boolean): string {
  if (cell === undefined || cell === null || cell.t === 'z') return '';
  const shown =
    numberText(cell, date1904) ??
    cell.w ??
    (cell.v === undefined || cell.v === null ? '' : String(cell.v));
  // A column too narrow for its number shows hashes on screen; the value is what was meant.
  const text = /^#+$/.test(shown) && cell.v !== undefined ? String(cell.v) : shown;
  const comments = Array.isArray(cell.c) ? cell.c.map(({ t }) => t ?? '').join(' ') : '';
  return comments.trim() === '' ? text : `${text} (comment: ${comments})`;
}

/** Parts of a number format that stand for themselves, and dots but those of parts of a second. */
const LITERAL_OR_DOT = /("[^"]*"|\[[^[\]]*\]|[\\_*].)|\.(?!0)/g;

/**
 * A number that the workbook's reader does not show as the sheet does: a long whole one, such as an
 * article's, or a date with bare dots, which it takes for a fault. Null for all others.
 */
function numberText({ t, v, w, z }: CellObject, date1904: boolean): string | null {
  if (t !== 'n' || typeof v !== 'number') return null;
  if (z === 'General' && Number.isSafeInteger(v)) return String(v);
  if (w !== undefined || typeof z !== 'string') return null;
  try {
    const format = z.replace(LITERAL_OR_DOT, (_, literal?: string) => literal ?? '\\.');
    return String(SSF.format(format, v, { date1904 })) || null;
  } catch {
    return null;
  }
}

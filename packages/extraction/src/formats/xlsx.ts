import { read as readWorkbook } from '@e965/xlsx';
import type { CellObject, WorkSheet } from '@e965/xlsx';
import type { Format, FormatInput } from '../format.ts';
import { damaged, readOfficeParts, repack } from '../office-zip.ts';
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
  for (const [at, name] of names.entries()) {
    const sheet = workbook.Sheets[name];
    if (sheet !== undefined && !builder.full) writeSheet(name, sheet, builder);
    onProgress(Math.round(((at + 1) / names.length) * 100));
  }
  return builder.finish({ title: cleanTitle(workbook.Props?.Title), parts: names.length });
}

function openWorkbook(bytes: Uint8Array): ReturnType<typeof readWorkbook> {
  try {
    return readWorkbook(bytes, { type: 'array', dense: true, dateNF: 'yyyy-mm-dd' });
  } catch (error) {
    throw damaged(error);
  }
}

function writeSheet(name: string, sheet: WorkSheet, builder: TextBuilder): void {
  const rows = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  if (!rows.some((row) => row?.some((cell) => cellText(cell) !== ''))) return;
  builder.heading(1, name, { sheet: name, row: 1 });
  const writer = createTableWriter(builder, (row) => ({ sheet: name, row }), 2);
  // Sheets are sparse: rows without cells have no entry, and end a table all the same.
  for (let at = 0; at < rows.length && !builder.full; at += 1) {
    const cells = Array.from(rows[at]?.slice(0, MAX_COLUMNS) ?? [], cellText);
    writer.row({ row: at + 1, cells });
  }
  writer.end();
}

/** A cell as the sheet shows it: dates, money and formulas by their formatted value. */
function cellText(cell: CellObject | undefined): string {
  if (cell === undefined || cell === null || cell.t === 'z') return '';
  const shown = cell.w ?? (cell.v === undefined || cell.v === null ? '' : String(cell.v));
  // A column too narrow for its number shows hashes on screen; the value is what was meant.
  const text = /^#+$/.test(shown) && cell.v !== undefined ? String(cell.v) : shown;
  const comments = Array.isArray(cell.c) ? cell.c.map(({ t }) => t ?? '').join(' ') : '';
  return comments.trim() === '' ? text : `${text} (comment: ${comments})`;
}

import {
  type CellObject,
  type Range,
  read as readWorkbook,
  set_cptable,
  SSF,
  type WorkSheet,
} from '@e965/xlsx';
import { viewOf } from '../bytes.ts';
import { oldProtection, openCompoundFile, summaryTitle } from './compound-file.ts';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import type { FormatInput } from '../format.ts';
import { MAX_COLUMNS } from '../limits.ts';
import { attribute, children, descendant, descendants, localName } from '../html/markup.ts';
import {
  damaged,
  type OfficeParts,
  partText,
  partXml,
  readOfficeParts,
  relations,
  repack,
} from './zip-package.ts';
import { createTableWriter } from '../text/tables.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { boundDepth } from '../html/markup-depth.ts';

/** Excel and OpenDocument workbooks: a segment for each row, values as displayed. */
export async function read(input: FormatInput): Promise<Extraction> {
  if (input.type === 'ods') return readOds(input);
  return input.type === 'xls' ? readXls(input) : readXlsx(input);
}

type Workbook = ReturnType<typeof readWorkbook>;

async function readXlsx(input: FormatInput): Promise<Extraction> {
  const { bytes, builder } = input;
  const parts = readOfficeParts(bytes, (path) => !/^xl\/(?:media|embeddings)\//.test(path));
  if (![...parts.keys()].some((path) => /^xl\/workbook\.(?:xml|bin)$/i.test(path))) throw damaged();
  const pictures = await openEmbeddedPictures(input);
  const cells = [...parts].filter(([path]) => !path.startsWith('xl/drawings/'));
  const workbook = openWorkbook(repack(new Map(cells)));
  writeSheets(workbook, input, sheetPictures(parts, pictures));
  pictures.end();
  return builder.finish({ title: titleOf(workbook), parts: workbook.SheetNames.length });
}

const titleOf = ({ Props }: Workbook): string | null => cleanTitle(Props?.Title);

/** Passes only the cell stream to the library, because the container may be broken. */
async function readXls(input: FormatInput): Promise<Extraction> {
  const file = openCompoundFile(input.bytes);
  const stream = file?.stream('Workbook') ?? file?.stream('Book') ?? null;
  if (file === null || stream === null || stream.bytes.length < 4) throw damaged();
  if (hasPassword(stream.bytes)) {
    throw oldProtection();
  }
  // Excel 95 and older use code pages.
  set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  const workbook = openWorkbook(stream.bytes);
  writeSheets(workbook, input);
  if (!stream.complete) {
    input.builder.note('This workbook is damaged or incomplete. Engram read what it could.');
  }
  return input.builder.finish({
    title: cleanTitle(summaryTitle(file)),
    parts: workbook.SheetNames.length,
  });
}

/** The encryption record ([MS-XLS] 2.4.117). */
const FILE_PASS = 0x2f;
const END_OF_PART = 0x0a;

function hasPassword(stream: Uint8Array): boolean {
  const view = viewOf(stream);
  for (let pos = 0; pos + 4 <= stream.length; pos += 4 + view.getUint16(pos + 2, true)) {
    const type = view.getUint16(pos, true);
    if (type === FILE_PASS) return true;
    if (type === END_OF_PART) return false;
  }
  return false;
}

/** Opens a workbook. Throws {@link ExtractionError}. */
function openWorkbook(bytes: Uint8Array): Workbook {
  try {
    return readWorkbook(bytes, { type: 'array', dense: true, cellNF: true, dateNF: 'yyyy-mm-dd' });
  } catch (error) {
    throw damaged(error);
  }
}

/** Writes all sheets by row. `afterRows` writes other content of a sheet. */
function writeSheets(
  workbook: Workbook,
  { builder, onProgress }: FormatInput,
  afterRows: (sheet: string) => void = () => {},
): void {
  const names = workbook.SheetNames;
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  for (const [index, name] of names.entries()) {
    const sheet = workbook.Sheets[name];
    if (sheet !== undefined && !builder.full) writeSheet(name, sheet, date1904, builder);
    afterRows(name);
    onProgress(Math.round(((index + 1) / names.length) * 100));
  }
}

/** @param date1904 whether the workbook counts days from 1904, as old Mac workbooks do */
function writeSheet(name: string, sheet: WorkSheet, date1904: boolean, builder: TextBuilder): void {
  const rows = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  const textOf = (cell: CellObject | undefined): string => cellText(cell, date1904);
  // Rows are sparse.
  const present = Object.keys(rows).map(Number);
  if (!present.some((rowIndex) => rows[rowIndex]?.some((cell) => textOf(cell) !== ''))) return;
  builder.heading(1, name, { sheet: name, row: 1 });
  const writer = createTableWriter(builder, (row) => ({ sheet: name, row }), 2);
  const merges = readMerges(sheet['!merges'] ?? [], (row, column) => textOf(rows[row]?.[column]));
  let names: string[] | null = null;
  for (const [index, rowIndex] of present.entries()) {
    if (builder.full) break;
    // A gap ends a table like a blank row.
    if (index > 0 && present[index - 1] !== rowIndex - 1) writer.row({ row: rowIndex, cells: [] });
    const row = rows[rowIndex] ?? [];
    // One column too many, so that the table writer notes the cut.
    const cells = merges.fill(rowIndex, Array.from(row.slice(0, MAX_COLUMNS + 1), textOf));
    const spans = merges.band(rowIndex);
    const band = spans !== null && isBand(cells, spans);
    const named: string[] =
      names === null ? cells : joinNames(names, band ? spread(cells, spans) : cells);
    writer.row({ row: rowIndex + 1, cells, band, ...(names === null ? {} : { names: named }) });
    names = band ? (names === null ? spread(cells, spans) : named) : null;
  }
  writer.end();
}

/** Whether a row has names of column groups and not a title. */
function isBand(cells: string[], spans: readonly { from: number; to: number }[]): boolean {
  const texts = cells.filter((cell) => cell !== '').length;
  return texts > 1 || spans.some(({ from }) => from > 0 && (cells[from] ?? '') !== '');
}

function spread(cells: string[], spans: readonly { from: number; to: number }[]): string[] {
  const names = [...cells];
  for (const { from, to } of spans) {
    while (names.length <= to) names.push('');
    names.fill(cells[from] ?? '', from, to + 1);
  }
  return names;
}

/** A cell as displayed. */
function cellText(cell: CellObject | undefined, date1904: boolean): string {
  if (cell === undefined || cell === null || cell.t === 'z') return '';
  const displayed =
    numberText(cell, date1904) ??
    cell.w ??
    (cell.v === undefined || cell.v === null ? '' : String(cell.v));
  // A too narrow column shows hashes.
  const text = /^#+$/.test(displayed) && cell.v !== undefined ? String(cell.v) : displayed;
  const comments = Array.isArray(cell.c) ? cell.c.map(({ t }) => t ?? '').join(' ') : '';
  return comments.trim() === '' ? text : `${text} (comment: ${comments})`;
}

/** Literal parts of a number format, and dots not before fractions of a second. */
const LITERAL_OR_DOT = /("[^"]*"|\[[^[\]]*\]|[\\_*].)|\.(?!0)/g;

/** Formats numbers for which the library is wrong: long integers, and dates with dots. */
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

const WORKBOOK = 'xl/workbook.xml';

function sheetPictures(parts: OfficeParts, pictures: EmbeddedPictures): (sheet: string) => void {
  const paths = sheetPaths(parts);
  return (sheet) => {
    for (const drawing of relations(parts, paths.get(sheet) ?? '').values()) {
      if (drawing.type === 'drawing') writeDrawing(parts, drawing.path, { sheet, pictures });
    }
  };
}

function writeDrawing(
  parts: OfficeParts,
  path: string,
  { sheet, pictures }: { sheet: string; pictures: EmbeddedPictures },
): void {
  const part = partXml(parts, path);
  const root = part === null ? null : descendant(part, 'wsdr');
  if (root === null) return;
  const images = relations(parts, path);
  for (const anchor of children(root)) {
    if (!localName(anchor).endsWith('anchor')) continue;
    // Floating pictures have no row.
    const row = Number(descendant(anchor, 'row')?.textContent ?? 0);
    const location = { sheet, row: Number.isSafeInteger(row) && row >= 0 ? row + 1 : 1 };
    for (const blip of descendants(anchor, 'blip')) {
      pictures.write(images.get(attribute(blip, 'r:embed') ?? '')?.path ?? '', location);
    }
  }
}

function sheetPaths(parts: OfficeParts): Map<string, string> {
  const workbook = partXml(parts, WORKBOOK);
  const targets = relations(parts, WORKBOOK);
  const sheets = workbook === null ? [] : descendants(workbook, 'sheet');
  return new Map(
    sheets.flatMap((sheet) => {
      const target = targets.get(attribute(sheet, 'r:id') ?? '');
      return target === undefined ? [] : [[attribute(sheet, 'name') ?? '', target.path]];
    }),
  );
}

/** Bounds on merges, on their rows and columns, and on filled cells in a sheet. */
const MAX_MERGES = 20_000;
const MAX_MERGED_ROWS = 2000;
const MAX_MERGED_COLUMNS = 200;
const MAX_FILLED = 200_000;
/** Longer values are not repeated in each row. */
const MAX_LENGTH = 120;

/** Applies merged cells: names to all columns, values to all rows. */
function readMerges(merges: readonly Range[], textAt: (row: number, column: number) => string) {
  const down = new Map<number, [column: number, text: string][]>();
  const across = new Map<number, { from: number; to: number }[]>();
  let filled = 0;
  for (const { s: start, e: end } of merges.slice(0, MAX_MERGES)) {
    if (end.c > start.c) {
      const spans = across.get(start.r) ?? [];
      spans.push({ from: start.c, to: Math.min(end.c, start.c + MAX_MERGED_COLUMNS) });
      across.set(start.r, spans);
      continue;
    }
    const text = textAt(start.r, start.c);
    if (text === '' || text.length > MAX_LENGTH) continue;
    for (let row = start.r + 1; row <= Math.min(end.r, start.r + MAX_MERGED_ROWS); row += 1) {
      if ((filled += 1) > MAX_FILLED) break;
      const known = down.get(row);
      if (known === undefined) down.set(row, [[start.c, text]]);
      else known.push([start.c, text]);
    }
  }
  return {
    /** Adds values that are merged down from above. */
    fill(row: number, cells: string[]): string[] {
      for (const [column, text] of down.get(row) ?? []) {
        while (cells.length < column) cells.push('');
        if ((cells[column] ?? '') === '') cells[column] = text;
      }
      return cells;
    },
    /** Column spans of merged cells in a row, or null. */
    band: (row: number) => across.get(row) ?? null,
  };
}

/** Joins column names with the group above: '2024' and 'Q1' to '2024 Q1'. */
function joinNames(above: readonly string[], below: readonly string[]): string[] {
  const columns = Math.max(above.length, below.length);
  return Array.from({ length: columns }, (_, index) => {
    const [band = '', name = ''] = [above[index], below[index]];
    return band === name || band === '' ? name : `${band} ${name}`.trim();
  });
}

const CONTENT = 'content.xml';

function readOds(input: FormatInput): Extraction {
  const { bytes, builder } = input;
  const parts = readOfficeParts(bytes, (path) =>
    /^(?:mimetype|(?:content|styles|meta)\.xml|META-INF\/manifest\.xml)$/.test(path),
  );
  const content = partText(parts, CONTENT);
  // The library accepts any text as a sheet.
  if (content === null || !/<(?:\w+:)?document-content\b/.test(content)) throw damaged();
  const { xml, isCut } = boundRepeats(boundDepth(content, { xml: true }));
  if (isCut) builder.note('Cells that repeat without an end were read once.');
  parts.set(CONTENT, new TextEncoder().encode(xml));
  // The library requires styles.
  if (!parts.has('styles.xml')) parts.set('styles.xml', new TextEncoder().encode('<styles/>'));
  const workbook = openWorkbook(repack(parts));
  writeSheets(workbook, input);
  return builder.finish({ title: titleOf(workbook), parts: workbook.SheetNames.length });
}

const MAX_REPEATED = 500_000;

const TAG = /<(?:\w+:)?table-(row|cell)\b[^<>]*>/g;
const REPEATED = /\bnumber-(?:rows|columns)-repeated="(\d+)"/;
/** A row ends at its end tag or the next row. */
const NEXT_ROW = /<\/?(?:\w+:)?table-row\b/g;
/** Values of other types, for which the library rejects the workbook. */
const OTHER_VALUE =
  /\boffice:value-type="(?!(?:float|percentage|currency|date|time|boolean|string)")[^"<>]*"/g;

/** Bounds repeated cells, which can expand to more than any memory. Blank ones stay. */
function boundRepeats(content: string): { xml: string; isCut: boolean } {
  let budget = MAX_REPEATED;
  let isCut = false;
  let rows = 1;
  const spend = (cells: number): boolean => {
    if (cells > budget) {
      isCut = true;
      return false;
    }
    budget -= cells;
    return true;
  };
  const source = content.replace(OTHER_VALUE, '');
  const bounded = source.replace(TAG, (tag, kind: string, offset: number) => {
    const count = Number(REPEATED.exec(tag)?.[1] ?? '1');
    if (kind === 'row') {
      rows = 1;
      if (count <= 1 || tag.endsWith('/>')) return tag;
      const cells = filledCells(source, offset + tag.length);
      if (cells === 0) return tag;
      if (!spend(cells * count)) return setRepeat(tag, 1);
      rows = count;
      return tag;
    }
    if (count <= 1 || tag.endsWith('/>')) return tag;
    // Cells of a repeated row are counted with the row.
    const columns = Math.min(count, MAX_COLUMNS);
    return rows === 1 && !spend(columns) ? setRepeat(tag, 1) : setRepeat(tag, columns);
  });
  return { xml: bounded, isCut };
}

const setRepeat = (tag: string, count: number): string =>
  tag.replace(REPEATED, (attribute, old: string) => attribute.replace(old, String(count)));

function filledCells(source: string, start: number): number {
  NEXT_ROW.lastIndex = start;
  const end = NEXT_ROW.exec(source)?.index ?? source.length;
  let cells = 0;
  for (const [tag, kind] of source.slice(start, end).matchAll(TAG)) {
    if (kind === 'cell' && !tag.endsWith('/>')) {
      cells += Math.min(Number(REPEATED.exec(tag)?.[1] ?? '1'), MAX_COLUMNS);
    }
  }
  return cells;
}

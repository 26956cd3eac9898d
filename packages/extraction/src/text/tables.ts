import { MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROW_LENGTH } from '../limits.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Location } from '../types.ts';

interface TableRow {
  row: number;
  cells: string[];
  /** Whether the row names groups of columns above the header. */
  band?: boolean;
  /** Column names if this is the header, including bands above. */
  names?: string[];
}

/** Rows below a header that confirm it. */
const ROWS_TO_JUDGE = 4;
const ROWS_TO_JUDGE_WHOLE = 100;
/** Maximum rows buffered until a header is found. */
const MAX_BUFFERED_ROWS = 1000;
const MAX_NAME_LENGTH = 120;
const MAX_TITLE_ROWS = 2;

/**
 * Writes self-contained rows: 'Name: Ada · City: London'. Finds the header row, makes a line
 * above it a heading, and starts another table after a blank row.
 */
export function createTableWriter(
  builder: TextBuilder,
  locate: (row: number) => Location | undefined,
  headingLevel: number,
) {
  let names: string[] | null = null;
  let last: string[] | null = null;
  let buffered: TableRow[] | null = [];
  let multiCellRows = 0;

  const write = ({ row, cells }: TableRow): void => {
    builder.block('table', boundedRowText(names, cells, builder), locate(row));
    if (filled(cells) > 1) last = cells;
  };

  const decide = (): void => {
    const rows = buffered ?? [];
    buffered = null;
    const headerIndex = rows.findIndex((row) => filled(row.cells) > 1 && row.band !== true);
    const [header, ...body] = headerIndex === -1 ? [] : rows.slice(headerIndex);
    const below = body.map((row) => row.cells);
    const titled = header?.names ?? header?.cells ?? [];
    const named = header !== undefined && looksLikeHeader(titled, below, last !== null);
    if (!named && header !== undefined && !continuesTable(header.cells, last, names)) names = null;
    const titles = headerIndex === -1 ? rows : rows.slice(0, headerIndex);
    for (const [index, { row, cells }] of titles.entries()) {
      const text = boundedRowText(null, cells, builder);
      const heads =
        header !== undefined && index >= titles.length - MAX_TITLE_ROWS && filled(cells) === 1;
      if (heads && text.length <= MAX_NAME_LENGTH) builder.heading(headingLevel, text, locate(row));
      else builder.block('table', text, locate(row));
    }
    if (header === undefined) return;
    if (named) {
      names = null;
      write(header);
      names = titled.map(oneLine);
    } else write(header);
    for (const row of body) write(row);
  };

  return {
    row(source: TableRow): void {
      const row = { ...source, cells: boundCells(source.cells, builder) };
      if (filled(row.cells) > 0) {
        if (buffered === null) write(row);
        else {
          buffered.push(row);
          if (filled(row.cells) > 1) multiCellRows += 1;
          if (multiCellRows > ROWS_TO_JUDGE || buffered.length > MAX_BUFFERED_ROWS) decide();
        }
      } else if (!isOnlyTitles(buffered) && !isLoneHeader(buffered)) {
        if (buffered !== null) decide();
        buffered = [];
        multiCellRows = 0;
      }
    },
    end(): void {
      if (buffered !== null) decide();
    },
  };
}

function isOnlyTitles(rows: TableRow[] | null): boolean {
  return (
    rows !== null && rows.length <= MAX_TITLE_ROWS && rows.every(({ cells }) => filled(cells) <= 1)
  );
}

/** Whether a row after a blank one continues the table, by its values. */
function continuesTable(cells: string[], last: string[] | null, names: string[] | null): boolean {
  if (last === null || names === null) return false;
  return cells.every((cell, index) => {
    if (cell.trim() === '') return true;
    const above = last[index] ?? '';
    return (names[index] ?? '') !== '' && (above === '' || isValue(above) === isValue(cell));
  });
}

/** Whether a header is followed by a blank row. */
function isLoneHeader(list: TableRow[] | null): boolean {
  const rows = list?.filter(({ cells }) => filled(cells) > 1) ?? [];
  const [row] = rows;
  return (
    rows.length === 1 && row === list?.at(-1) && row?.cells.every((cell) => !isValue(cell)) === true
  );
}

/** Writes a whole table. `strict` requires a value below a name of the first row. */
export function writeRows(
  rows: readonly string[][],
  builder: TextBuilder,
  { location, strict = false }: { location?: Location; strict?: boolean } = {},
): void {
  const [first, ...below] = rows.map((cells) => boundCells(cells, builder));
  if (first === undefined) return;
  const named = looksLikeHeader(first, below.slice(0, ROWS_TO_JUDGE_WHOLE), strict);
  const write = (cells: string[], names: string[] | null, isHeader = false): void => {
    const block = (): void =>
      builder.block('table', boundedRowText(names, cells, builder), location);
    builder.html?.row(cells, isHeader);
    if (builder.html === null) block();
    else builder.html.silently(block);
  };
  write(first, null, named);
  for (const cells of below) write(cells, named ? first : null);
}

export type Notes = Pick<TextBuilder, 'note'>;

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Bounds the number and length of cells. Notes each cut. */
export function boundCells(cells: string[], notes: Notes): string[] {
  if (cells.length > MAX_COLUMNS) {
    notes.note(`Only the first ${formatCount(MAX_COLUMNS)} columns were read.`);
  }
  return cells.slice(0, MAX_COLUMNS).map((cell) => {
    if (cell.length <= MAX_CELL_LENGTH) return cell;
    notes.note(`Only the first ${formatCount(MAX_CELL_LENGTH)} characters of a cell were read.`);
    return cell.slice(0, MAX_CELL_LENGTH).toWellFormed();
  });
}

/** {@link rowText} with bounded length. Notes a cut. */
export function boundedRowText(names: string[] | null, cells: string[], notes: Notes): string {
  const text = rowText(names, cells);
  if (text.length <= MAX_ROW_LENGTH) return text;
  notes.note(`Only the first ${formatCount(MAX_ROW_LENGTH)} characters of a row were read.`);
  return text.slice(0, MAX_ROW_LENGTH).toWellFormed();
}

/** A row as 'Name: Ada · City: London', or its values without column names. */
export function rowText(names: string[] | null, cells: string[]): string {
  const parts: string[] = [];
  for (let index = 0; index < cells.length; index += 1) {
    const value = oneLine(cells[index] ?? '');
    if (value === '') continue;
    const name = names?.[index] ?? '';
    parts.push(name === '' || name.length > MAX_NAME_LENGTH ? value : `${nameOf(name)}: ${value}`);
  }
  return parts.join(' · ').replaceAll(': · ', ': ');
}

/** Whether `cells` are column names. `strict` requires a value below one of them. */
export function looksLikeHeader(cells: string[], below: string[][], strict: boolean): boolean {
  const names = cells.map(oneLine).filter((name) => name !== '');
  if (names.length < 2 || below.length === 0) return false;
  if (new Set(names).size !== names.length) return false;
  if (names.some((name) => name.length > MAX_NAME_LENGTH || (isValue(name) && !isYear(name)))) {
    return false;
  }
  if (names.every(isYear) && oneLine(cells[0] ?? '') !== '') return false;
  if (strict) {
    return cells.some((name, i) => name !== '' && below.some((row) => isValue(row[i] ?? '')));
  }
  const widest = below.reduce((max, row) => Math.max(max, filled(row)), 0);
  return names.length >= Math.min(widest, 2) && names.length >= widest / 2;
}

function filled(cells: string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

function nameOf(name: string): string {
  return name.endsWith(':') ? name.slice(0, -1).trimEnd() : name;
}

const MORE_THAN_SPACES = /[^\S ]| {2}/u;

function oneLine(cell: string): string {
  return MORE_THAN_SPACES.test(cell) ? cell.replace(/\s+/gu, ' ').trim() : cell.trim();
}

function isValue(text: string): boolean {
  return /^[-+(=~<>]?\s?\p{Sc}?\s?[-+]?\d[\d.,:/\s'%)\p{Sc}-]*(?:e[+-]?\d+)?$/iu.test(text.trim());
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text);
}

import { alternatives } from '../languages/index.ts';
import type { SourceDocument } from '../types.ts';
import { decimalIn, typeColumn } from './cells.ts';
import type { DocumentKind, RecordTable } from '../documents/document.ts';
import { languagesWithEnglish } from '../documents/document-head.ts';
import {
  cellsOf,
  type Field,
  fieldOf,
  type RawRow,
  type RawTable,
  tablesIn,
} from './table-rows.ts';
import { linesIn } from '../documents/lines.ts';

interface RecordOptions {
  artifactId: string;
  fileName: string;
  kind: DocumentKind | null;
  language: string | null;
}

const MAX = { tables: 200, rows: 20_000, characters: 2_000_000 } as const;

/** First words of rows with sums and of rows with a carried balance. */
const [SUM, BALANCE] = (['sums', 'balances'] as const).map(
  (name) =>
    new RegExp(
      String.raw`^(?:${alternatives(({ documents }) => documents?.[name])})(?!\p{L})`,
      'iu',
    ),
) as [RegExp, RegExp];
/** Maximum length of such a cell, and of a column's name. */
const SHORT = 40;
const MAX_NAME_LENGTH = 80;

/**
 * The tables of a document as typed records, then its fields, in linear time. Rows with sums are left
 * out. A document above the limits has none, because totals over some of its rows would be wrong.
 */
export function recordsOf(document: SourceDocument, options: RecordOptions): RecordTable[] {
  const { artifactId, fileName, kind, language } = options;
  const languages = languagesWithEnglish(language);
  const tables = boundedTables(document)
    .map((raw) => ({ ...raw, rows: raw.rows.filter((row) => !sumsUp(row)) }))
    .filter(({ rows }) => rows.length > 0)
    .map((raw) => ({ fields: false, ...typed(raw, languages) }));
  const fields = fieldsOf(document, { kind, languages });
  const records = fields === null ? tables : [...tables, fields];
  return records.map((table, ordinal) => ({ artifactId, fileName, ordinal, ...table }));
}

function boundedTables(document: SourceDocument): RawTable[] {
  const tables: RawTable[] = [];
  let [rows, characters] = [0, 0];
  for (const table of tablesIn(document)) {
    tables.push(table);
    rows += table.rows.length;
    characters += table.rows.reduce((sum, { cells }) => sum + cells.join('').length, 0);
    if (tables.length > MAX.tables || rows > MAX.rows || characters > MAX.characters) return [];
  }
  return tables;
}

/** Whether a row is a sum. After a date it is a name. */
function sumsUp({ cells }: RawRow): boolean {
  const words = cells.filter((cell) => /\p{L}/u.test(cell) && cell.length <= SHORT);
  const isDated = /^\d{1,4}[-./]\d/u.test(cells[0] ?? '');
  return words.some((cell) => BALANCE.test(cell)) || (!isDated && SUM.test(words[0] ?? ''));
}

function typed(
  { name, names, rows }: RawTable,
  languages: readonly string[],
): Pick<RecordTable, 'name' | 'columns' | 'rows'> {
  const columns = names.map((column, index) => ({
    name: column.slice(0, MAX_NAME_LENGTH).toWellFormed(),
    cells: rows.map(({ cells }) => cells[index] ?? ''),
  }));
  const decimal = decimalIn(columns);
  const typedColumns = columns.map((column) => typeColumn(column, decimal, languages));
  return {
    name,
    columns: typedColumns.map(({ column }) => column),
    rows: rows.map(({ start, end }, i) => ({
      cells: typedColumns.map(({ values }) => values[i] ?? null),
      start,
      end,
    })),
  };
}

/** Tables with fewer named columns are not comparable. */
const SHARED_COLUMNS = 3;

/** Key of tables with the same kind of rows, or null for a unique table. */
export function shapeOf({ fields, name, columns }: Omit<RecordTable, 'rows'>): string | null {
  if (fields) return `fields ${name}`;
  if (columns.filter((column) => column.name !== '').length < SHARED_COLUMNS) return null;
  return columns
    .map((column) => `${column.name.normalize('NFKC').toLowerCase().trim()}:${column.type}`)
    .join('\t');
}

const WITH_FIELDS = new Set('invoice payslip receipt statement'.split(' '));

const LIMITS = { characters: 20_000, lines: 400, value: 120, fields: 30 } as const;

/** The labeled values of a document as a one-row table. Null without an amount. */
export function fieldsOf(
  { text }: SourceDocument,
  { kind, languages }: { kind: DocumentKind | null; languages: readonly string[] },
): Pick<RecordTable, 'name' | 'fields' | 'columns' | 'rows'> | null {
  if (kind === null || !WITH_FIELDS.has(kind)) return null;
  const lines = linesIn(text, 0, LIMITS.characters).slice(0, LIMITS.lines);
  const labeled = lines.flatMap((line) => fieldsIn(line.text).map((field) => ({ ...field, line })));
  // The last value of a label is after discounts and taxes.
  const fields = [...new Map(labeled.map((field) => [field.name.toLowerCase(), field])).values()]
    .slice(0, LIMITS.fields)
    .map(({ name, value, line }) => ({
      ...typeColumn({ name, cells: [value] }, null, languages),
      line,
    }));
  const main = fields.findLast(({ column }) => column.type === 'amount');
  if (main === undefined) return null;
  const { start, end } = main.line;
  return {
    name: kind,
    fields: true,
    columns: fields.map(({ column }) => column),
    rows: [{ cells: fields.flatMap(({ values }) => values), start, end }],
  };
}

/** Labeled values of a line: 'Label: value', or a label and a figure in two cells. */
function fieldsIn(line: string): Field[] {
  const cells = cellsOf(line);
  // More cells are a table row.
  if (cells.length > 2) return [];
  const [label = '', figure = ''] = cells;
  const isPair = cells.length === 2 && fieldOf(figure).name === '' && /\d/u.test(figure);
  const fields = isPair ? [{ name: label, value: figure }] : cells.map(fieldOf);
  return fields.filter(({ name, value }) => /\p{L}/u.test(name) && value.length <= LIMITS.value);
}

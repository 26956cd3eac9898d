import { alternatives } from '../languages/index.ts';
import type { SourceDocument } from '../types.ts';
import { decimalIn, typeColumn } from './cells.ts';
import type { DocumentKind, RecordTable } from '../documents/document.ts';
import { languagesWithEnglish } from '../documents/document-head.ts';
import { fieldsOf } from './fields.ts';
import { type RawRow, type RawTable, tablesIn } from './table-rows.ts';

export interface RecordOptions {
  artifactId: string;
  fileName: string;
  kind: DocumentKind | null;
  language: string | null;
}

const MOST = { tables: 200, rows: 20_000, characters: 2_000_000 } as const;

/** The first words of rows that sum up others, and of those that carry a balance over. */
const [SUM, BALANCE] = (['sums', 'balances'] as const).map(
  (name) =>
    new RegExp(
      String.raw`^(?:${alternatives(({ documents }) => documents?.[name])})(?!\p{L})`,
      'iu',
    ),
) as [RegExp, RegExp];
/** What may follow in such a row's first words, and characters of a column's name. */
const SHORT = 40;
const LONGEST_NAME = 80;

/**
 * The tables of a document as typed records, then its fields, in linear time. Rows with sums are left
 * out. A document above the bounds has none, as figures over some of its rows would be wrong.
 */
export function recordsOf(document: SourceDocument, options: RecordOptions): RecordTable[] {
  const { artifactId, fileName, kind, language } = options;
  const languages = languagesWithEnglish(language);
  const tables = boundedTables(document)
    .map((raw) => ({ ...raw, rows: raw.rows.filter((row) => !sumsUp(row)) }))
    .filter(({ rows }) => rows.length > 0)
    .map((raw) => ({ fields: false, ...typed(raw, languages) }));
  const fields = fieldsOf(document, { kind, languages });
  const all = fields === null ? tables : [...tables, fields];
  return all.map((table, ordinal) => ({ artifactId, fileName, ordinal, ...table }));
}

function boundedTables(document: SourceDocument): RawTable[] {
  const tables: RawTable[] = [];
  let [rows, characters] = [0, 0];
  for (const table of tablesIn(document)) {
    tables.push(table);
    rows += table.rows.length;
    characters += table.rows.reduce((sum, { cells }) => sum + cells.join('').length, 0);
    if (tables.length > MOST.tables || rows > MOST.rows || characters > MOST.characters) return [];
  }
  return tables;
}

/** Whether a row's first words say that it sums up others; a day before a sum makes a name of it. */
function sumsUp({ cells }: RawRow): boolean {
  const words = cells.filter((cell) => /\p{L}/u.test(cell) && cell.length <= SHORT);
  const isDated = /^\d{1,4}[-./]\d/u.test(cells[0] ?? '');
  return words.some((cell) => BALANCE.test(cell)) || (!isDated && SUM.test(words[0] ?? ''));
}

function typed(
  { name, names, rows }: RawTable,
  languages: readonly string[],
): Pick<RecordTable, 'name' | 'columns' | 'rows'> {
  const columns = names.map((column, at) => ({
    name: column.slice(0, LONGEST_NAME).toWellFormed(),
    cells: rows.map(({ cells }) => cells[at] ?? ''),
  }));
  const decimal = decimalIn(columns);
  const read = columns.map((column) => typeColumn(column, decimal, languages));
  return {
    name,
    columns: read.map(({ column }) => column),
    rows: rows.map(({ start, end }, i) => ({
      cells: read.map(({ values }) => values[i] ?? null),
      start,
      end,
    })),
  };
}

/** Tables of fewer named columns in different files have little in common. */
const SHARED_COLUMNS = 3;

/** What tables with rows of the same kind have in common; null for a table that is like no other. */
export function shapeOf({ fields, name, columns }: Omit<RecordTable, 'rows'>): string | null {
  if (fields) return `fields ${name}`;
  if (columns.filter((column) => column.name !== '').length < SHARED_COLUMNS) return null;
  return columns
    .map((column) => `${column.name.normalize('NFKC').toLowerCase().trim()}:${column.type}`)
    .join('\t');
}

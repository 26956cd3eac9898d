import type { SourceDocument } from '../types.ts';
import { decimalIn, typeColumn } from './cells.ts';
import type { DocumentKind, RecordRow, RecordTable } from './document.ts';
import { fieldsOf } from './fields.ts';
import { placeOf, tablesIn } from './table-rows.ts';
import type { RawRow, RawTable } from './table-rows.ts';

export interface RecordOptions {
  artifactId: string;
  fileName: string;
  /** What the document is, where that is known. */
  kind: DocumentKind | null;
  /** ISO 639-1; null for a document without text. */
  language: string | null;
}

/** Tables of one document, and the rows and the characters of all their cells. */
const MOST = { tables: 200, rows: 20_000, characters: 2_000_000 } as const;

/** The first words of rows that sum up or carry over what others say, in several languages. */
const SUMMING =
  /^(?:(?:grand |sub-?)?totals?|sum|(?:zwischen|gesamt)?summe|(?:ins)?gesamt(?:betrag)?|sous-total|total général|somme|subtotal|soma|suma|(?:sub)?totale|somma|(?:sub)?totaal|average|mean|durchschnitt|(?:opening |closing )?balance(?: (?:brought|carried) forward)?|(?:brought|carried) forward|(?:anfangs|end|schluss)saldo|saldo (?:anterior|inicial|final)|übertrag|solde (?:initial|final|précédent))(?!\p{L})/iu;
/** What may follow in such a row's first words. */
const SHORT = 40;

/**
 * The tables of a document as typed records, and after them, as a table of one row, the fields of an
 * invoice, a payslip, a receipt or a statement. Rows that sum up others are left out. In time and
 * memory linear in the text. A document with more than 200 tables, 20,000 rows or 2 million characters
 * in them keeps none: a figure over some of its rows would be wrong.
 */
export function recordsOf(document: SourceDocument, options: RecordOptions): RecordTable[] {
  const { artifactId, fileName, kind, language } = options;
  const languages = language === null || language === 'en' ? ['en'] : [language, 'en'];
  const tables = boundedTables(document).flatMap((raw): Omit<RecordTable, 'ordinal'>[] => {
    const rows = raw.rows.filter((row) => !sumsUp(row));
    if (rows.length === 0) return [];
    const own = typed({ ...raw, rows }, document, languages);
    return [{ artifactId, fileName, fields: false, ...withoutSums(own) }];
  });
  const fields = fieldsOf(document, { kind, languages });
  if (fields !== null) tables.push({ artifactId, fileName, ...fields });
  return tables.map((table, ordinal) => ({ ...table, ordinal }));
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

type Typed = Pick<RecordTable, 'name' | 'columns' | 'rows'>;

/** Rows before the last one, from which on a sum of theirs is no chance. */
const FEWEST_SUMMED = 3;

/** Without a last row that no word names a sum, but whose figures are those of the rows before. */
function withoutSums<T extends Typed>(table: T): T {
  const last = table.rows.at(-1);
  const before = table.rows.slice(0, -1);
  if (last === undefined || before.length < FEWEST_SUMMED) return table;
  const figures = table.columns.flatMap(({ type }, at) => {
    const value = last.cells[at];
    return (type === 'amount' || type === 'number') && typeof value === 'number' && value !== 0
      ? [{ at, value }]
      : [];
  });
  const isSum = figures.every(({ at, value }) => {
    const sum = before.reduce((total, { cells }) => total + (Number(cells[at]) || 0), 0);
    return Math.abs(sum - value) < 0.005;
  });
  const filled = ({ cells }: RecordRow): number => cells.filter((cell) => cell !== null).length;
  const isBare = filled(last) < filled(before.at(-1) ?? last);
  return figures.length > 0 && isSum && isBare ? { ...table, rows: before } : table;
}

/** Whether a row's first words say that it sums up others; one that goes on as a name does not. */
function sumsUp({ cells }: RawRow): boolean {
  const words = cells.filter((cell) => /\p{L}/u.test(cell));
  const [first = ''] = words;
  // The words of a balance may stand behind a day, those of a sum do not.
  const summing = words.find((cell) => SUMMING.test(cell));
  if (summing === undefined || summing.length > SHORT) return false;
  if (
    /^(?:opening|closing|balance|brought|carried|anfangs|end|schluss|saldo|übertrag|solde)/iu.test(
      summing,
    )
  )
    return true;
  return summing === first && !/^\d{1,4}[-./]\d/u.test(cells[0] ?? '');
}

function typed(
  { name, names, rows }: RawTable,
  { text }: SourceDocument,
  languages: readonly string[],
): Typed {
  const columns = names.map((column, at) => ({
    name: column.slice(0, SHORT * 2).toWellFormed(),
    cells: rows.map(({ cells }) => cells[at] ?? ''),
  }));
  const decimal = decimalIn(columns);
  const read = columns.map((column) => typeColumn(column, decimal, languages));
  return {
    name,
    columns: read.map(({ column }) => column),
    rows: rows.map((row, i): RecordRow => ({
      cells: read.map(({ values }) => values[i] ?? null),
      ...placeOf(text, row),
      location: row.location,
    })),
  };
}

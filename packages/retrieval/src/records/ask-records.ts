import type { RecordColumn, RecordRow, RecordTable } from '../documents/document.ts';
import type { Citation } from '../types.ts';

export interface RecordQuery {
  /** A table or file name. Tables with the same name are joined. All tables if left out. */
  table?: string | undefined;
  operation: 'list' | 'count' | 'sum' | 'average' | 'largest' | 'smallest';
  column?: string | undefined;
  where?: readonly RecordCondition[] | undefined;
  /** Groups by this column. 'month' and 'year' are those of the rows' date. */
  by?: string | undefined;
}

/** Dates are compared as text, so '2024' matches every day of that year. */
interface RecordCondition {
  column: string;
  is: 'equal' | 'not' | 'contains' | 'from' | 'to' | 'empty';
  value?: string | number | undefined;
}

export type RowPlace = Omit<Citation, 'n' | 'quote'>;

type RecordAnswer = { text: string; rows: RowPlace[] } | { problem: string };

interface Entry {
  table: RecordTable;
  row: RecordRow;
}

const MAX_LISTED = 30;
const MAX_TABLES = 40;
const MAX_COLUMNS = 24;

const key = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Exact names are preferred to names that contain the text. */
const MATCHERS = [
  (name: string, text: string) => key(name) === key(text),
  (name: string, text: string) => key(name).includes(key(text)),
];

function tablesFor(tables: readonly RecordTable[], text = ''): readonly RecordTable[] {
  if (text.trim() === '') return tables;
  const results = MATCHERS.map((matches) =>
    tables.filter(({ name, fileName }) => matches(name, text) || matches(fileName, text)),
  );
  return results.find(({ length }) => length > 0) ?? [];
}

function columnAt({ columns }: RecordTable, text: string): number {
  const indexes = MATCHERS.map((matches) => columns.findIndex(({ name }) => matches(name, text)));
  return indexes.find((index) => index >= 0) ?? -1;
}

const cellOf = ({ table, row }: Entry, column: string): string | number | null =>
  row.cells[columnAt(table, column)] ?? null;

function meets(entry: Entry, { column, is, value }: RecordCondition): boolean {
  const cell = cellOf(entry, column);
  if (is === 'empty') return (cell === null || cell === '') === (value !== 'no');
  if (is === 'not') return !meets(entry, { column, is: 'equal', value });
  if (cell === null || value === undefined) return false;
  if (is === 'contains') return key(String(cell)).includes(key(String(value)));
  const isNumeric = /amount|number/u.test(
    entry.table.columns[columnAt(entry.table, column)]?.type ?? '',
  );
  // Text cannot be compared with numbers.
  if (isNumeric && typeof cell !== 'number') return false;
  const [left, right] = isNumeric
    ? [Number(cell), Number(value)]
    : [key(String(cell)), key(String(value))];
  if (is === 'from') return left >= right;
  if (is === 'equal') return left === right;
  return (typeof left === 'string' ? left.slice(0, String(right).length) : left) <= right;
}

function groupOf(entry: Entry, by: string): string {
  const period = { month: 7, year: 4 }[key(by)];
  if (period === undefined || columnAt(entry.table, by) >= 0)
    return String(cellOf(entry, by) ?? '–');
  const date = entry.table.columns.findIndex(({ type }) => type === 'date');
  return String(entry.row.cells[date] ?? '–').slice(0, period);
}

const sum = (values: readonly number[]): number => values.reduce((acc, value) => acc + value, 0);

const REDUCE: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum,
  average: (values) => sum(values) / values.length,
  largest: (values) => values.reduce((max, value) => Math.max(max, value), -Infinity),
  smallest: (values) => values.reduce((min, value) => Math.min(min, value), Infinity),
};

function queryText({ table, operation, column, where = [], by }: RecordQuery): string {
  const conditions = where.map((condition) =>
    `${condition.column} ${condition.is === 'equal' ? '=' : condition.is} ${condition.value ?? ''}`.trim(),
  );
  return [
    operation,
    column && `of ${column}`,
    table && `in ${table}`,
    conditions.length > 0 && `where ${conditions.join(' and ')}`,
    by && `by ${by}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const rowText = ({ table, row }: Entry): string =>
  `${table.columns.flatMap(({ name }, i) => (row.cells[i] === null ? [] : `${name}: ${row.cells[i]}`)).join('; ')} (${table.fileName})`;

const countText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

export function askRecords(query: RecordQuery, tables: readonly RecordTable[]): RecordAnswer {
  const { table, operation, column, where = [], by } = query;
  const named = tablesFor(tables, table);
  if (named.length === 0) return { problem: `There is no table '${table ?? ''}'.` };
  const columns = [...where.map((w) => w.column), ...(column === undefined ? [] : [column])];
  const fitting = named.filter((t) => columns.every((name) => columnAt(t, name) >= 0));
  if (fitting.length === 0) return { problem: `No table has ${columns.join(' and ')}.` };
  const entries = fitting
    .flatMap((t) => t.rows.map((row): Entry => ({ table: t, row })))
    .filter((entry) => where.every((condition) => meets(entry, condition)));
  const queryWords = queryText(query);
  const groups =
    by === undefined
      ? []
      : [...Map.groupBy(entries, (entry) => groupOf(entry, by))].sort(([a], [b]) =>
          a < b ? -1 : 1,
        );
  if (operation === 'list' || operation === 'count') {
    const lines =
      operation === 'count' && groups.length > 0
        ? groups.map(([name, rows]) => `${name}: ${rows.length}`)
        : entries.map(rowText);
    return answerOf(`${queryWords}: ${countText(entries.length)}`, lines, entries);
  }
  if (column === undefined) return { problem: `Name the column for '${operation}'.` };
  return measure(entries, groups, queryWords, { operation, column });
}

function measure(
  entries: readonly Entry[],
  groups: readonly (readonly [name: string, rows: readonly Entry[]])[],
  queryWords: string,
  { operation, column }: { operation: RecordQuery['operation']; column: string },
): RecordAnswer {
  const numeric = entries.filter((entry) => typeof cellOf(entry, column) === 'number');
  if (numeric.length === 0) return { problem: `${queryWords}: no row has a number there.` };
  const unread = entries
    .map((entry) => cellOf(entry, column))
    .find((cell) => typeof cell === 'string' && /\d/u.test(cell));
  if (unread !== undefined) return { problem: `${queryWords}: '${unread}' cannot be compared.` };
  const units = new Set(
    numeric.map(({ table }) => table.columns[columnAt(table, column)]?.unit ?? ''),
  );
  if (units.size > 1) {
    const names = [...units].map((unit) => unit || 'none').join(', ');
    return {
      problem: `${queryWords}: the rows have different units (${names}). Ask for one table or file.`,
    };
  }
  const reduce = (rows: readonly Entry[]): number => {
    const cells = rows.map((row) => cellOf(row, column)).filter((cell) => typeof cell === 'number');
    return Math.round((REDUCE[operation]?.(cells) ?? 0) * 1e6) / 1e6;
  };
  const withUnit = (value: number): string => [value, ...units].join(' ').trim();
  const value = reduce(numeric);
  const isExtreme = operation === 'largest' || operation === 'smallest';
  const rows = isExtreme ? numeric.filter((entry) => cellOf(entry, column) === value) : numeric;
  const lines = groups
    .map(
      ([name, group]) =>
        [name, group.filter((entry) => typeof cellOf(entry, column) === 'number')] as const,
    )
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => `${name}: ${withUnit(reduce(group))}`);
  const head = `${queryWords}: ${withUnit(value)}, over ${countText(numeric.length)}`;
  return answerOf(head, lines.length > 0 ? lines : rows.map(rowText), rows);
}

function answerOf(head: string, lines: readonly string[], entries: readonly Entry[]): RecordAnswer {
  const listed = lines.slice(0, MAX_LISTED).map((line) => `- ${line}`);
  const more = lines.length - listed.length;
  return {
    text: [head, ...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    rows: entries.map(({ table: { artifactId, fileName }, row: { start, end } }) => ({
      artifactId,
      fileName,
      start,
      end,
    })),
  };
}

const columnText = ({ name, type, unit }: RecordColumn): string =>
  `${name} (${[type, unit].filter(Boolean).join(', ')})`;

/** Describes tables, one per line. Tables with the same name and columns share a line. */
export function describeTables(tables: readonly RecordTable[]): string {
  const groups = Map.groupBy(
    tables,
    ({ name, columns }) => `${key(name)}\n${columns.map((column) => key(column.name)).join('\n')}`,
  );
  const lines = [...groups.values()].map((group) => {
    const [{ name, columns, fileName }] = group as [RecordTable];
    const rows = group.reduce((count, t) => count + t.rows.length, 0);
    const files = group.length === 1 ? fileName : `${group.length} tables`;
    const listed = columns.slice(0, MAX_COLUMNS).map(columnText);
    return `- ${name} (${files}, ${countText(rows)}): ${listed.join('; ')}`;
  });
  return lines.slice(0, MAX_TABLES).join('\n');
}

import type { Computed, Location } from '../types.ts';
import type { RecordColumn, RecordRow, RecordTable } from './document.ts';

/** What is asked of the records of the files. */
export interface RecordQuery {
  /** A table's name or a file's; tables of one name are read as one. Left out: all that have the column. */
  table?: string | undefined;
  operation: 'list' | 'count' | 'sum' | 'average' | 'largest' | 'smallest';
  /** What is summed, averaged or compared; not needed to list or count. */
  column?: string | undefined;
  /** Only rows for which all of this holds. */
  where?: readonly RecordCondition[] | undefined;
  /** A result for each value of this column; 'month' and 'year' are those of the rows' date. */
  by?: string | undefined;
}

/** Dates are compared as YYYY-MM-DD, so that '2024' begins every day of that year. */
export interface RecordCondition {
  column: string;
  is: 'equal' | 'not' | 'contains' | 'from' | 'to' | 'empty';
  value?: string | number | undefined;
}

/** Where a row stands that an answer rests on. */
export interface RowPlace {
  artifactId: string;
  fileName: string;
  location: Location;
  start: number;
  end: number;
}

/** What the records answer, for a reader of `text`; or why they do not. */
export type RecordAnswer =
  { text: string; computed: Computed | null; rows: RowPlace[] } | { problem: string };

interface Entry {
  table: RecordTable;
  row: RecordRow;
}

/** Rows told of one by one, and groups. */
const MOST_LISTED = 30;
/** Tables described, and their columns. */
const MOST_TABLES = 40;
const MOST_COLUMNS = 24;

const key = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

const named = (name: string, asked: string): boolean => key(name) === key(asked);
const holds = (name: string, asked: string): boolean => key(name).includes(key(asked));

/** The tables that are meant: those of just this name, else those whose name or file has it. */
function tablesFor(tables: readonly RecordTable[], asked: string | undefined): RecordTable[] {
  if (asked === undefined || asked.trim() === '') return [...tables];
  for (const test of [named, holds]) {
    const found = tables.filter(({ name, fileName }) => test(name, asked) || test(fileName, asked));
    if (found.length > 0) return found;
  }
  return [];
}

function columnAt(table: RecordTable, asked: string): number {
  const exact = table.columns.findIndex(({ name }) => named(name, asked));
  return exact >= 0 ? exact : table.columns.findIndex(({ name }) => holds(name, asked));
}

const cellOf = ({ table, row }: Entry, column: string): string | number | null =>
  row.cells[columnAt(table, column)] ?? null;

function meets(entry: Entry, { column, is, value }: RecordCondition): boolean {
  const cell = cellOf(entry, column);
  const { table } = entry;
  if (is === 'empty') return (cell === null || cell === '') === (value !== 'no');
  if (cell === null || value === undefined) return is === 'not';
  if (typeof cell === 'number') {
    const number = Number(value);
    if (Number.isNaN(number)) return is === 'not';
    if (is === 'from') return cell >= number;
    if (is === 'to') return cell <= number;
    return is === 'not' ? cell !== number : cell === number;
  }
  const { type } = table.columns[columnAt(table, column)] as RecordColumn;
  // What could not be read as a figure is neither above nor below one.
  if ((type === 'amount' || type === 'number') && is !== 'contains') return is === 'not';
  const [own, other] = [key(cell), key(String(value))];
  switch (is) {
    case 'equal':
      return own === other;
    case 'not':
      return own !== other;
    case 'contains':
      return own.includes(other);
    case 'from':
      return own >= other;
    case 'to':
      return own.slice(0, other.length) <= other;
  }
}

function groupOf(entry: Entry, by: string): string {
  const period = { month: 7, year: 4 }[key(by)];
  if (period === undefined || columnAt(entry.table, by) >= 0)
    return String(cellOf(entry, by) ?? '–');
  const date = entry.table.columns.findIndex(({ type }) => type === 'date');
  return String(entry.row.cells[date] ?? '–').slice(0, period);
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const REDUCE: Readonly<Record<string, (values: readonly number[]) => number>> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  largest: (values) => values.reduce((most, value) => Math.max(most, value), -Infinity),
  smallest: (values) => values.reduce((least, value) => Math.min(least, value), Infinity),
};

/** A query in words, so that what is computed tells of what. */
function saidOf({ table, operation, column, where = [], by }: RecordQuery): string {
  const conditions = where.map((each) =>
    `${each.column} ${each.is === 'equal' ? '=' : each.is} ${each.value ?? ''}`.trim(),
  );
  return [
    operation,
    column === undefined ? '' : `of ${column}`,
    table === undefined ? '' : `in ${table}`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    by === undefined ? '' : `by ${by}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const tellRow = ({ table, row }: Entry): string =>
  `- ${table.columns.flatMap(({ name }, i) => (row.cells[i] === null ? [] : `${name}: ${row.cells[i]}`)).join('; ')} (${table.fileName})`;

const placeOf = ({ table, row }: Entry): RowPlace => ({
  artifactId: table.artifactId,
  fileName: table.fileName,
  location: row.location,
  start: row.start,
  end: row.end,
});

const rowsSaid = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

/** Lists, counts, sums, averages or compares the rows of tables; in time linear in their cells. */
export function askRecords(query: RecordQuery, tables: readonly RecordTable[]): RecordAnswer {
  const { table, operation, column, where = [], by } = query;
  const meant = tablesFor(tables, table);
  if (meant.length === 0) return { problem: `There is no table '${table ?? ''}'.` };
  const wanted = [...where.map((each) => each.column), ...(column === undefined ? [] : [column])];
  const fitting = meant.filter((each) => wanted.every((name) => columnAt(each, name) >= 0));
  if (fitting.length === 0) return { problem: `No table has ${wanted.join(' and ')}.` };
  const entries = fitting
    .flatMap((each) => each.rows.map((row): Entry => ({ table: each, row })))
    .filter((entry) => where.every((condition) => meets(entry, condition)));
  const said = saidOf(query);
  if (operation === 'list' || operation === 'count') {
    return counted(entries, said, operation, by);
  }
  if (column === undefined) return { problem: `Name the column for '${operation}'.` };
  return measured(entries, said, { operation, column, by });
}

function counted(
  entries: readonly Entry[],
  said: string,
  operation: string,
  by?: string,
): RecordAnswer {
  const groups = by === undefined ? [] : [...Map.groupBy(entries, (entry) => groupOf(entry, by))];
  const lines =
    groups.length > 0 && operation === 'count'
      ? groups.map(([name, rows]) => `- ${name}: ${rows.length}`)
      : entries.map(tellRow);
  return {
    text: told(`${said}: ${rowsSaid(entries.length)}`, lines),
    computed: { operation: 'count', value: entries.length, rows: entries.length },
    rows: entries.map(placeOf),
  };
}

/** What stands in a column of figures and is none. */
const unreadAt = (entry: Entry, column: string): string => {
  const cell = cellOf(entry, column);
  return typeof cell === 'string' ? cell : '';
};

function measured(
  entries: readonly Entry[],
  said: string,
  {
    operation,
    column,
    by,
  }: { operation: Computed['operation']; column: string; by?: string | undefined },
): RecordAnswer {
  const numeric = entries.filter((entry) => typeof cellOf(entry, column) === 'number');
  if (numeric.length === 0) return { problem: `${said}: no row has a number there.` };
  const unitOf = ({ table }: Entry): string =>
    (table.columns[columnAt(table, column)] as RecordColumn).unit ?? '';
  const units = Map.groupBy(numeric, unitOf);
  const unread = entries.filter((entry) => /\d/u.test(unreadAt(entry, column)));
  if (unread.length > 0)
    return { problem: `${said}: '${unreadAt(unread[0] as Entry, column)}' cannot be compared.` };
  // Amounts of two currencies have no sum.
  if (units.size > 1) {
    const names = [...units.keys()].map((unit) => unit || 'none').join(', ');
    return {
      problem: `${said}: the rows have different units (${names}). Ask for one table or file.`,
    };
  }
  const [unit = ''] = units.keys();
  const reduce = (rows: readonly Entry[]): number =>
    rounded(REDUCE[operation]?.(rows.map((entry) => cellOf(entry, column) as number)) ?? 0);
  const value = reduce(numeric);
  const groups = by === undefined ? [] : [...Map.groupBy(numeric, (entry) => groupOf(entry, by))];
  const extreme = operation === 'largest' || operation === 'smallest';
  const resting = extreme ? numeric.filter((entry) => cellOf(entry, column) === value) : numeric;
  const lines =
    groups.length > 0
      ? groups
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, rows]) => `- ${name}: ${reduce(rows)} ${unit}`.trimEnd())
      : resting.map(tellRow);
  return {
    text: told(`${said}: ${`${value} ${unit}`.trim()}, over ${rowsSaid(numeric.length)}`, lines),
    computed: { operation, value, rows: numeric.length },
    rows: resting.map(placeOf),
  };
}

function told(head: string, lines: readonly string[]): string {
  const more = lines.length - MOST_LISTED;
  return [head, ...lines.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(
    '\n',
  );
}

const tellColumn = ({ name, type, unit }: RecordColumn): string =>
  `${name} (${[type, unit].filter(Boolean).join(', ')})`;

/** What tables there are to ask, one a line; those of one name and the same columns as one. */
export function describeTables(tables: readonly RecordTable[]): string {
  const alike = Map.groupBy(
    tables,
    ({ name, columns }) => `${key(name)}\n${columns.map((column) => key(column.name)).join('\n')}`,
  );
  const lines = [...alike.values()].map((group) => {
    const [{ name, columns, fileName }] = group as [RecordTable];
    const rows = group.reduce((sum, each) => sum + each.rows.length, 0);
    const files = group.length === 1 ? fileName : `${group.length} tables`;
    const shown = columns.slice(0, MOST_COLUMNS).map(tellColumn);
    return `- ${name} (${files}, ${rowsSaid(rows)}): ${shown.join('; ')}`;
  });
  return lines.slice(0, MOST_TABLES).join('\n');
}

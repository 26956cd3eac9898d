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
  start: number;
  end: number;
}

/** What the records answer, for a reader of `text`; or why they do not. */
export type RecordAnswer = { text: string; rows: RowPlace[] } | { problem: string };

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

/** The first way in which a name fits what was asked: it is that, or has it in it. */
const FITS = [
  (name: string, asked: string) => key(name) === key(asked),
  (name: string, asked: string) => key(name).includes(key(asked)),
];

/** The tables that are meant: those of just this name, else those whose name or file has it. */
function tablesFor(tables: readonly RecordTable[], asked = ''): readonly RecordTable[] {
  if (asked.trim() === '') return tables;
  const found = FITS.map((fits) =>
    tables.filter(({ name, fileName }) => fits(name, asked) || fits(fileName, asked)),
  );
  return found.find(({ length }) => length > 0) ?? [];
}

function columnAt({ columns }: RecordTable, asked: string): number {
  const found = FITS.map((fits) => columns.findIndex(({ name }) => fits(name, asked)));
  return found.find((at) => at >= 0) ?? -1;
}

const cellOf = ({ table, row }: Entry, column: string): string | number | null =>
  row.cells[columnAt(table, column)] ?? null;

function meets(entry: Entry, { column, is, value }: RecordCondition): boolean {
  const cell = cellOf(entry, column);
  if (is === 'empty') return (cell === null || cell === '') === (value !== 'no');
  if (is === 'not') return !meets(entry, { column, is: 'equal', value });
  if (cell === null || value === undefined) return false;
  if (typeof cell === 'number') {
    if (is === 'from') return cell >= Number(value);
    return is === 'to' ? cell <= Number(value) : cell === Number(value);
  }
  const [own, other] = [key(cell), key(String(value))];
  if (is === 'contains') return own.includes(other);
  // What could not be read as a figure is neither above nor below one.
  if (/amount|number/u.test(entry.table.columns[columnAt(entry.table, column)]?.type ?? ''))
    return false;
  if (is === 'equal') return own === other;
  return is === 'from' ? own >= other : own.slice(0, other.length) <= other;
}

function groupOf(entry: Entry, by: string): string {
  const period = { month: 7, year: 4 }[key(by)];
  if (period === undefined || columnAt(entry.table, by) >= 0)
    return String(cellOf(entry, by) ?? '–');
  const date = entry.table.columns.findIndex(({ type }) => type === 'date');
  return String(entry.row.cells[date] ?? '–').slice(0, period);
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const REDUCE: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum,
  average: (values) => sum(values) / values.length,
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

const placeOf = ({ table: { artifactId, fileName }, row: { start, end } }: Entry): RowPlace => ({
  artifactId,
  fileName,
  start,
  end,
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
  const groups =
    by === undefined
      ? []
      : [...Map.groupBy(entries, (entry) => groupOf(entry, by))].sort(([one], [other]) =>
          one < other ? -1 : 1,
        );
  if (operation === 'list' || operation === 'count') {
    const isGrouped = operation === 'count' && groups.length > 0;
    const lines = groups.map(([name, rows]) => `- ${name}: ${rows.length}`);
    return {
      text: told(`${said}: ${rowsSaid(entries.length)}`, isGrouped ? lines : entries.map(tellRow)),
      rows: entries.map(placeOf),
    };
  }
  if (column === undefined) return { problem: `Name the column for '${operation}'.` };
  return measured(entries, groups, said, { operation, column });
}

function measured(
  entries: readonly Entry[],
  groups: readonly (readonly [name: string, rows: readonly Entry[]])[],
  said: string,
  { operation, column }: { operation: RecordQuery['operation']; column: string },
): RecordAnswer {
  const figuresOf = (rows: readonly Entry[]): number[] =>
    rows.map((row) => cellOf(row, column)).filter((cell) => typeof cell === 'number');
  const numeric = entries.filter((entry) => typeof cellOf(entry, column) === 'number');
  if (numeric.length === 0) return { problem: `${said}: no row has a number there.` };
  const unread = entries
    .map((entry) => cellOf(entry, column))
    .find((cell) => typeof cell === 'string' && /\d/u.test(cell));
  if (unread !== undefined) return { problem: `${said}: '${unread}' cannot be compared.` };
  // Amounts of two currencies have no sum.
  const units = new Set(
    numeric.map(({ table }) => table.columns[columnAt(table, column)]?.unit ?? ''),
  );
  if (units.size > 1) {
    const names = [...units].map((unit) => unit || 'none').join(', ');
    return {
      problem: `${said}: the rows have different units (${names}). Ask for one table or file.`,
    };
  }
  const [unit = ''] = units;
  const reduce = (rows: readonly Entry[]): number =>
    Math.round((REDUCE[operation]?.(figuresOf(rows)) ?? 0) * 1e6) / 1e6;
  const value = reduce(numeric);
  const isExtreme = operation === 'largest' || operation === 'smallest';
  const resting = isExtreme ? numeric.filter((entry) => cellOf(entry, column) === value) : numeric;
  const lines = groups
    .filter(([, rows]) => figuresOf(rows).length > 0)
    .map(([name, rows]) => `- ${name}: ${reduce(rows)} ${unit}`.trimEnd());
  return {
    text: told(
      `${said}: ${`${value} ${unit}`.trim()}, over ${rowsSaid(numeric.length)}`,
      groups.length > 0 ? lines : resting.map(tellRow),
    ),
    rows: resting.map(placeOf),
  };
}

function told(head: string, lines: readonly string[]): string {
  const more = lines.length - MOST_LISTED;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return [head, ...lines.slice(0, MOST_LISTED), ...rest].join('\n');
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
    const rows = group.reduce((count, each) => count + each.rows.length, 0);
    const files = group.length === 1 ? fileName : `${group.length} tables`;
    const shown = columns.slice(0, MOST_COLUMNS).map(tellColumn);
    return `- ${name} (${files}, ${rowsSaid(rows)}): ${shown.join('; ')}`;
  });
  return lines.slice(0, MOST_TABLES).join('\n');
}

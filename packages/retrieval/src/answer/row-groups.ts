import type { RecordColumn, RecordTable } from '../documents/document.ts';

/** A row with the table it is of; `cells` in the order of its group's columns. */
export interface GroupRow {
  table: RecordTable;
  at: number;
  cells: (string | number | null)[];
}

/** Rows of one kind: the tables of the same columns, or the fields of all documents of a kind. */
export interface RowGroup {
  tables: RecordTable[];
  columns: RecordColumn[];
  fields: boolean;
  rows: GroupRow[];
}

/** Rows that one question looks at. */
const MOST_ROWS = 50_000;
/** Tables of fewer named columns in different files have little in common. */
const SHARED_COLUMNS = 3;
/** The share of a file's rows that another has, from which on one is a copy of the other. */
const COPY_SHARE = 0.6;

/**
 * What tables have in common whose rows are of one kind; null for one that has nothing in common with
 * those of other files.
 */
export function shapeOf({ fields, name, columns }: Omit<RecordTable, 'rows'>): string | null {
  if (fields) return `fields ${name}`;
  const named = columns.filter((column) => column.name !== '').length;
  return named < SHARED_COLUMNS ? null : namesOf(columns);
}

const plain = (name: string): string => name.normalize('NFKC').toLowerCase().trim();

const namesOf = (columns: readonly RecordColumn[]): string =>
  columns.map(({ name, type }) => `${plain(name)}:${type}`).join('\t');

const keyOf = (table: RecordTable): string =>
  shapeOf(table) ?? `${table.artifactId} ${namesOf(table.columns)}`;

/**
 * Puts tables together whose rows are of one kind. Of two files that hold the same rows, as an old
 * copy of a log does, only one counts: the one that is named, else the one with more rows.
 */
export function groupTables(tables: readonly RecordTable[], named: readonly string[]): RowGroup[] {
  const groups = [...Map.groupBy(tables, keyOf).values()];
  let left = MOST_ROWS;
  return groups.map((all): RowGroup => {
    const kept = withoutCopies(all, named);
    const columns = columnsOf(kept);
    const rows: GroupRow[] = [];
    for (const table of kept) {
      const from = columns.map(({ name }) =>
        table.columns.findIndex((column) => plain(column.name) === plain(name)),
      );
      const isSame = from.every((at, i) => at === i);
      for (const [at, { cells }] of table.rows.entries()) {
        if (left <= 0) break;
        left -= 1;
        rows.push({
          table,
          at,
          cells: isSame ? cells : from.map((i) => (i === -1 ? null : (cells[i] ?? null))),
        });
      }
    }
    return { tables: kept, columns, fields: kept[0]?.fields === true, rows };
  });
}

/** The columns of all tables; those of the first one stand first. */
function columnsOf(tables: readonly RecordTable[]): RecordColumn[] {
  const columns = new Map<string, RecordColumn>();
  const blank: RecordColumn[] = [];
  for (const [i, table] of tables.entries()) {
    for (const column of table.columns) {
      if (column.name === '') {
        if (i === 0) blank.push(column);
        continue;
      }
      const known = columns.get(plain(column.name));
      if (known === undefined) columns.set(plain(column.name), column);
      else if (known.unit === null && column.unit !== null)
        columns.set(plain(column.name), { ...known, unit: column.unit });
    }
  }
  // Columns without names are told apart by their place alone, which only one table has.
  return blank.length > 0 ? (tables[0]?.columns ?? []) : [...columns.values()];
}

function withoutCopies(tables: readonly RecordTable[], named: readonly string[]): RecordTable[] {
  const files = [...Map.groupBy(tables, ({ artifactId }) => artifactId)].map(([id, own]) => ({
    id,
    own,
    rows: new Set(own.flatMap(({ rows }) => rows.map(({ cells }) => JSON.stringify(cells)))),
  }));
  if (tables[0]?.fields === true) {
    // Each document has one row of them.
    const first = new Map(files.toReversed().map(({ id, rows }) => [[...rows][0], id]));
    return tables.filter(
      ({ artifactId, rows }) => first.get(JSON.stringify(rows[0]?.cells)) === artifactId,
    );
  }
  files.sort(
    (a, b) =>
      Number(named.includes(b.id)) - Number(named.includes(a.id)) || b.rows.size - a.rows.size,
  );
  const kept: typeof files = [];
  for (const file of files) {
    const isCopy = kept.some(
      (other) =>
        file.rows.intersection(other.rows).size >=
        COPY_SHARE * Math.min(file.rows.size, other.rows.size),
    );
    if (!isCopy) kept.push(file);
  }
  const ids = new Set(kept.map(({ id }) => id));
  return tables.filter(({ artifactId }) => ids.has(artifactId));
}

import type { RecordColumn, RecordTable } from '../documents/document.ts';

type Cells = RecordTable['rows'][number]['cells'];

/** A row with the table it is of; `cells` in the order of its group's columns. */
export interface GroupRow {
  table: RecordTable;
  at: number;
  cells: Cells;
}

/** Rows of one kind: the tables of the same columns, or the fields of all documents of a kind. */
export interface RowGroup {
  tables: readonly RecordTable[];
  columns: RecordColumn[];
  fields: boolean;
  rows: GroupRow[];
}

/** Rows that one question looks at. */
const MOST_ROWS = 50_000;
/** Tables of fewer named columns in different files have little in common. */
const SHARED_COLUMNS = 3;

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

/** Columns by their names; those without one are told apart by their places. */
const columnKeys = (table: RecordTable): string[] =>
  table.columns.map(({ name }, at) => plain(name) || `#${at}`);

/**
 * Puts tables together whose rows are of one kind. A row that another file has, too, as an old copy of
 * a log does, counts once.
 */
export function groupTables(tables: readonly RecordTable[], named: readonly string[]): RowGroup[] {
  const first = new Set(named);
  const isNamed = ({ artifactId }: RecordTable): number => Number(first.has(artifactId));
  const sizes = new Map<string, number>();
  for (const { artifactId, rows } of tables)
    sizes.set(artifactId, (sizes.get(artifactId) ?? 0) + rows.length);
  const size = ({ artifactId }: RecordTable): number => sizes.get(artifactId) ?? 0;
  const sorted = tables.toSorted((a, b) => isNamed(b) - isNamed(a) || size(b) - size(a));
  let left = MOST_ROWS;
  return [...Map.groupBy(sorted, keyOf).values()].map((own): RowGroup => {
    const columns = columnsOf(own);
    const fileOf = new Map<string, string>();
    const rows = own.flatMap((table): GroupRow[] => {
      const keys = columnKeys(table);
      const from = [...columns.keys()].map((key) => keys.indexOf(key));
      const all = table.rows.map(({ cells }, at) => ({
        table,
        at,
        cells: from.map((i) => cells[i] ?? null),
      }));
      return all.filter(({ cells }) => {
        const key = JSON.stringify(cells);
        const file = fileOf.get(key) ?? table.artifactId;
        fileOf.set(key, file);
        return file === table.artifactId && (left -= 1) >= 0;
      });
    });
    return { tables: own, columns: [...columns.values()], fields: own[0]?.fields === true, rows };
  });
}

/** The columns of all tables; those of the first one stand first. */
function columnsOf(tables: readonly RecordTable[]): Map<string, RecordColumn> {
  const columns = new Map<string, RecordColumn>();
  for (const table of tables) {
    for (const [i, key] of columnKeys(table).entries()) {
      const column = table.columns[i];
      const known = columns.get(key);
      if (column && (known === undefined || known.unit === null))
        columns.set(key, { ...column, ...known, unit: column.unit });
    }
  }
  return columns;
}

/** Whether a cell of a column of figures or days holds one that could not be read: '5 USD', 'about 12'. */
export const isUnread = (cell: Cells[number] | undefined): boolean =>
  typeof cell === 'string' && /\d/u.test(cell) && !/^\d{4}-\d\d-\d\d$/u.test(cell);

import type { RecordColumn, RecordTable } from './document.ts';

/** Tables of fewer named columns in different files have little in common. */
const SHARED_COLUMNS = 3;

const plain = (name: string): string => name.normalize('NFKC').toLowerCase().trim();

const namesOf = (columns: readonly RecordColumn[]): string =>
  columns.map(({ name, type }) => `${plain(name)}:${type}`).join('\t');

/** What tables with rows of the same kind have in common; null for a table that is like no other. */
export function shapeOf({ fields, name, columns }: Omit<RecordTable, 'rows'>): string | null {
  if (fields) return `fields ${name}`;
  const named = columns.filter((column) => column.name !== '').length;
  return named < SHARED_COLUMNS ? null : namesOf(columns);
}

import type { FoundRow, IndexRow, RowPlace } from '../search-index.ts';
import type { UserFile } from './user-file.ts';

type RowContext = Pick<IndexRow, 'location' | 'places' | 'headings'>;

/** A row as it is selected: with the artifact's id, and its context as JSON. */
export type SelectedRow = Omit<FoundRow, keyof RowContext> & { context: string };

export function toFoundRow({
  artifactId,
  ordinal,
  start,
  end,
  text,
  context,
}: SelectedRow): FoundRow {
  return { artifactId, ordinal, start, end, text, ...(JSON.parse(context) as RowContext) };
}

export const size = ({ sql }: UserFile): number =>
  Number(sql.get`SELECT chunks FROM library`?.['chunks'] ?? 0);

export const artifactIds = ({ sql }: UserFile): string[] =>
  sql.all`SELECT id FROM artifacts`.map(({ id }) => String(id));

/** Single rows by their places. */
export function rowsAt({ sql }: UserFile, places: readonly RowPlace[]): FoundRow[] {
  const found = sql.all`
    SELECT a.id AS "artifactId", c.ordinal, c.start, c."end", t.text, t.context
    FROM json_each(${JSON.stringify(places)}) AS place
    CROSS JOIN artifacts a ON a.id = place.value ->> 'artifactId'
    JOIN chunks c ON c.artifact = a.number AND c.ordinal = place.value ->> 'ordinal'
    JOIN contents t ON t.chunk = c.id` as unknown as SelectedRow[];
  return found.map(toFoundRow);
}

/** Rows by the ids of their chunks. */
export function rowsOf({ sql }: UserFile, ids: readonly number[]): Map<number, FoundRow> {
  const found = sql.all`
    SELECT c.id, a.id AS "artifactId", c.ordinal, c.start, c."end", t.text, t.context
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    JOIN artifacts a ON a.number = c.artifact
    JOIN contents t ON t.chunk = c.id` as unknown as (SelectedRow & { id: number })[];
  return new Map(found.map((row) => [row.id, toFoundRow(row)]));
}

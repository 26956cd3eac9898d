import type { FoundRow, IndexRow, RowPlace } from '../search-index.ts';
import type { UserFile } from './user-file.ts';

type RowContext = Pick<IndexRow, 'location' | 'places' | 'headings'>;

/** Characters that are read of a chunk. Older versions stored a table's row of any width as one. */
export const MAX_CHARACTERS = 65_536;

type SelectedRow = Omit<FoundRow, keyof RowContext> & { context: string };

function toFoundRow({ artifactId, ordinal, start, end, text, context }: SelectedRow): FoundRow {
  const known = JSON.parse(context) as RowContext;
  const isCut = text.length >= MAX_CHARACTERS;
  return { artifactId, ordinal, start, end: isCut ? start + text.length : end, text, ...known };
}

export const size = ({ sql }: UserFile): number =>
  Number(sql.get`SELECT chunks FROM library`?.['chunks'] ?? 0);

export const artifactIds = ({ sql }: UserFile): string[] =>
  sql.all`SELECT id FROM artifacts`.map(({ id }) => String(id));

export function rowsAt({ sql }: UserFile, places: readonly RowPlace[]): FoundRow[] {
  const found = sql.all`
    SELECT a.id AS "artifactId", c.ordinal, c.start, c."end",
      substr(t.text, 1, ${MAX_CHARACTERS}) AS text,
      CASE WHEN octet_length(t.context) <= ${MAX_CHARACTERS} THEN t.context
        ELSE json_object('location', json(t.context -> 'location'), 'places', json('[]'),
          'headings', json('[]')) END AS context
    FROM json_each(${JSON.stringify(places)}) AS place
    CROSS JOIN artifacts a ON a.id = place.value ->> 'artifactId'
    JOIN chunks c ON c.artifact = a.number AND c.ordinal = place.value ->> 'ordinal'
    JOIN contents t ON t.chunk = c.id` as unknown as SelectedRow[];
  return found.map(toFoundRow);
}

export function rowsOf({ sql }: UserFile, ids: readonly number[]): Map<number, FoundRow> {
  const found = sql.all`
    SELECT c.id, a.id AS "artifactId", c.ordinal, c.start, c."end",
      substr(t.text, 1, ${MAX_CHARACTERS}) AS text,
      CASE WHEN octet_length(t.context) <= ${MAX_CHARACTERS} THEN t.context
        ELSE json_object('location', json(t.context -> 'location'), 'places', json('[]'),
          'headings', json('[]')) END AS context
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    JOIN artifacts a ON a.number = c.artifact
    JOIN contents t ON t.chunk = c.id` as unknown as (SelectedRow & { id: number })[];
  return new Map(found.map((row) => [row.id, toFoundRow(row)]));
}

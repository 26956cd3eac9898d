import { type IndexRow, splitTerms } from '../search-index.ts';
import { inTransaction, type UserFile } from './user-file.ts';

interface StoredRow {
  ordinal: number;
  start: number;
  end: number;
  length: number;
  text: string;
  terms: string;
  context: string;
}

interface StoredArtifact {
  number: number;
  terms: number;
}

function toStored(row: IndexRow): StoredRow {
  const terms = splitTerms(row.terms);
  const { ordinal, start, end, text, location, places, headings } = row;
  const context = JSON.stringify({ location, places, headings });
  return { ordinal, start, end, text, terms: terms.join(' '), length: terms.length, context };
}

const sumOf = (rows: readonly StoredRow[]): number =>
  rows.reduce((sum, { length }) => sum + length, 0);

const find = ({ sql }: UserFile, artifactId: string): StoredArtifact | undefined =>
  sql.get<StoredArtifact>`SELECT number, terms FROM artifacts WHERE id = ${artifactId}`;

/** The ids of an artifact's chunks if at most their terms differ from these rows; otherwise null. */
function sameChunks({ sql }: UserFile, number: number, rows: readonly StoredRow[]) {
  const stored = sql.all<{ id: number } & StoredRow>`
    SELECT c.id, c.ordinal, c.start, c."end", t.text, t.context
    FROM chunks c JOIN contents t ON t.chunk = c.id WHERE c.artifact = ${number}
    ORDER BY c.ordinal`;
  const isSame = (row: StoredRow, index: number): boolean => {
    const other = stored[index];
    return (
      other?.ordinal === row.ordinal &&
      other.start === row.start &&
      other.end === row.end &&
      other.text === row.text &&
      other.context === row.context
    );
  };
  return stored.length === rows.length && rows.every(isSame) ? stored.map(({ id }) => id) : null;
}

function removeOne({ sql }: UserFile, { number, terms }: StoredArtifact): void {
  sql.run`DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE artifact = ${number})`;
  sql.run`DELETE FROM contents WHERE chunk IN (SELECT id FROM chunks WHERE artifact = ${number})`;
  sql.run`DELETE FROM signs WHERE model IN (SELECT number FROM models)
    AND chunk IN (SELECT id FROM chunks WHERE artifact = ${number})`;
  sql.run`DELETE FROM vectors WHERE model IN (SELECT number FROM models)
    AND chunk IN (SELECT id FROM chunks WHERE artifact = ${number})`;
  const { changes } = sql.run`DELETE FROM chunks WHERE artifact = ${number}`;
  sql.run`DELETE FROM artifacts WHERE number = ${number}`;
  sql.run`UPDATE library SET chunks = chunks - ${changes}, terms = terms - ${terms}, purge = 1`;
}

function insertOne({ sql }: UserFile, artifactId: string, rows: readonly StoredRow[]): void {
  const terms = sumOf(rows);
  const { lastInsertRowid: artifact } = sql.run`
    INSERT INTO artifacts (id, chunks, terms) VALUES (${artifactId}, ${rows.length}, ${terms})`;
  for (const row of rows) {
    const { lastInsertRowid: id } = sql.run`
      INSERT INTO chunks (artifact, ordinal, start, "end", length)
      VALUES (${artifact}, ${row.ordinal}, ${row.start}, ${row.end}, ${row.length})`;
    sql.run`INSERT INTO contents VALUES (${id}, ${row.text}, ${row.terms}, ${row.context})`;
    sql.run`INSERT INTO words (rowid, terms) VALUES (${id}, ${row.terms})`;
  }
  sql.run`UPDATE library SET chunks = chunks + ${rows.length}, terms = terms + ${terms}`;
}

function changeTerms(
  { sql }: UserFile,
  artifact: StoredArtifact,
  rows: readonly StoredRow[],
  ids: readonly number[],
): void {
  for (const [index, { terms, length }] of rows.entries()) {
    const id = ids[index] ?? 0;
    sql.run`UPDATE chunks SET length = ${length} WHERE id = ${id}`;
    sql.run`UPDATE contents SET terms = ${terms} WHERE chunk = ${id}`;
    sql.run`DELETE FROM words WHERE rowid = ${id}`;
    sql.run`INSERT INTO words (rowid, terms) VALUES (${id}, ${terms})`;
  }
  const terms = sumOf(rows);
  sql.run`UPDATE artifacts SET terms = ${terms} WHERE number = ${artifact.number}`;
  sql.run`UPDATE library SET terms = terms + ${terms - artifact.terms}, purge = 1`;
}

const needsPurge = ({ sql }: UserFile): boolean =>
  sql.get<{ purge: number }>`SELECT purge FROM library`?.purge === 1;

/** Replaces the rows of artifacts. Returns whether there are bytes to purge. */
export function replace(
  file: UserFile,
  artifactIds: readonly string[],
  rows: readonly IndexRow[],
): boolean {
  const rowsOf = Map.groupBy(rows, ({ artifactId }) => artifactId);
  inTransaction(file, () => {
    for (const artifactId of artifactIds) {
      const stored = (rowsOf.get(artifactId) ?? []).map(toStored);
      const known = find(file, artifactId);
      const ids = known && stored.length > 0 ? sameChunks(file, known.number, stored) : null;
      if (known && ids) {
        changeTerms(file, known, stored, ids);
        continue;
      }
      if (known) removeOne(file, known);
      if (stored.length > 0) insertOne(file, artifactId, stored);
    }
  });
  return needsPurge(file);
}

/** The pages that one step writes. It takes a few milliseconds, and other work runs in between. */
const PAGES_PER_STEP = 200;

const changesOf = ({ sql }: UserFile): number =>
  sql.get<{ changes: number }>`SELECT total_changes() AS changes`?.changes ?? 0;

/**
 * Deletes some bytes of removed rows from the disk, and returns whether more remain. FTS5 only marks rows as
 * deleted until a full merge. Fewer than two changes mean that nothing was left to merge.
 */
export function purgeStep(file: UserFile): boolean {
  const { db, sql } = file;
  if (!needsPurge(file)) return false;
  const before = changesOf(file);
  sql.run`INSERT INTO words (words, rank) VALUES ('merge', ${-PAGES_PER_STEP})`;
  if (changesOf(file) - before >= 2) return true;
  db.exec(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`);
  const free = db.prepare('PRAGMA freelist_count').get()?.['freelist_count'];
  if (free !== 0) return true;
  // The write-ahead log still contains earlier versions of pages.
  sql.run`UPDATE library SET purge = 0`;
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (checkpoint?.['busy'] === 0) return false;
  sql.run`UPDATE library SET purge = 1`;
  return true;
}

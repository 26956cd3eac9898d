import {
  bytesOf,
  isDirection,
  type NearPassage,
  type RowVector,
  type StoredModel,
  type UnembeddedRow,
  type VectorModel,
} from '../search-index.ts';
import { allowedArtifacts, type Limits, MAX_CHARACTERS, withRows } from './search.ts';
import { inTransaction, type UserFile } from './user-file.ts';

interface NearQuery extends Limits {
  vector: Float32Array;
  limit: number;
}

/** The candidates by signs for each requested row: finds 97% of the nearest 50 of 100,000 rows. */
const CANDIDATES_PER_ROW = 40;

function signsOf(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  for (const [index, number] of vector.entries()) {
    if (number > 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return signs;
}

const numberOf = ({ sql }: UserFile, { key }: VectorModel): number | null => {
  const model = sql.get<{ number: number }>`SELECT number FROM models WHERE key = ${key}`;
  return model?.number ?? null;
};

export const models = ({ sql }: UserFile): StoredModel[] =>
  sql.all<
    VectorModel & { complete: number }
  >`SELECT key, dimensions, setting, complete FROM models`.map((model) => ({
    ...model,
    complete: model.complete === 1,
  }));

export function unembedded(
  file: UserFile,
  model: VectorModel,
  { limit, exclude }: { limit: number; exclude: string },
): { rows: UnembeddedRow[]; embedded: number; missing: number } {
  const { sql } = file;
  const number = numberOf(file, model) ?? 0;
  type Row = Pick<UnembeddedRow, 'key' | 'artifactId' | 'text'> & { context: string };
  const rows = sql.all<Row>`
    SELECT CAST(c.id AS TEXT) AS key, a.id AS "artifactId",
      substr(t.text, 1, ${MAX_CHARACTERS}) AS text,
      CASE WHEN octet_length(t.context) <= ${MAX_CHARACTERS} THEN t.context
        ELSE '{"headings":[]}' END AS context
    FROM artifacts a CROSS JOIN chunks c ON c.artifact = a.number
    CROSS JOIN contents t ON t.chunk = c.id
    WHERE c."end" > c.start
      AND NOT EXISTS (SELECT 1 FROM signs s WHERE s.model = ${number} AND s.chunk = c.id)
      AND a.id NOT IN (SELECT value FROM json_each(${exclude}))
    ORDER BY a.number DESC, c.ordinal LIMIT ${limit}`;
  const counts = sql.get<{ rows: number; embedded: number }>`
    SELECT (SELECT count(*) FROM chunks WHERE "end" > start) AS rows,
      (SELECT count(*) FROM signs WHERE model = ${number}) AS embedded`;
  const { rows: total = 0, embedded = 0 } = counts ?? {};
  return {
    rows: rows.map(({ context, ...row }) => ({
      ...row,
      headings: (JSON.parse(context) as UnembeddedRow).headings,
    })),
    embedded,
    missing: total - embedded,
  };
}

export function addVectors(
  file: UserFile,
  model: VectorModel,
  vectors: readonly RowVector[],
): void {
  const { sql } = file;
  inTransaction(file, () => {
    sql.run`INSERT OR IGNORE INTO models (key, dimensions, setting, complete)
      VALUES (${model.key}, ${model.dimensions}, ${model.setting}, 0)`;
    const number = numberOf(file, model) ?? 0;
    for (const { key, vector } of vectors) {
      const near = isDirection(vector);
      const { changes } = sql.run`INSERT OR REPLACE INTO signs
        SELECT ${number}, id, ${near ? signsOf(vector) : null} FROM chunks WHERE id = ${Number(key)}`;
      if (changes === 0 || !near) continue;
      sql.run`INSERT OR REPLACE INTO vectors VALUES (${number}, ${Number(key)}, ${bytesOf(vector)})`;
    }
  });
}

export function completeModel(file: UserFile, { key, dimensions, setting }: VectorModel): void {
  const { sql } = file;
  inTransaction(file, () => {
    sql.run`DELETE FROM signs WHERE model IN (SELECT number FROM models WHERE key <> ${key})`;
    sql.run`DELETE FROM vectors WHERE model IN (SELECT number FROM models WHERE key <> ${key})`;
    sql.run`DELETE FROM models WHERE key <> ${key}`;
    sql.run`INSERT INTO models (key, dimensions, setting, complete)
      VALUES (${key}, ${dimensions}, ${setting}, 1) ON CONFLICT (key) DO UPDATE SET complete = 1`;
  });
}

function choose(file: UserFile, query: NearQuery, model: number): number[] {
  const { sql } = file;
  const signs = signsOf(query.vector);
  const limit = query.limit * CANDIDATES_PER_ROW;
  const allowed = allowedArtifacts(file, query);
  const chosen = allowed
    ? sql.all<{ chunk: number }>`SELECT s.chunk FROM signs s JOIN chunks c ON c.id = s.chunk
        WHERE s.model = ${model} AND s.signs IS NOT NULL
          AND c.artifact IN (SELECT value FROM json_each(${allowed.artifacts}))
        ORDER BY vec_distance_hamming(vec_bit(s.signs), vec_bit(${signs})) LIMIT ${limit}`
    : sql.all<{
        chunk: number;
      }>`SELECT chunk FROM signs WHERE model = ${model} AND signs IS NOT NULL
        ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(${signs})) LIMIT ${limit}`;
  return chosen.map(({ chunk }) => chunk);
}

export function nearest(file: UserFile, model: VectorModel, query: NearQuery): NearPassage[] {
  const { sql } = file;
  const number = numberOf(file, model);
  if (number === null) return [];
  const near = sql.all<{ id: number; similarity: number }>`
    SELECT v.chunk AS id,
      1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(${bytesOf(query.vector)})) AS similarity
    FROM json_each(${JSON.stringify(choose(file, query, number))}) AS chosen
    CROSS JOIN vectors v ON v.model = ${number} AND v.chunk = chosen.value
    ORDER BY similarity DESC, v.chunk LIMIT ${query.limit}`;
  return withRows(file, near).map(({ row, similarity }) => ({ row, similarity }));
}

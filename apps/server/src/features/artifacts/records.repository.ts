import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type RecordTable, shapeOf } from '@engram/retrieval';
import type { Database, Executor } from '../../platform/database/database.ts';

/** A file with tables, and what these have in common with those of other files. */
export interface TableFile {
  id: string;
  shapes: string[];
  /** Characters of their JSON. */
  size: number;
}

/** Characters of JSON in one statement; a table of more has one of its own. */
const CHARACTERS_PER_INSERT = 1_000_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A table as it is stored, as JSON. */
function storedJson(artifactId: string, table: RecordTable): string {
  const { ordinal, name, fields, columns, rows } = table;
  const shape = shapeOf(table);
  return JSON.stringify({
    artifact_id: artifactId,
    ordinal,
    name,
    fields,
    shape: shape === null ? null : hashOf(shape),
    columns,
    rows,
  });
}

/** Keeps the tables of files, in place of those that earlier readings found. */
export async function saveTables(
  tx: Executor,
  readings: readonly { id: string; tables: readonly RecordTable[] }[],
): Promise<void> {
  const ids = sql.param(readings.map(({ id }) => id));
  await tx.execute(sql`DELETE FROM artifact_tables WHERE artifact_id = ANY(${ids}::uuid[])`);
  let gathered: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (gathered.length === 0) return;
    // One text for all: the owner stands with the artifact.
    await tx.execute(sql`
      INSERT INTO artifact_tables (artifact_id, ordinal, user_id, name, fields, shape, columns, rows,
        size)
      SELECT artifact_id, given.ordinal, a.user_id, given.name, given.fields, given.shape,
        given.columns, given.rows, length(given.rows::text)
      FROM jsonb_to_recordset(${`[${gathered.join(',')}]`}::jsonb) AS given (artifact_id uuid,
        ordinal integer, name text, fields boolean, shape text, columns jsonb, rows jsonb)
      JOIN artifacts a ON a.id = artifact_id`);
    gathered = [];
    length = 0;
  };
  for (const { id, tables } of readings) {
    for (const table of tables) {
      const json = storedJson(id, table);
      if (length + json.length > CHARACTERS_PER_INSERT) await flush();
      gathered.push(json);
      length += json.length;
    }
  }
  await flush();
}

/** SQL over the tables of files. Every call names the owner, and leaves out what is archived. */
export function createRecordsRepository({ db }: Pick<Database, 'db'>) {
  const table = sql`json_build_object('artifactId', a.id, 'fileName', a.file_name,
    'ordinal', t.ordinal, 'name', t.name, 'fields', t.fields, 'columns', t.columns, 'rows', t.rows)`;

  return {
    /** The newest files with tables, those of fields left out, and the shapes of theirs. */
    async tableFiles(userId: string, limit: number): Promise<TableFile[]> {
      const { rows } = await db.execute<TableFile & Record<string, unknown>>(sql`
        SELECT a.id, coalesce(array_agg(DISTINCT t.shape) FILTER (WHERE t.shape IS NOT NULL), '{}')
          AS shapes, sum(t.size)::int AS size
        FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
        WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND NOT t.fields
        GROUP BY a.id ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}`);
      return rows;
    },

    /**
     * The fields of the newest documents that have some: JSON of a list of `RecordTable`, as one text,
     * because thousands of rows take long to read.
     */
    async fieldTables(userId: string, limit: number): Promise<string> {
      const result = await db.execute<{ json: string }>(sql`
        SELECT coalesce(json_agg(json), '[]')::text AS json FROM (
          SELECT ${table} AS json
          FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
          WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND t.fields
          ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}
        ) newest`);
      return result.rows[0]?.json ?? '[]';
    },

    /** The tables of some files, those of fields left out, by file: JSON of a list of `RecordTable`. */
    async tablesOf(userId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await db.execute<{ id: string; json: string }>(sql`
        SELECT a.id, json_agg(${table} ORDER BY t.ordinal)::text AS json
        FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
        WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND NOT t.fields
          AND a.id = ANY(${sql.param([...ids])}::uuid[])
        GROUP BY a.id`);
      return new Map(rows.map(({ id, json }) => [id, json]));
    },
  };
}

export type RecordsRepository = ReturnType<typeof createRecordsRepository>;

import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { NewArtifact } from './artifacts.tables.ts';

export type StoredArtifact = {
  id: string;
  revision: number;
  /** Whether it must be read, because it is new or has new keywords. */
  toRead: boolean;
};

/** Few enough that a statement is short. */
const ROWS_PER_INSERT = 500;

/** A file of a removed device belongs to the next device that sends it. */
const IS_LEFT = sql`(a.device_id IS NULL AND a.source = 'Connector')`;

/** A file keeps its first path until its own device reports another one. */
const MOVES = sql`excluded.path IS NOT NULL
  AND (a.path IS NULL OR ${IS_LEFT} OR a.device_id IS NOT DISTINCT FROM excluded.device_id)`;

/** One parameter for all rows, because planning thousands of parameters takes as long as inserting. */
const statement = (rows: string): SQL => sql`
  INSERT INTO artifacts AS a (id, user_id, group_id, file_name, file_type, media_type, size, sha256,
    source, device, keywords, archived, status, created_at, updated_at, path, modified_at, device_id)
  SELECT id, "userId", "groupId", "fileName", "fileType", "mediaType", size, sha256,
    source, device, keywords, coalesce(archived, false), status, "createdAt", "updatedAt",
    path, "modifiedAt", "deviceId"
  FROM json_to_recordset(${rows}::json) AS given (id uuid, "userId" uuid, "groupId" uuid,
    "fileName" text, "fileType" text, "mediaType" text, size bigint, sha256 text, source text,
    device text, keywords text[], archived boolean, status text, "createdAt" timestamptz, "updatedAt" timestamptz,
    path text, "modifiedAt" timestamptz, "deviceId" uuid)
  ON CONFLICT (user_id, sha256) DO UPDATE SET
    keywords = ARRAY(SELECT DISTINCT unnest(a.keywords || excluded.keywords)),
    status = CASE WHEN excluded.keywords <@ a.keywords THEN a.status ELSE 'PENDING' END,
    revision = a.revision + CASE WHEN excluded.keywords <@ a.keywords THEN 0 ELSE 1 END,
    updated_at = excluded.updated_at,
    path = CASE WHEN ${MOVES} THEN excluded.path ELSE a.path END,
    modified_at = CASE WHEN ${MOVES} THEN excluded.modified_at ELSE a.modified_at END,
    device_id = CASE WHEN ${IS_LEFT} THEN excluded.device_id ELSE a.device_id END
  RETURNING id, sha256, revision, status = 'PENDING' AS "toRead"`;

/**
 * Inserts artifacts, each with different bytes, and returns them by SHA-256. If the user has the same
 * bytes already, new keywords are added to that artifact, which is then read again, because a file is
 * found by its keywords too. It keeps the device that sent it first.
 */
export async function insertOrMerge(
  tx: Executor,
  rows: readonly NewArtifact[],
): Promise<Map<string, StoredArtifact>> {
  const stored = new Map<string, StoredArtifact>();
  // Every upload locks rows in the same order, which prevents deadlocks.
  const ordered = rows.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  for (let from = 0; from < ordered.length; from += ROWS_PER_INSERT) {
    const some = JSON.stringify(ordered.slice(from, from + ROWS_PER_INSERT));
    const result = await tx.execute<StoredArtifact & { sha256: string }>(statement(some));
    for (const { sha256, ...row } of result.rows) stored.set(sha256, row);
  }
  return stored;
}

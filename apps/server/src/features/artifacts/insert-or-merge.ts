import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { NewArtifact } from './artifacts.tables.ts';

/** What an upload made of some bytes. */
export interface StoredArtifact {
  id: string;
  revision: number;
  /** Whether it is to be read: it is new, or has new keywords. */
  toRead: boolean;
}

/** Artifacts of one statement, so that none takes long. */
const ROWS_PER_INSERT = 500;

/** What a device sent that has ended is the next one's that sends it. */
const IS_LEFT = sql`(a.device_id IS NULL AND a.source = 'Connector')`;

/** A file has the first place that is told of it, and another one when its own device says so. */
const MOVES = sql`excluded.path IS NOT NULL
  AND (a.path IS NULL OR ${IS_LEFT} OR a.device_id IS NOT DISTINCT FROM excluded.device_id)`;

/**
 * One parameter for all rows: as values of their own, a thousand rows take as long to write and to
 * plan as to insert.
 */
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
 * Inserts artifacts, each of other bytes. Where the same bytes are there already, keywords that they
 * did not have are merged into them, and they are to be read once more: a file is found by its
 * keywords too. Where a device sends what is there already, the file stays the one's who sent it first.
 * Answers in the order of what was given.
 */
export async function insertOrMerge(
  tx: Executor,
  rows: readonly NewArtifact[],
): Promise<StoredArtifact[]> {
  const stored = new Map<string, StoredArtifact>();
  // All uploads lock rows in the same order: none can wait for another that waits for it.
  const ordered = rows.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  for (let from = 0; from < ordered.length; from += ROWS_PER_INSERT) {
    const some = JSON.stringify(ordered.slice(from, from + ROWS_PER_INSERT));
    const result = await tx.execute<{
      id: string;
      sha256: string;
      revision: number;
      toRead: boolean;
    }>(statement(some));
    for (const { sha256, ...row } of result.rows) stored.set(sha256, row);
  }
  return rows.map(({ sha256 }) => {
    const row = stored.get(sha256);
    if (!row) throw new Error('the artifact was not stored');
    return row;
  });
}

import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';

type DeletedRow = Pick<ArtifactRow, 'id' | 'revision' | 'sha256' | 'path'>;

const uuids = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::uuid[]`;

/**
 * Deletes artifacts of a user. Foreign keys delete their text and other data. Rows are locked in the same
 * order as in uploads, which prevents deadlocks.
 */
async function deleteRows(
  executor: Executor,
  userId: string,
  { ids, limit = null }: { ids?: readonly string[]; limit?: number | null },
): Promise<DeletedRow[]> {
  const isChosen = ids ? sql`id = ANY(${uuids(ids)})` : sql`true`;
  const { rows } = await executor.execute<DeletedRow>(sql`
    DELETE FROM artifacts WHERE id IN (
      SELECT id FROM artifacts WHERE user_id = ${userId} AND ${isChosen}
      ORDER BY sha256 LIMIT ${limit}::bigint FOR UPDATE)
    RETURNING id, revision, sha256, path`);
  return rows;
}

export function createDeletionRepository({ db }: Pick<Database, 'db'>) {
  return {
    async idsOf(userId: string): Promise<string[]> {
      const { rows } = await db.execute<{ id: string }>(
        sql`SELECT id FROM artifacts WHERE user_id = ${userId}`,
      );
      return rows.map(({ id }) => id);
    },

    async delete(tx: Executor, userId: string, ids: readonly string[]): Promise<DeletedRow[]> {
      // If a version's successor is deleted, the next remaining successor replaces it.
      await tx.execute(sql`
        WITH RECURSIVE successors (id, replaced_by) AS (
          SELECT id, replaced_by FROM artifacts
          WHERE user_id = ${userId} AND replaced_by = ANY(${uuids(ids)}) AND id <> ALL(${uuids(ids)})
          UNION
          SELECT successors.id, deleted.replaced_by
          FROM successors JOIN artifacts deleted ON deleted.id = successors.replaced_by
          WHERE deleted.id = ANY(${uuids(ids)})
        )
        UPDATE artifacts a SET replaced_by = successors.replaced_by FROM successors
        WHERE a.id = successors.id AND successors.replaced_by <> ALL(${uuids(ids)})`);
      return deleteRows(tx, userId, { ids });
    },

    deleteSome: (userId: string, limit: number): Promise<DeletedRow[]> =>
      deleteRows(db, userId, { limit }),

    async lockReplacements(tx: Executor, userId: string): Promise<void> {
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
    },

    /** The versions that these artifacts replace, if the artifacts are ready. */
    async replacedBy(
      executor: Executor,
      userId: string,
      ids: readonly string[],
    ): Promise<string[]> {
      const { rows } = await executor.execute<{ id: string }>(sql`
        WITH RECURSIVE replaced (id) AS (
          SELECT old.id FROM artifacts old JOIN artifacts ready ON ready.id = old.replaced_by
          WHERE ready.user_id = ${userId} AND ready.id = ANY(${uuids(ids)})
            AND ready.status = 'SUCCESS'
          UNION
          SELECT old.id FROM artifacts old JOIN replaced ON old.replaced_by = replaced.id
        )
        SELECT id FROM replaced`);
      return rows.map(({ id }) => id);
    },

    async readySuccessors(): Promise<{ userId: string; ids: string[] }[]> {
      const { rows } = await db.execute<{ userId: string; ids: string[] }>(sql`
        SELECT ready.user_id AS "userId", array_agg(DISTINCT ready.id::text) AS ids
        FROM artifacts old JOIN artifacts ready ON ready.id = old.replaced_by
        WHERE ready.status = 'SUCCESS' GROUP BY ready.user_id`);
      return rows;
    },

    async newestBeyond(
      userId: string,
      bytes: number,
    ): Promise<{ id: string; fileName: string; size: number }[]> {
      const { rows } = await db.execute<{ id: string; fileName: string; size: string }>(sql`
        SELECT id, file_name AS "fileName", size FROM (
          SELECT id, file_name, size, created_at,
            sum(size) OVER (ORDER BY created_at, id) AS total
          FROM artifacts WHERE user_id = ${userId}
        ) AS files
        WHERE total > ${bytes}::bigint
        ORDER BY created_at DESC, id DESC`);
      return rows.map((row) => ({ ...row, size: Number(row.size) }));
    },
  };
}

import { and, asc, count, eq, gt, inArray, isNotNull, type SQL, sql, sum } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type ArtifactRow, artifacts, artifactTexts } from './artifacts.tables.ts';

/** One reading of a file: a later one has a higher revision. */
export interface Reading {
  id: string;
  revision: number;
}

/** What the upkeep compares with the file store, the index and the queues. */
export type ArtifactState = Pick<
  ArtifactRow,
  'id' | 'revision' | 'status' | 'statusReason' | 'indexed' | 'thumbnail'
> & { hasText: boolean };

/** Rows in one page of states. */
const STATES_PER_PAGE = 1000;

/**
 * Deletes those of a user's files. Rows are locked in the order in which uploads lock them, so that
 * neither waits for the other in turn.
 */
const deleteOf = (
  executor: Executor,
  userId: string,
  { which, most }: { which?: SQL; most?: number },
): Promise<Reading[]> => {
  const those = executor
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), which))
    .orderBy(asc(artifacts.sha256));
  const chosen = (most === undefined ? those : those.limit(most)).for('update');
  return executor
    .delete(artifacts)
    .where(inArray(artifacts.id, chosen))
    .returning({ id: artifacts.id, revision: artifacts.revision });
};

/** What takes the place of files that go takes that of the files which they were to replace. */
async function passOn(tx: Executor, userId: string, ids: readonly string[]): Promise<void> {
  const going = sql`${sql.param([...ids])}::uuid[]`;
  await tx.execute(sql`
    WITH RECURSIVE passed (id, next) AS (
      SELECT a.id, gone.replaces FROM artifacts a JOIN artifacts gone ON gone.id = a.replaces
      WHERE a.user_id = ${userId} AND gone.id = ANY(${going}) AND a.id <> ALL(${going})
      UNION
      SELECT passed.id, gone.replaces FROM passed JOIN artifacts gone ON gone.id = passed.next
      WHERE gone.id = ANY(${going})
    )
    UPDATE artifacts a SET replaces = passed.next FROM passed
    WHERE a.id = passed.id AND (passed.next IS NULL OR passed.next <> ALL(${going}))`);
}

/** SQL over many artifacts at once, and over those of everybody. */
export function createArtifactSets({ db }: Pick<Database, 'db'>) {
  return {
    async idsOf(userId: string): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(eq(artifacts.userId, userId));
      return rows.map((row) => row.id);
    },

    /** Deletes files of a user with their texts and words; answers those that were there. */
    async delete(tx: Executor, userId: string, ids: readonly string[]): Promise<Reading[]> {
      await passOn(tx, userId, ids);
      return deleteOf(tx, userId, { which: isAnyOf(artifacts.id, ids) });
    },

    /** The SHA-256 of those of a user's files that stand in a folder. */
    async folderHashes(tx: Executor, userId: string, ids: readonly string[]): Promise<string[]> {
      const rows = await tx
        .select({ sha256: artifacts.sha256 })
        .from(artifacts)
        .where(
          and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, ids), isNotNull(artifacts.path)),
        );
      return rows.map(({ sha256 }) => sha256);
    },

    /** The same of any of a user's files, at most so many. */
    deleteSome: (userId: string, most: number): Promise<Reading[]> =>
      deleteOf(db, userId, { most }),

    /** How many of a user's files carry each keyword. */
    async countByKeyword(userId: string): Promise<Map<string, number>> {
      const { rows } = await db.execute<{ keyword: string; files: number }>(sql`
        SELECT keyword, count(*)::int AS files
        FROM ${artifacts}, unnest(${artifacts.keywords}) AS keyword
        WHERE ${artifacts.userId} = ${userId}
        GROUP BY keyword`);
      return new Map(rows.map(({ keyword, files }) => [keyword, files]));
    },

    /** How many files some people have, and the bytes of them; those without any are left out. */
    async totalsOf(
      userIds: readonly string[],
    ): Promise<Map<string, { files: number; stored: number }>> {
      const rows = await db
        .select({ userId: artifacts.userId, files: count(), stored: sum(artifacts.size) })
        .from(artifacts)
        .where(isAnyOf(artifacts.userId, userIds))
        .groupBy(artifacts.userId);
      return new Map(
        rows.map(({ userId, files, stored }) => [userId, { files, stored: Number(stored) }]),
      );
    },

    /**
     * The newest of a user's files that would have to go for the rest to take no more than so many
     * bytes, newest first.
     */
    async newestBeyond(
      userId: string,
      bytes: number,
    ): Promise<Pick<ArtifactRow, 'id' | 'fileName' | 'size'>[]> {
      const { rows } = await db.execute<{ id: string; fileName: string; size: string }>(sql`
        SELECT id, file_name AS "fileName", size FROM (
          SELECT id, file_name, size, created_at,
            sum(size) OVER (ORDER BY created_at, id) AS together
          FROM ${artifacts} WHERE ${artifacts.userId} = ${userId}
        ) AS files
        WHERE together > ${bytes}::bigint
        ORDER BY created_at DESC, id DESC`);
      return rows.map((row) => ({ ...row, size: Number(row.size) }));
    },

    /** The states of all files of a user, read page by page. */
    async states(userId: string): Promise<ArtifactState[]> {
      const states: ArtifactState[] = [];
      for (let after: string | undefined; ;) {
        const page = await db
          .select({
            id: artifacts.id,
            revision: artifacts.revision,
            status: artifacts.status,
            statusReason: artifacts.statusReason,
            indexed: artifacts.indexed,
            thumbnail: artifacts.thumbnail,
            hasText: sql<boolean>`EXISTS (SELECT FROM ${artifactTexts} WHERE ${artifactTexts.artifactId} = ${artifacts.id})`,
          })
          .from(artifacts)
          .where(
            and(
              eq(artifacts.userId, userId),
              after === undefined ? undefined : gt(artifacts.id, after),
            ),
          )
          .orderBy(asc(artifacts.id))
          .limit(STATES_PER_PAGE);
        states.push(...page);
        if (page.length < STATES_PER_PAGE) return states;
        after = page.at(-1)?.id;
      }
    },

    /** The names of files by their ids. */
    async fileNames(ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await db
        .select({ id: artifacts.id, fileName: artifacts.fileName })
        .from(artifacts)
        .where(isAnyOf(artifacts.id, ids));
      return new Map(rows.map(({ id, fileName }) => [id, fileName]));
    },

    /** Users who have files. */
    async owners(): Promise<string[]> {
      const rows = await db.selectDistinct({ userId: artifacts.userId }).from(artifacts);
      return rows.map(({ userId }) => userId);
    },

    /** Whether a file is shown with a small picture now. */
    async showsThumbnail(id: string): Promise<boolean> {
      const [row] = await db
        .select({ thumbnail: artifacts.thumbnail })
        .from(artifacts)
        .where(eq(artifacts.id, id));
      return row?.thumbnail ?? false;
    },

    /**
     * Starts new readings of files that no other reading was started of since they were looked at;
     * with `onlyUnfinished` none of a file whose reading has come to its end since.
     */
    restart: (
      tx: Executor,
      readings: readonly Reading[],
      updatedAt: Date,
      { onlyUnfinished = false }: { onlyUnfinished?: boolean } = {},
    ): Promise<{ id: string; userId: string; revision: number }[]> =>
      tx
        .update(artifacts)
        .set({
          status: 'PENDING',
          statusReason: null,
          progress: 0,
          indexed: false,
          revision: sql`${artifacts.revision} + 1`,
          updatedAt,
        })
        .where(
          sql`${artifacts.id} IN (
            SELECT a.id FROM artifacts a JOIN unnest(
              ${sql.param(readings.map(({ id }) => id))}::uuid[],
              ${sql.param(readings.map(({ revision }) => revision))}::integer[]
            ) AS given (id, revision) USING (id, revision)
            WHERE NOT ${onlyUnfinished}::boolean OR a.status IN ('PENDING', 'PROCESSING')
            ORDER BY a.sha256 FOR UPDATE OF a)`,
        )
        .returning({
          id: artifacts.id,
          userId: artifacts.userId,
          revision: artifacts.revision,
        }),

    /** Says of files that there is no small picture of them. */
    async clearThumbnails(ids: readonly string[]): Promise<void> {
      await db.update(artifacts).set({ thumbnail: false }).where(isAnyOf(artifacts.id, ids));
    },

    /** Files and their bytes, by state. */
    async census(): Promise<{ status: ArtifactRow['status']; files: number; bytes: number }[]> {
      const rows = await db
        .select({ status: artifacts.status, files: count(), bytes: sum(artifacts.size) })
        .from(artifacts)
        .groupBy(artifacts.status)
        .orderBy(asc(artifacts.status));
      return rows.map(({ status, files, bytes }) => ({ status, files, bytes: Number(bytes ?? 0) }));
    },
  };
}

export type ArtifactSets = ReturnType<typeof createArtifactSets>;

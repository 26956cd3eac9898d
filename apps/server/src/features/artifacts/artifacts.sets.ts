import { and, asc, count, eq, gt, sql, sum } from 'drizzle-orm';
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

/** SQL over many artifacts at once, and over those of everybody. */
export function createArtifactSets({ db }: Pick<Database, 'db'>) {
  return {
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

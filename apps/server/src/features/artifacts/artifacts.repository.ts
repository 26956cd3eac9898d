import {
  and,
  arrayOverlaps,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm';
import type { FileType } from '@engram/extraction';
import { isAnyOf, orderedIds } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type ArtifactRow,
  artifacts,
  artifactTexts,
  type NewArtifact,
} from './artifacts.tables.ts';

/** One extraction of an artifact. Later ones have higher revisions. */
export type ArtifactRevision = Pick<ArtifactRow, 'id' | 'revision'>;

/** The state that the consistency check compares with the file store, the index and the queues. */
export type ArtifactState = Pick<
  ArtifactRow,
  'id' | 'revision' | 'status' | 'statusReason' | 'indexed' | 'thumbnail'
> & { hasText: boolean };

const STATES_PER_PAGE = 1000;

/** SQL over artifacts. Methods without a user's id are for maintenance and work on all users. */
export function createArtifactsRepository({ db }: Pick<Database, 'db'>) {
  const ofUser = (userId: string, ...conditions: (SQL | undefined)[]) =>
    and(eq(artifacts.userId, userId), ...conditions);

  const idsOf = (where: SQL | undefined): Promise<string[]> =>
    orderedIds(db, artifacts, where, 'newest');

  const exists = async (where: SQL | undefined): Promise<boolean> => {
    const rows = await db.select({ id: artifacts.id }).from(artifacts).where(where).limit(1);
    return rows.length > 0;
  };

  const select = (executor: Executor, userId: string, isMatch: SQL) =>
    executor.select().from(artifacts).where(ofUser(userId, isMatch));

  async function fileNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await db
      .select({ id: artifacts.id, fileName: artifacts.fileName })
      .from(artifacts)
      .where(isAnyOf(artifacts.id, ids));
    return new Map(rows.map(({ id, fileName }) => [id, fileName]));
  }

  return {
    async find(userId: string, id: string): Promise<ArtifactRow | undefined> {
      const [row] = await select(db, userId, eq(artifacts.id, id));
      return row;
    },

    async lock(tx: Executor, userId: string, id: string): Promise<ArtifactRow | undefined> {
      const [row] = await select(tx, userId, eq(artifacts.id, id)).for('update');
      return row;
    },

    findMany: async (userId: string, ids: readonly string[]): Promise<ArtifactRow[]> =>
      ids.length === 0
        ? []
        : select(db, userId, isAnyOf(artifacts.id, ids)).orderBy(
            asc(artifacts.createdAt),
            asc(artifacts.id),
          ),

    async storedBytes(userId: string, executor: Executor = db): Promise<number> {
      const [row] = await executor
        .select({ bytes: sum(artifacts.size) })
        .from(artifacts)
        .where(ofUser(userId));
      return Number(row?.bytes ?? 0);
    },

    hasAny: (userId: string): Promise<boolean> => exists(ofUser(userId)),

    /** Whether the user has files that are searchable, or will be after extraction. */
    hasSearchable: (userId: string): Promise<boolean> =>
      exists(ofUser(userId, eq(artifacts.archived, false), ne(artifacts.status, 'FAILED'))),

    hasUnfinished: (userId: string): Promise<boolean> =>
      exists(ofUser(userId, inArray(artifacts.status, ['PENDING', 'PROCESSING']))),

    async setThumbnails(ids: readonly string[], thumbnail: boolean): Promise<void> {
      await db.update(artifacts).set({ thumbnail }).where(isAnyOf(artifacts.id, ids));
    },

    async update(
      userId: string,
      id: string,
      changes: Pick<NewArtifact, 'updatedAt'> & Partial<Pick<NewArtifact, 'fileName' | 'keywords'>>,
      tx: Executor,
    ): Promise<ArtifactRow | undefined> {
      const [row] = await tx
        .update(artifacts)
        .set(changes)
        .where(ofUser(userId, eq(artifacts.id, id)))
        .returning();
      return row;
    },

    idsWithKeywords: (userId: string, keywords: readonly string[]): Promise<string[]> =>
      idsOf(
        ofUser(
          userId,
          eq(artifacts.archived, false),
          arrayOverlaps(artifacts.keywords, [...keywords]),
        ),
      ),

    /**
     * Ids of the files that are not archived, newest first.
     * @param uploaded time spans, each excluding its end. Empty for any time.
     */
    matchingIds: (
      userId: string,
      uploaded: readonly { from: Date; to: Date }[],
      types: readonly FileType[],
    ): Promise<string[]> =>
      idsOf(
        ofUser(
          userId,
          eq(artifacts.archived, false),
          or(
            ...uploaded.map(({ from, to }) =>
              and(gte(artifacts.createdAt, from), lt(artifacts.createdAt, to)),
            ),
          ),
          types.length > 0 ? inArray(artifacts.fileType, [...types]) : undefined,
        ),
      ),

    archivedIds: (userId: string): Promise<string[]> =>
      idsOf(ofUser(userId, eq(artifacts.archived, true))),

    /** File counts by language, most frequent first. */
    async languageCounts(userId: string): Promise<{ language: string; files: number }[]> {
      const files = count();
      const rows = await db
        .select({ language: artifacts.language, files })
        .from(artifacts)
        .where(ofUser(userId, isNotNull(artifacts.language)))
        .groupBy(artifacts.language)
        .orderBy(desc(files), asc(artifacts.language));
      return rows.map(({ language, files: number }) => ({
        language: language ?? '',
        files: number,
      }));
    },

    async countByKeyword(userId: string): Promise<Map<string, number>> {
      const { rows } = await db.execute<{ keyword: string; files: number }>(sql`
        SELECT keyword, count(*)::int AS files
        FROM ${artifacts}, unnest(${artifacts.keywords}) AS keyword
        WHERE ${artifacts.userId} = ${userId}
        GROUP BY keyword`);
      return new Map(rows.map(({ keyword, files }) => [keyword, files]));
    },

    /** The number and bytes of files by user. Users without files are omitted. */
    async totalsByUser(
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
          .where(ofUser(userId, after === undefined ? undefined : gt(artifacts.id, after)))
          .orderBy(asc(artifacts.id))
          .limit(STATES_PER_PAGE);
        states.push(...page);
        if (page.length < STATES_PER_PAGE) return states;
        after = page.at(-1)?.id;
      }
    },

    fileNames,

    existingIds: async (ids: readonly string[]): Promise<Set<string>> =>
      new Set((await fileNames(ids)).keys()),

    async ownerIds(): Promise<string[]> {
      const rows = await db.selectDistinct({ userId: artifacts.userId }).from(artifacts);
      return rows.map(({ userId }) => userId);
    },

    hasThumbnail: (id: string): Promise<boolean> =>
      exists(and(eq(artifacts.id, id), eq(artifacts.thumbnail, true))),

    async countByStatus(): Promise<
      { status: ArtifactRow['status']; files: number; bytes: number }[]
    > {
      const rows = await db
        .select({ status: artifacts.status, files: count(), bytes: sum(artifacts.size) })
        .from(artifacts)
        .groupBy(artifacts.status)
        .orderBy(asc(artifacts.status));
      return rows.map(({ status, files, bytes }) => ({ status, files, bytes: Number(bytes ?? 0) }));
    },
  };
}

export type ArtifactsRepository = ReturnType<typeof createArtifactsRepository>;

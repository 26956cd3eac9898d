import {
  and,
  arrayContains,
  arrayOverlaps,
  asc,
  count,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNotNull,
  lt,
  or,
  sql,
  sum,
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Segment } from '@engram/extraction';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type ArtifactRow,
  artifacts,
  artifactTexts,
  type NewArtifact,
} from './artifacts.tables.ts';

/** Characters in each stored part of a text. */
const TEXT_PART_LENGTH = 500_000;

/** Where a part ends that begins at `begin`: never between the halves of one character. */
function partEnd(text: string, begin: number): number {
  const end = Math.min(text.length, begin + TEXT_PART_LENGTH);
  return end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

export type SortKey = 'created' | 'name' | 'size';

export interface ListFilter {
  userId: string;
  q?: string | undefined;
  archived?: boolean | undefined;
  keyword?: string | undefined;
}

export interface Page {
  sort: SortKey;
  descending: boolean;
  limit?: number | undefined;
  /** The sort value and id of the last row of the page before. */
  after?: { value: string | number; id: string } | undefined;
}

/** What an artifact's reading may change. */
export type ReadingState = Partial<
  Pick<
    ArtifactRow,
    'status' | 'statusReason' | 'progress' | 'indexed' | 'title' | 'language' | 'preview'
  >
>;

const sortColumns: Record<SortKey, PgColumn> = {
  created: artifacts.createdAt,
  name: artifacts.fileName,
  size: artifacts.size,
};

/** What answers and the history show of a file. */
export type NamedFile = Pick<
  ArtifactRow,
  | 'id'
  | 'userId'
  | 'groupId'
  | 'fileName'
  | 'mediaType'
  | 'size'
  | 'archived'
  | 'status'
  | 'preview'
  | 'createdAt'
>;

const namedFile = {
  id: artifacts.id,
  userId: artifacts.userId,
  groupId: artifacts.groupId,
  fileName: artifacts.fileName,
  mediaType: artifacts.mediaType,
  size: artifacts.size,
  archived: artifacts.archived,
  status: artifacts.status,
  preview: artifacts.preview,
  createdAt: artifacts.createdAt,
};

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/gu, String.raw`\$&`);

const matching = ({ userId, q, archived, keyword }: ListFilter): SQL | undefined =>
  and(
    eq(artifacts.userId, userId),
    q ? ilike(artifacts.fileName, `%${escapeLike(q)}%`) : undefined,
    archived === undefined ? undefined : eq(artifacts.archived, archived),
    keyword ? arrayContains(artifacts.keywords, [keyword]) : undefined,
  );

function afterCursor({ sort, descending, after }: Page): SQL | undefined {
  if (!after) return undefined;
  const column = sortColumns[sort];
  const value = sort === 'created' ? new Date(after.value) : after.value;
  const beyond = descending ? lt : gt;
  return or(beyond(column, value), and(eq(column, value), beyond(artifacts.id, after.id)));
}

/** SQL over artifacts and their texts. Every call names the owner. */
export function createArtifactsRepository({ db }: Pick<Database, 'db'>) {
  const owned = (userId: string, id: string) =>
    and(eq(artifacts.id, id), eq(artifacts.userId, userId));

  return {
    /**
     * Inserts an artifact. When the same bytes are there already, keywords that they did not have
     * are merged into them, and they are to be read once more: a file is found by its keywords too.
     */
    async insertOrMerge(
      tx: Executor,
      row: NewArtifact,
    ): Promise<{ id: string; created: boolean; toRead: boolean; revision: number }> {
      const nothingNew = sql`excluded.keywords <@ ${artifacts.keywords}`;
      const [stored] = await tx
        .insert(artifacts)
        .values(row)
        .onConflictDoUpdate({
          target: [artifacts.userId, artifacts.sha256],
          set: {
            keywords: sql`ARRAY(SELECT DISTINCT unnest(${artifacts.keywords} || excluded.keywords))`,
            status: sql`CASE WHEN ${nothingNew} THEN ${artifacts.status} ELSE 'PENDING' END`,
            revision: sql`${artifacts.revision} + CASE WHEN ${nothingNew} THEN 0 ELSE 1 END`,
            updatedAt: row.updatedAt,
          },
        })
        .returning({
          id: artifacts.id,
          status: artifacts.status,
          revision: artifacts.revision,
        });
      if (!stored) throw new Error('the artifact was not stored');
      const { id, status, revision } = stored;
      return { id, created: id === row.id, toRead: status === 'PENDING', revision };
    },

    async find(
      userId: string,
      id: string,
      executor: Executor = db,
    ): Promise<ArtifactRow | undefined> {
      const [row] = await executor.select().from(artifacts).where(owned(userId, id));
      return row;
    },

    /** Of the given files those that are the user's, as answers name them. */
    findMany: (userId: string, ids: readonly string[]): Promise<NamedFile[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db
            .select(namedFile)
            .from(artifacts)
            .where(
              and(
                eq(artifacts.userId, userId),
                // One parameter: a list of fifty costs as much to write and plan as to find.
                sql`${artifacts.id} = ANY(${sql.param([...ids])}::uuid[])`,
              ),
            ),

    list(filter: ListFilter, page: Page): Promise<ArtifactRow[]> {
      const column = sortColumns[page.sort];
      const order = page.descending ? desc : asc;
      const query = db
        .select()
        .from(artifacts)
        .where(and(matching(filter), afterCursor(page)))
        .orderBy(order(column), order(artifacts.id));
      return page.limit === undefined ? query : query.limit(page.limit);
    },

    async count(filter: ListFilter): Promise<number> {
      const [row] = await db.select({ n: count() }).from(artifacts).where(matching(filter));
      return row?.n ?? 0;
    },

    /** Bytes that the user's files take. */
    async storedBytes(userId: string): Promise<number> {
      const [row] = await db
        .select({ bytes: sum(artifacts.size) })
        .from(artifacts)
        .where(eq(artifacts.userId, userId));
      return Number(row?.bytes ?? 0);
    },

    async exist(userId: string): Promise<boolean> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(eq(artifacts.userId, userId))
        .limit(1);
      return rows.length > 0;
    },

    async unfinished(userId: string): Promise<boolean> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(
          and(eq(artifacts.userId, userId), inArray(artifacts.status, ['PENDING', 'PROCESSING'])),
        )
        .limit(1);
      return rows.length > 0;
    },

    /** The whole text; undefined when there is no such file, empty when it has no text. */
    async text(userId: string, id: string): Promise<string | undefined> {
      const rows = await db
        .select({ text: artifactTexts.text })
        .from(artifacts)
        .leftJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(owned(userId, id))
        .orderBy(artifactTexts.part);
      return rows.length === 0 ? undefined : rows.map((row) => row.text ?? '').join('');
    },

    /** Keeps what was read from a file, in place of what was read before. */
    async saveText(
      tx: Executor,
      artifactId: string,
      { text, segments }: { text: string; segments: readonly Segment[] },
    ): Promise<void> {
      await tx.delete(artifactTexts).where(eq(artifactTexts.artifactId, artifactId));
      let next = 0;
      let begin = 0;
      for (let part = 0; begin < text.length; part += 1) {
        const end = partEnd(text, begin);
        const from = next;
        while (next < segments.length && (segments[next]?.start ?? end) < end) next += 1;
        await tx.insert(artifactTexts).values({
          artifactId,
          part,
          text: text.slice(begin, end),
          segments: segments.slice(from, next),
        });
        begin = end;
      }
    },

    /** The first part of a file's text with its segments. */
    async beginning(
      artifactId: string,
    ): Promise<{ text: string; segments: Segment[] } | undefined> {
      const [row] = await db
        .select({ text: artifactTexts.text, segments: artifactTexts.segments })
        .from(artifactTexts)
        .where(and(eq(artifactTexts.artifactId, artifactId), eq(artifactTexts.part, 0)));
      return row;
    },

    /** Changes the state of one reading; answers false when the file is gone or read anew since. */
    async setReading(
      executor: Executor,
      { id, revision }: { id: string; revision: number },
      state: ReadingState,
      updatedAt: Date,
    ): Promise<boolean> {
      const rows = await executor
        .update(artifacts)
        .set({ ...state, updatedAt })
        .where(and(eq(artifacts.id, id), eq(artifacts.revision, revision)))
        .returning({ id: artifacts.id });
      return rows.length > 0;
    },

    /** Starts a new reading of a failed file. */
    async restart(tx: Executor, userId: string, id: string, updatedAt: Date) {
      const [row] = await tx
        .update(artifacts)
        .set({
          status: 'PENDING',
          statusReason: null,
          progress: 0,
          revision: sql`${artifacts.revision} + 1`,
          updatedAt,
        })
        .where(and(owned(userId, id), eq(artifacts.status, 'FAILED')))
        .returning();
      return row;
    },

    async setArchived(userId: string, id: string, archived: boolean, updatedAt: Date) {
      const [row] = await db
        .update(artifacts)
        .set({ archived, updatedAt })
        .where(owned(userId, id))
        .returning();
      return row;
    },

    async delete(tx: Executor, userId: string, id: string): Promise<boolean> {
      const rows = await tx
        .delete(artifacts)
        .where(owned(userId, id))
        .returning({ id: artifacts.id });
      return rows.length > 0;
    },

    /** Ids of the files a question is narrowed to: not archived, with one of the keywords. */
    async idsWithKeywords(userId: string, keywords: readonly string[]): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.archived, false),
            arrayOverlaps(artifacts.keywords, [...keywords]),
          ),
        );
      return rows.map((row) => row.id);
    },

    async archivedIds(userId: string): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), eq(artifacts.archived, true)));
      return rows.map((row) => row.id);
    },

    /** The languages of the user's files. */
    async languages(userId: string): Promise<string[]> {
      const rows = await db
        .selectDistinct({ language: artifacts.language })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isNotNull(artifacts.language)));
      return rows.flatMap((row) => row.language ?? []);
    },

    /** The newest files whose text is in the index, as a source of questions. */
    newestReadable: (userId: string, limit: number): Promise<ArtifactRow[]> =>
      db
        .select()
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.indexed, true),
            eq(artifacts.archived, false),
          ),
        )
        .orderBy(desc(artifacts.createdAt), desc(artifacts.id))
        .limit(limit),

    /** Of the given ids those that have a row, for any user: used by the sweep of the file store. */
    async known(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(sql`${artifacts.id} = ANY(${sql.param([...ids])}::uuid[])`);
      return new Set(rows.map((row) => row.id));
    },
  };
}

export type ArtifactsRepository = ReturnType<typeof createArtifactsRepository>;

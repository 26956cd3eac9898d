import {
  and,
  arrayOverlaps,
  between,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  lt,
  ne,
  or,
  sql,
  sum,
} from 'drizzle-orm';
import type { FileType, PageWords, Segment } from '@engram/extraction';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { insertOrMerge } from './insert-or-merge.ts';
import {
  type ArtifactRow,
  artifacts,
  artifactTexts,
  artifactWords,
  type NewArtifact,
  TEXT_PART_LENGTH,
} from './artifacts.tables.ts';

/** Which files a question narrows itself to. */
export interface FileFilter {
  /** Each from one instant up to, and without, another; empty for any time. */
  uploaded: readonly { from: Date; to: Date }[];
  /** Empty for all. */
  types: readonly FileType[];
}

/** Characters of a text that are read for its first sentence. */
const OPENING = 1000;

/** Thousands of ids in one value: as rows of their own they take six times as long. */
const joinedIds = sql<string | null>`string_agg(${artifacts.id}::text, ',')`;
const splitIds = (row: { ids: string | null } | undefined): string[] => row?.ids?.split(',') ?? [];

const namedFile = {
  id: artifacts.id,
  userId: artifacts.userId,
  groupId: artifacts.groupId,
  fileName: artifacts.fileName,
  path: artifacts.path,
  mediaType: artifacts.mediaType,
  size: artifacts.size,
  archived: artifacts.archived,
  status: artifacts.status,
  preview: artifacts.preview,
  createdAt: artifacts.createdAt,
};

/** What answers and the history show of a file. */
export type NamedFile = Pick<ArtifactRow, keyof typeof namedFile>;

/** SQL over artifacts and their texts. Every call names the owner. */
export function createArtifactsRepository({ db }: Pick<Database, 'db'>) {
  const owned = (userId: string, id: string) =>
    and(eq(artifacts.id, id), eq(artifacts.userId, userId));

  return {
    insertOrMerge,

    async find(
      userId: string,
      id: string,
      executor: Executor = db,
    ): Promise<ArtifactRow | undefined> {
      const [row] = await executor.select().from(artifacts).where(owned(userId, id));
      return row;
    },

    /** The same, and nobody else changes it until the transaction ends. */
    async lock(tx: Executor, userId: string, id: string): Promise<ArtifactRow | undefined> {
      const [row] = await tx.select().from(artifacts).where(owned(userId, id)).for('update');
      return row;
    },

    /** Of the given files those that are the user's, as answers name them. */
    findMany: (userId: string, ids: readonly string[]): Promise<NamedFile[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db
            .select(namedFile)
            .from(artifacts)
            .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, ids))),

    /** Bytes that the user's files take. */
    async storedBytes(userId: string, executor: Executor = db): Promise<number> {
      const [row] = await executor
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

    /** Whether the user has files that are, or will be, searched. */
    async hasSearchable(userId: string): Promise<boolean> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.archived, false),
            ne(artifacts.status, 'FAILED'),
          ),
        )
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

    /** The segments that touch a stretch of the text; undefined when there is no such file. */
    async segments(
      userId: string,
      id: string,
      { from, to }: { from: number; to: number },
    ): Promise<Segment[] | undefined> {
      // Parts may be a unit longer than planned, and a segment may end in the part after its own.
      const [first, last] = [from, to].map((at) => Math.floor(at / TEXT_PART_LENGTH));
      const rows = await db
        .select({ segments: artifactTexts.segments })
        .from(artifacts)
        .leftJoin(
          artifactTexts,
          and(
            eq(artifactTexts.artifactId, artifacts.id),
            between(artifactTexts.part, (first ?? 0) - 1, last ?? 0),
          ),
        )
        .where(owned(userId, id))
        .orderBy(artifactTexts.part);
      if (rows.length === 0) return undefined;
      return rows
        .flatMap((row) => row.segments ?? [])
        .filter(({ start, end }) => start < to && end > from);
    },

    /**
     * Where the words recognised in a picture stand: empty where none were, undefined when there is
     * no such file. `path` names a member of an archive and is empty elsewhere.
     */
    async words(
      userId: string,
      id: string,
      { page, path }: { page: number; path: string },
    ): Promise<PageWords['words'] | undefined> {
      const [row] = await db
        .select({ words: artifactWords.words })
        .from(artifacts)
        .leftJoin(
          artifactWords,
          and(
            eq(artifactWords.artifactId, artifacts.id),
            eq(artifactWords.page, page),
            eq(artifactWords.path, path),
          ),
        )
        .where(owned(userId, id));
      return row && (row.words ?? []);
    },

    /** Says that a small picture of the file is stored; answers false when the file is gone. */
    async setThumbnail(id: string): Promise<boolean> {
      const rows = await db
        .update(artifacts)
        .set({ thumbnail: true })
        .where(eq(artifacts.id, id))
        .returning({ id: artifacts.id });
      return rows.length > 0;
    },

    /** Starts new readings of files that failed, or of which something could not be read. */
    restart: (tx: Executor, userId: string, ids: readonly string[], updatedAt: Date) =>
      tx
        .update(artifacts)
        .set({
          status: 'PENDING',
          statusReason: null,
          progress: 0,
          revision: sql`${artifacts.revision} + 1`,
          updatedAt,
        })
        .where(
          and(
            inArray(artifacts.id, [...ids]),
            eq(artifacts.userId, userId),
            or(
              eq(artifacts.status, 'FAILED'),
              and(eq(artifacts.status, 'SUCCESS'), isNotNull(artifacts.statusReason)),
            ),
          ),
        )
        .returning(),

    /** Changes what a person says of a file; undefined when there is no such file. */
    async update(
      userId: string,
      id: string,
      changes: Pick<NewArtifact, 'updatedAt'> &
        Partial<Pick<NewArtifact, 'archived' | 'fileName' | 'keywords'>>,
      tx: Executor,
    ): Promise<ArtifactRow | undefined> {
      const [row] = await tx.update(artifacts).set(changes).where(owned(userId, id)).returning();
      return row;
    },

    /** Ids of the files a question is narrowed to: not archived, with one of the keywords. */
    async idsWithKeywords(userId: string, keywords: readonly string[]): Promise<string[]> {
      const [row] = await db
        .select({ ids: joinedIds })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.archived, false),
            arrayOverlaps(artifacts.keywords, [...keywords]),
          ),
        );
      return splitIds(row);
    },

    /**
     * The names of the files that questions are answered from, and where they stand in folders: JSON of
     * a list of `{id, fileName, path}`, as one text, because thousands of rows take long to read. Those
     * that came from no folder have no path.
     */
    async names(userId: string): Promise<string> {
      const file = sql`json_strip_nulls(json_build_object('id', ${artifacts.id},
        'fileName', ${artifacts.fileName}, 'path', ${artifacts.path}))`;
      const [row] = await db
        .select({ json: sql<string>`coalesce(json_agg(${file}), '[]')::text` })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), eq(artifacts.archived, false)));
      return row?.json ?? '[]';
    },

    /**
     * What the newest files say of themselves that questions are answered from: JSON of a list of
     * `LibraryFile`, as one text. What is in none of them comes as null.
     */
    async facts(userId: string, limit: number): Promise<string> {
      const result = await db.execute<{ json: string }>(sql`
        SELECT coalesce(json_agg(file), '[]')::text AS json FROM (
          SELECT a.id AS "artifactId", a.file_name AS "fileName", f.kind,
            coalesce(f.title, a.title) AS title, f.date->>'value' AS date, f.version,
            coalesce(f.codes, '{}') AS codes
          FROM (
            SELECT id, file_name, title FROM artifacts
            WHERE user_id = ${userId} AND NOT archived
            ORDER BY created_at DESC, id DESC LIMIT ${limit}
          ) a LEFT JOIN artifact_facts f ON f.artifact_id = a.id AND f.user_id = ${userId}
        ) file`);
      return result.rows[0]?.json ?? '[]';
    },

    /** Ids of the files that were uploaded in some time or are of some types, newest first. */
    async idsOf(userId: string, { uploaded, types }: FileFilter): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.archived, false),
            or(
              ...uploaded.map(({ from, to }) =>
                and(gte(artifacts.createdAt, from), lt(artifacts.createdAt, to)),
              ),
            ),
            types.length > 0 ? inArray(artifacts.fileType, [...types]) : undefined,
          ),
        )
        .orderBy(desc(artifacts.createdAt), desc(artifacts.id));
      return rows.map((row) => row.id);
    },

    /** The first stretches of some files' texts; files without text are missing. */
    async openings(
      userId: string,
      ids: readonly string[],
    ): Promise<Map<string, { text: string; segments: Segment[] }>> {
      const rows = await db
        .select({
          id: artifacts.id,
          text: sql<string>`left(${artifactTexts.text}, ${OPENING})`,
          segments: sql<Segment[]>`jsonb_path_query_array(${artifactTexts.segments}, '$[0 to 3]')`,
        })
        .from(artifacts)
        .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(
          and(eq(artifacts.userId, userId), eq(artifactTexts.part, 0), isAnyOf(artifacts.id, ids)),
        );
      return new Map(rows.map(({ id, ...opening }) => [id, opening]));
    },

    /** The whole texts of some files; without those that have more than so many characters, or none. */
    async documents(
      userId: string,
      ids: readonly string[],
      most: number,
    ): Promise<Map<string, { text: string; segments: Segment[] }>> {
      const rows = await db
        .select({
          id: artifacts.id,
          text: artifactTexts.text,
          segments: artifactTexts.segments,
        })
        .from(artifacts)
        .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(
          and(
            eq(artifacts.userId, userId),
            eq(artifacts.archived, false),
            isAnyOf(artifacts.id, ids),
            sql`(SELECT sum(length(part.text)) FROM ${artifactTexts} AS part
              WHERE part.artifact_id = ${artifacts.id}) <= ${most}`,
          ),
        )
        .orderBy(artifactTexts.part);
      const documents = new Map<string, { text: string; segments: Segment[] }>();
      for (const { id, text, segments } of rows) {
        const before = documents.get(id) ?? { text: '', segments: [] };
        documents.set(id, {
          text: before.text + text,
          segments: [...before.segments, ...segments],
        });
      }
      return documents;
    },

    async archivedIds(userId: string): Promise<string[]> {
      const [row] = await db
        .select({ ids: joinedIds })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), eq(artifacts.archived, true)));
      return splitIds(row);
    },

    /** The languages of the user's files. */
    async languages(userId: string): Promise<string[]> {
      const rows = await db
        .selectDistinct({ language: artifacts.language })
        .from(artifacts)
        .where(and(eq(artifacts.userId, userId), isNotNull(artifacts.language)));
      return rows.flatMap((row) => row.language ?? []);
    },

    /** Of the given ids those that have a row, for any user: used by the sweep of the file store. */
    async known(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(isAnyOf(artifacts.id, ids));
      return new Set(rows.map((row) => row.id));
    },
  };
}

export type ArtifactsRepository = ReturnType<typeof createArtifactsRepository>;

import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { RecordTable } from '@engram/retrieval';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifactFacts, artifactPhrases, type ArtifactRow, artifacts } from './artifacts.tables.ts';

export interface Subject {
  fileName: string;
  /** The most characteristic first. Empty if its text is not in the index. */
  phrases: string[];
}

interface TableFile {
  id: string;
  /** Hashes of their column names: tables with the same shape have rows of the same kind. */
  shapes: string[];
  size: number;
}

export interface SourceFile extends Pick<ArtifactRow, 'id' | 'fileName' | 'fileType' | 'keywords'> {
  older: boolean;
}

const MAX_TABLE_FILES = 10_000;
/** The length of the chosen tables' JSON. */
const MAX_TABLE_CHARACTERS = 16_000_000;

/** The given files and those with rows of the same kind, up to the size limit. */
function chooseTableFiles(all: readonly TableFile[], ids: readonly string[]): string[] {
  const byId = new Map(all.map((file) => [file.id, file]));
  const chosen = new Set<string>();
  const doneShapes = new Set<string>();
  let remaining = MAX_TABLE_CHARACTERS;
  for (const id of ids) {
    const shapes = new Set(byId.get(id)?.shapes);
    // A folder may have thousands of statements of one kind, which are added with the first one.
    if (!byId.has(id) || (chosen.has(id) && shapes.isSubsetOf(doneShapes))) continue;
    const group = all.filter(
      (file) =>
        !chosen.has(file.id) && (file.id === id || file.shapes.some((shape) => shapes.has(shape))),
    );
    const size = group.reduce((sum, file) => sum + file.size, 0);
    if (size > remaining) continue;
    remaining -= size;
    for (const file of group) chosen.add(file.id);
    for (const shape of shapes) doneShapes.add(shape);
  }
  return [...chosen];
}

/** Never part of a phrase. */
const SEPARATOR = '\n';

/**
 * Queries on a user's files for search and suggestions, without archived files. Long lists are one JSON
 * text, because thousands of rows are slow to read.
 */
export function createLibraryRepository({ db }: Pick<Database, 'db'>) {
  const table = sql`json_build_object('artifactId', a.id, 'fileName', a.file_name,
    'ordinal', t.ordinal, 'name', t.name, 'fields', t.fields, 'columns', t.columns, 'rows', t.rows)`;

  /** The values of a query with one column as a JSON list. */
  const jsonList = async (query: SQL): Promise<string> => {
    const { rows } = await db.execute<{ json: string }>(sql`
      SELECT coalesce(json_agg(item), '[]')::text AS json FROM (${query}) AS list (item)`);
    return rows[0]?.json ?? '[]';
  };

  async function listReadable(userId: string, limit: number, first: 'newest' | 'oldest') {
    const order = first === 'newest' ? desc : asc;
    const { id, fileName, fileType, keywords, createdAt } = artifacts;
    // Manuals, saved pages and books come after the user's own files.
    const published = sql`(coalesce(${artifactFacts.kind}, '') = 'manual'
      OR ${fileType} IN ('html', 'epub'))`;
    const rows = await db
      .select({ id, fileName, fileType, keywords })
      .from(artifacts)
      .leftJoin(artifactFacts, eq(artifactFacts.artifactId, id))
      .where(
        and(
          eq(artifacts.userId, userId),
          eq(artifacts.indexed, true),
          eq(artifacts.archived, false),
        ),
      )
      .orderBy(published, order(createdAt), order(id))
      .limit(limit);
    return rows.map((row) => ({ ...row, older: first === 'oldest' }));
  }

  async function tableFiles(userId: string): Promise<TableFile[]> {
    const { rows } = await db.execute<TableFile & Record<string, unknown>>(sql`
      SELECT a.id, coalesce(array_agg(DISTINCT t.shape) FILTER (WHERE t.shape IS NOT NULL), '{}')
        AS shapes, sum(t.size)::int AS size
      FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
      WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND NOT t.fields
      GROUP BY a.id ORDER BY a.created_at DESC, a.id DESC LIMIT ${MAX_TABLE_FILES}`);
    return rows;
  }

  return {
    async newest(userId: string, files: number, phrases: number): Promise<Subject[]> {
      const firstPhrases = sql`(${artifactPhrases.phrases})[1:${phrases}]`;
      const rows = await db
        .select({
          fileName: artifacts.fileName,
          phrases: sql<
            string | null
          >`CASE WHEN ${artifacts.indexed} THEN array_to_string(${firstPhrases}, ${SEPARATOR}) END`,
        })
        .from(artifacts)
        .leftJoin(artifactPhrases, eq(artifactPhrases.artifactId, artifacts.id))
        .where(and(eq(artifacts.userId, userId), eq(artifacts.archived, false)))
        .orderBy(desc(artifacts.createdAt), desc(artifacts.id))
        .limit(files);
      return rows.map((row) => ({
        fileName: row.fileName,
        phrases: row.phrases ? row.phrases.split(SEPARATOR) : [],
      }));
    },

    /** The newest files whose text is in the index, the user's own files first. */
    newestReadable: (userId: string, limit: number): Promise<SourceFile[]> =>
      listReadable(userId, limit, 'newest'),

    oldestReadable: (userId: string, limit: number): Promise<SourceFile[]> =>
      listReadable(userId, limit, 'oldest'),

    names: (userId: string): Promise<string> =>
      jsonList(sql`
        SELECT json_strip_nulls(json_build_object('id', id, 'fileName', file_name, 'path', path))
        FROM artifacts WHERE user_id = ${userId} AND NOT archived`),

    /** The facts of the newest files as JSON: a list of `LibraryFile`, with null for unknown facts. */
    facts: (userId: string, limit: number): Promise<string> =>
      jsonList(sql`
        SELECT json_build_object('artifactId', a.id, 'fileName', a.file_name, 'kind', f.kind,
          'title', coalesce(f.title, a.title), 'date', f.date->>'value', 'version', f.version,
          'codes', coalesce(f.codes, '{}'))
        FROM artifacts a LEFT JOIN artifact_facts f ON f.artifact_id = a.id AND f.user_id = ${userId}
        WHERE a.user_id = ${userId} AND NOT a.archived
        ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}`),

    /**
     * The fields of all documents, then the tables of the given files, the most important first. Files
     * with rows of the same kind are added, because a sum over some of them would be wrong. Groups that
     * exceed the limit are omitted.
     */
    async tables(userId: string, ids: readonly string[]): Promise<RecordTable[]> {
      const chosen = chooseTableFiles(await tableFiles(userId), ids);
      const isOfUser = sql`t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived`;
      const from = sql`FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id`;
      const lists = await Promise.all([
        jsonList(sql`SELECT ${table} ${from} WHERE ${isOfUser} AND t.fields
          ORDER BY a.created_at DESC, a.id DESC LIMIT ${MAX_TABLE_FILES}`),
        jsonList(sql`SELECT ${table} ${from} WHERE ${isOfUser} AND NOT t.fields
          AND a.id = ANY(${sql.param(chosen)}::uuid[])
          ORDER BY array_position(${sql.param(chosen)}::uuid[], a.id), t.ordinal`),
      ]);
      return lists.flatMap((list) => JSON.parse(list) as RecordTable[]);
    },
  };
}

export type LibraryRepository = ReturnType<typeof createLibraryRepository>;

/** In its own table, so that changes to files do not wait for locks on the account's row. */
const libraryVersions = pgTable('library_versions', {
  userId: uuid('user_id').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
});

/**
 * Increments the library versions of users. Called last in every transaction that changes files or their
 * text, because it blocks other changes of the same user.
 */
export type LibraryChanged = (tx: Executor, ...userIds: string[]) => Promise<void>;

/** Each user's library has a version, which invalidates caches on all servers when files change. */
export function createLibraryVersions({ db }: Pick<Database, 'db'>) {
  return {
    async find(userId: string): Promise<number> {
      const [row] = await db
        .select({ version: libraryVersions.version })
        .from(libraryVersions)
        .where(eq(libraryVersions.userId, userId));
      return row?.version ?? 0;
    },

    /** Locks rows in the order of the ids. Deleted accounts are skipped. */
    async increment(tx: Executor, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      await tx.execute(sql`
        INSERT INTO library_versions AS library (user_id, version)
        SELECT id, 1 FROM users WHERE id = ANY(${sql.param(userIds)}::uuid[]) ORDER BY id
        ON CONFLICT (user_id) DO UPDATE SET version = library.version + 1`);
    },
  };
}

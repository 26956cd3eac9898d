import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { Database, Executor } from '../../platform/database/database.ts';
import { artifactFacts, artifactPhrases, type ArtifactRow, artifacts } from './artifacts.tables.ts';

export interface Subject {
  fileName: string;
  /** The most characteristic first. Empty if its text is not in the index. */
  phrases: string[];
}

export interface TableFile {
  id: string;
  /** Hashes of their column names: tables with the same shape have rows of the same kind. */
  shapes: string[];
  size: number;
}

export interface SourceFile extends Pick<ArtifactRow, 'id' | 'fileName' | 'fileType' | 'keywords'> {
  older: boolean;
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

  async function readable(userId: string, limit: number, first: 'newest' | 'oldest') {
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
      readable(userId, limit, 'newest'),

    oldestReadable: (userId: string, limit: number): Promise<SourceFile[]> =>
      readable(userId, limit, 'oldest'),

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

    async tableFiles(userId: string, limit: number): Promise<TableFile[]> {
      const { rows } = await db.execute<TableFile & Record<string, unknown>>(sql`
        SELECT a.id, coalesce(array_agg(DISTINCT t.shape) FILTER (WHERE t.shape IS NOT NULL), '{}')
          AS shapes, sum(t.size)::int AS size
        FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
        WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND NOT t.fields
        GROUP BY a.id ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}`);
      return rows;
    },

    fieldTables: (userId: string, limit: number): Promise<string> =>
      jsonList(sql`
        SELECT ${table} FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id
        WHERE t.user_id = ${userId} AND a.user_id = ${userId} AND NOT a.archived AND t.fields
        ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}`),

    /** The tables of some files as JSON: a list of `RecordTable` for each file. */
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

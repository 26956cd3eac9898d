import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Segment } from '@engram/extraction';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  artifactFacts,
  artifactPhrases,
  type ArtifactRow,
  artifacts,
  artifactTexts,
} from './artifacts.tables.ts';

/** What a file is called and speaks of. */
export interface Subject {
  fileName: string;
  /** The most telling first; none where its text is not in the index. */
  phrases: string[];
}

/** A file that questions are made from. */
export interface SourceFile extends Pick<ArtifactRow, 'id' | 'fileName' | 'fileType' | 'keywords'> {
  /** Whether it is one of those that were added longest ago. */
  older: boolean;
}

/** Stands in no phrase. */
const SEPARATOR = '\n';

/** SQL over what files are about. Every call names the owner. */
export function createSubjectsRepository({ db }: Pick<Database, 'db'>) {
  async function readable(
    userId: string,
    limit: number,
    first: 'newest' | 'oldest',
  ): Promise<SourceFile[]> {
    const order = first === 'newest' ? desc : asc;
    const { id, fileName, fileType, keywords, createdAt } = artifacts;
    // Manuals, saved pages and books stand behind the person's own papers.
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
    /** The newest files that are not archived, each with so many phrases at most. */
    async newest(userId: string, files: number, phrases: number): Promise<Subject[]> {
      const telling = sql`(${artifactPhrases.phrases})[1:${phrases}]`;
      const rows = await db
        .select({
          fileName: artifacts.fileName,
          // As one text: thousands of lists take longer to read than to find.
          phrases: sql<
            string | null
          >`CASE WHEN ${artifacts.indexed} THEN array_to_string(${telling}, ${SEPARATOR}) END`,
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

    /** The newest files whose text is in the index, own papers first, as a source of questions. */
    newestReadable: (userId: string, limit: number): Promise<SourceFile[]> =>
      readable(userId, limit, 'newest'),

    /** The oldest of them, the oldest first. */
    oldestReadable: (userId: string, limit: number): Promise<SourceFile[]> =>
      readable(userId, limit, 'oldest'),

    /** The beginnings of files' texts, of `length` characters at most, with the segments in them. */
    beginnings: (
      userId: string,
      artifactIds: readonly string[],
      length: number,
    ): Promise<{ artifactId: string; text: string; segments: Segment[] }[]> =>
      db
        .select({
          artifactId: artifactTexts.artifactId,
          text: sql<string>`left(${artifactTexts.text}, ${length})`,
          segments: sql<Segment[]>`(SELECT coalesce(jsonb_agg(segment), '[]')
            FROM jsonb_array_elements(${artifactTexts.segments}) AS segment
            WHERE (segment->>'end')::int <= ${length})`,
        })
        .from(artifacts)
        .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
        .where(
          and(
            eq(artifacts.userId, userId),
            isAnyOf(artifactTexts.artifactId, artifactIds),
            eq(artifactTexts.part, 0),
          ),
        ),
  };
}

export type SubjectsRepository = ReturnType<typeof createSubjectsRepository>;

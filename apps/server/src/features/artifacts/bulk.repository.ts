import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';
import { type ListFilter, matching } from './listing.repository.ts';

const KEYWORDS_PER_FILE = 50;

interface Target {
  userId: string;
  ids: readonly string[];
  updatedAt: Date;
}

const isOneOf = (userId: string, ids: readonly string[]) =>
  and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, ids));

const textList = (words: readonly string[]) => sql`${sql.param([...words])}::text[]`;

/** SQL that changes several files of a user at once. */
export function createBulkRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** The ids of all files that match, newest first. */
    async idsMatching(filter: ListFilter): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(matching(filter))
        .orderBy(desc(artifacts.createdAt), desc(artifacts.id));
      return rows.map(({ id }) => id);
    },

    /** Those of the given files that are the user's, oldest first. */
    named: (
      userId: string,
      ids: readonly string[],
    ): Promise<Pick<ArtifactRow, 'id' | 'fileName' | 'path' | 'size' | 'createdAt'>[]> =>
      db
        .select({
          id: artifacts.id,
          fileName: artifacts.fileName,
          path: artifacts.path,
          size: artifacts.size,
          createdAt: artifacts.createdAt,
        })
        .from(artifacts)
        .where(isOneOf(userId, ids))
        .orderBy(asc(artifacts.createdAt), asc(artifacts.id)),

    /** Locks the rows in the order in which uploads lock them. Returns those that exist. */
    async lock(tx: Executor, userId: string, ids: readonly string[]): Promise<string[]> {
      const rows = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(isOneOf(userId, ids))
        .orderBy(asc(artifacts.sha256))
        .for('update');
      return rows.map(({ id }) => id);
    },

    /** Adds keywords. Returns the files that were changed, and those that would have too many. */
    async tag(tx: Executor, { userId, ids, updatedAt }: Target, keywords: readonly string[]) {
      const added = sql`ARRAY(SELECT word FROM unnest(${textList(keywords)}) AS word
        WHERE word <> ALL(${artifacts.keywords}))`;
      const room = sql`cardinality(${artifacts.keywords}) + cardinality(${added})`;
      const full = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(isOneOf(userId, ids), sql`${room} > ${KEYWORDS_PER_FILE}`));
      const changed = await tx
        .update(artifacts)
        .set({ keywords: sql`${artifacts.keywords} || ${added}`, updatedAt })
        .where(
          and(
            isOneOf(userId, ids),
            sql`${room} <= ${KEYWORDS_PER_FILE}`,
            sql`NOT ${artifacts.keywords} @> ${textList(keywords)}`,
          ),
        )
        .returning({ id: artifacts.id });
      return { changed: changed.map(({ id }) => id), full: full.map(({ id }) => id) };
    },

    /** Removes keywords, ignoring case. Returns the files that had any. */
    async untag(
      tx: Executor,
      { userId, ids, updatedAt }: Target,
      keywords: readonly string[],
    ): Promise<string[]> {
      const gone = textList(keywords.map((keyword) => keyword.toLowerCase()));
      const left = sql`ARRAY(SELECT word FROM unnest(${artifacts.keywords}) WITH ORDINALITY
        AS own (word, place) WHERE lower(word) <> ALL(${gone}) ORDER BY place)`;
      const changed = await tx
        .update(artifacts)
        .set({ keywords: left, updatedAt })
        .where(
          and(
            isOneOf(userId, ids),
            sql`EXISTS (SELECT FROM unnest(${artifacts.keywords}) AS word WHERE lower(word) = ANY(${gone}))`,
          ),
        )
        .returning({ id: artifacts.id });
      return changed.map(({ id }) => id);
    },

    async setArchived(
      tx: Executor,
      { userId, ids, updatedAt }: Target,
      archived: boolean,
    ): Promise<void> {
      await tx
        .update(artifacts)
        .set({ archived, updatedAt })
        .where(and(isOneOf(userId, ids), eq(artifacts.archived, !archived)));
    },
  };
}

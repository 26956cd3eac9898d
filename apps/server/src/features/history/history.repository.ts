import { and, count, desc, eq, getTableColumns, gte, ilike, inArray, or, sql } from 'drizzle-orm';
import { containing, heldAccount, isAnyOf, olderThan } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import {
  type Contents,
  history,
  historyAudio,
  type HistoryRow,
  type NewEntry,
} from './history.tables.ts';

export interface HistoryFilter {
  userId: string;
  /** Words that must all be in the question or the answer. */
  q?: string | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  since?: Date | undefined;
}

/** Further words of a search are ignored. */
const MAX_WORDS = 10;

/** The words of a search. */
export const wordsOf = (q: string | undefined): string[] =>
  (q ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);

const contains = (word: string) => {
  const pattern = containing(word);
  return or(ilike(history.question, pattern), ilike(history.answer, pattern));
};

export const matching = ({ userId, q, archived, saved, since }: HistoryFilter) =>
  and(
    eq(history.userId, userId),
    ...wordsOf(q).map(contains),
    archived === undefined ? undefined : eq(history.archived, archived),
    saved === undefined ? undefined : eq(history.bookmarked, saved),
    since ? gte(history.createdAt, since) : undefined,
  );

// The answer is most of an entry, so that a list of questions leaves it out.
const {
  answer: _answer,
  citations: _citations,
  nearest: _nearest,
  found: _found,
  recommendations: _recommendations,
  related: _related,
  ...questionColumns
} = getTableColumns(history);

/** An entry without its answer. */
export type HistoryQuestion = Omit<HistoryRow, keyof Contents>;

const newestFirst = [desc(history.createdAt), desc(history.id)];

/** SQL over questions and answers. Calls without a user's id write rows that are locked already. */
export function createHistoryRepository({ db }: Pick<Database, 'db'>) {
  const owned = (userId: string, id: string) => and(eq(history.id, id), eq(history.userId, userId));

  return {
    /** Stores an entry. If the entry that it follows was deleted, it starts a new conversation. */
    async insert(row: NewEntry): Promise<void> {
      const { id, userId, follows } = row;
      // Locked, so that it is not deleted before the insert.
      const followed =
        follows &&
        sql`(SELECT entry.id
          FROM ${heldAccount(userId)} JOIN ${history} AS entry ON entry.user_id = account.id
          WHERE entry.id = ${follows} FOR KEY SHARE OF entry)`;
      const thread =
        follows &&
        sql`COALESCE((SELECT entry.thread FROM ${history} AS entry
          WHERE entry.id = ${follows} AND entry.user_id = ${userId}), ${id}::uuid)`;
      await db.insert(history).values({ ...row, follows: followed, thread: thread ?? id });
    },

    async find(userId: string, id: string): Promise<HistoryRow | undefined> {
      const [row] = await db.select().from(history).where(owned(userId, id));
      return row;
    },

    /** The questions of entries, by their ids. */
    async questions(userId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: history.id, question: history.question })
        .from(history)
        .where(and(eq(history.userId, userId), isAnyOf(history.id, ids)));
      return new Map(rows.map(({ id, question }) => [id, question]));
    },

    /** Newest first. */
    list(filter: HistoryFilter, limit?: number, after?: DatedRow): Promise<HistoryRow[]> {
      const query = db
        .select()
        .from(history)
        .where(and(matching(filter), olderThan(history, after)))
        .orderBy(...newestFirst);
      return limit === undefined ? query : query.limit(limit);
    },

    /** The same without the answers. */
    listQuestions: (
      filter: HistoryFilter,
      limit: number,
      after?: DatedRow,
    ): Promise<HistoryQuestion[]> =>
      db
        .select(questionColumns)
        .from(history)
        .where(and(matching(filter), olderThan(history, after)))
        .orderBy(...newestFirst)
        .limit(limit),

    async count(filter: HistoryFilter): Promise<number> {
      const [row] = await db.select({ n: count() }).from(history).where(matching(filter));
      return row?.n ?? 0;
    },

    /** Bytes of all questions, answers, quotes and sections. */
    async textSize(userId: string): Promise<number> {
      const { question, answer, citations, nearest, found } = history;
      const [row] = await db
        .select({
          bytes: sql<string | null>`sum(octet_length(${question}) + octet_length(${answer})
            + pg_column_size(${citations}) + pg_column_size(${nearest}) + pg_column_size(${found}))`,
        })
        .from(history)
        .where(eq(history.userId, userId));
      return Number(row?.bytes ?? 0);
    },

    async update(
      userId: string,
      ids: readonly string[],
      changes: { bookmarked?: boolean | undefined; archived?: boolean | undefined },
    ): Promise<void> {
      await db
        .update(history)
        .set(changes)
        .where(and(eq(history.userId, userId), inArray(history.id, [...ids])));
    },

    /** Deletes up to `limit` of the newest entries. Returns how many were deleted. */
    async deleteSome(userId: string, limit: number): Promise<number> {
      // Newest first, because newer entries refer to older ones.
      const newest = db
        .select({ id: history.id })
        .from(history)
        .where(eq(history.userId, userId))
        .orderBy(...newestFirst)
        .limit(limit);
      const { rowCount } = await db.delete(history).where(inArray(history.id, newest));
      return rowCount ?? 0;
    },

    /** Ids of the entries that contain something of one of the files. */
    async mentioning(userId: string, artifactIds: readonly string[]): Promise<string[]> {
      const newer = sql`jsonb_path_query_array(${history.found}, '$[*].newer')`;
      const mentions = sql`${history.citations} || ${history.nearest} || ${history.found} || ${newer} || ${history.related} || ${history.recommendations}`;
      const rows = await db
        .select({ id: history.id })
        .from(history)
        .where(
          and(
            eq(history.userId, userId),
            sql`EXISTS (SELECT FROM jsonb_array_elements(${mentions}) AS mention
              WHERE mention->>'artifactId' = ANY(${sql.param([...artifactIds])}::text[]))`,
          ),
        );
      return rows.map(({ id }) => id);
    },

    /** Locks entries until the transaction ends, and returns them. */
    lock: (tx: Executor, userId: string, ids: readonly string[]): Promise<HistoryRow[]> =>
      tx
        .select()
        .from(history)
        .where(and(eq(history.userId, userId), isAnyOf(history.id, ids)))
        .orderBy(history.id)
        .for('update'),

    /** Replaces the content of entries, all in one statement. */
    async replaceContents(
      tx: Executor,
      rows: readonly (Pick<HistoryRow, 'id'> & Contents)[],
    ): Promise<void> {
      const contents = rows.map(
        ({ id, answer, citations, nearest, found, related, recommendations }) => ({
          id,
          answer,
          citations,
          nearest,
          found,
          related,
          recommendations,
        }),
      );
      await tx.execute(sql`
        UPDATE ${history} SET answer = fresh.answer, citations = fresh.citations,
          nearest = fresh.nearest, found = fresh.found, related = fresh.related,
          recommendations = fresh.recommendations
        FROM jsonb_to_recordset(${JSON.stringify(contents)}::jsonb)
          AS fresh (id uuid, answer text, citations jsonb, nearest jsonb, found jsonb,
            related jsonb, recommendations jsonb)
        WHERE ${history.id} = fresh.id`);
    },

    /** The audio of an entry, which may be outdated. */
    async findAudio(userId: string, id: string) {
      const [row] = await db
        .select({ mp3: historyAudio.mp3, spokenHash: historyAudio.spokenHash })
        .from(historyAudio)
        .innerJoin(history, eq(history.id, historyAudio.historyId))
        .where(owned(userId, id));
      return row;
    },

    /** Replaces the audio of an entry. */
    async storeAudio(tx: Executor, row: typeof historyAudio.$inferInsert): Promise<void> {
      const { spokenHash, mp3, createdAt } = row;
      await tx.insert(historyAudio).values(row).onConflictDoUpdate({
        target: historyAudio.historyId,
        set: { spokenHash, mp3, createdAt },
      });
    },

    async deleteAudio(tx: Executor, ids: readonly string[]): Promise<void> {
      if (ids.length > 0) {
        await tx.delete(historyAudio).where(inArray(historyAudio.historyId, [...ids]));
      }
    },
  };
}

export type HistoryRepository = ReturnType<typeof createHistoryRepository>;

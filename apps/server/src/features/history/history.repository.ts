import { and, count, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { heldAccount } from '../../platform/database/held-account.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type HistoryFilter, matching } from './history.filter.ts';
import {
  type Contents,
  history,
  historyAudio,
  type HistoryRow,
  type NewEntry,
} from './history.tables.ts';

// What was answered is most of an entry: a list of questions goes without it.
const {
  answer: _answer,
  citations: _citations,
  nearest: _nearest,
  found: _found,
  recommendations: _recommendations,
  related: _related,
  ...questionColumns
} = getTableColumns(history);

/** Sound, and the hash of the text and the voice that it is of. */
export type KeptAudio = Pick<typeof historyAudio.$inferSelect, 'mp3' | 'spokenHash'>;

/** A question without what was answered. */
export type HistoryQuestion = Omit<HistoryRow, keyof Contents>;

const newestFirst = [desc(history.createdAt), desc(history.id)];

/**
 * SQL over the questions that were asked. Every call names the owner, but for the writes to entries
 * that {@link HistoryRepository.lock} gave to the transaction.
 */
export function createHistoryRepository({ db }: Pick<Database, 'db'>) {
  const owned = (userId: string, id: string) => and(eq(history.id, id), eq(history.userId, userId));

  return {
    /** Keeps an entry; without what it follows up on where that has gone meanwhile. */
    async insert(row: NewEntry): Promise<void> {
      const { id, userId, follows } = row;
      // Held, so that it cannot go between the look and the write.
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

    /** What was asked in some entries, by their ids. */
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

    /** The same without what was answered. */
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

    /** Bytes that questions, answers, quotes and sections take in the database. */
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

    /** Deletes the newest entries, at most so many; answers how many there were. */
    async deleteSome(userId: string, most: number): Promise<number> {
      // Those that follow up on another go first: nothing is to be changed in what is left.
      const newest = db
        .select({ id: history.id })
        .from(history)
        .where(eq(history.userId, userId))
        .orderBy(...newestFirst)
        .limit(most);
      const { rowCount } = await db.delete(history).where(inArray(history.id, newest));
      return rowCount ?? 0;
    },

    /** Ids of the entries of which something comes from one of the files. */
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

    /** Entries as they are now, held until the transaction ends. */
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

    /** The sound of an entry, whatever the entry says by now. */
    async findAudio(userId: string, id: string): Promise<KeptAudio | undefined> {
      const [row] = await db
        .select({ mp3: historyAudio.mp3, spokenHash: historyAudio.spokenHash })
        .from(historyAudio)
        .innerJoin(history, eq(history.id, historyAudio.historyId))
        .where(owned(userId, id));
      return row;
    },

    /** Keeps an entry's sound in place of an earlier one. */
    async keepAudio(tx: Executor, row: typeof historyAudio.$inferInsert): Promise<void> {
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

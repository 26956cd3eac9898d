import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  ilike,
  inArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { containing, lockedAccount, isAnyOf, olderThan } from '../../platform/database/sql.ts';
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
  q?: string | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  since?: Date | undefined;
}

const MAX_WORDS = 10;

export const wordsOf = (q: string | undefined): string[] =>
  (q ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);

const contains = (word: string) => {
  const pattern = containing(word);
  return or(ilike(history.question, pattern), ilike(history.answer, pattern));
};

const matching = ({ userId, q, archived, saved, since }: HistoryFilter) =>
  and(
    eq(history.userId, userId),
    ...wordsOf(q).map(contains),
    archived === undefined ? undefined : eq(history.archived, archived),
    saved === undefined ? undefined : eq(history.bookmarked, saved),
    since ? gte(history.createdAt, since) : undefined,
  );

// Lists of questions omit answers, which make up most of an entry.
const {
  answer: _answer,
  citations: _citations,
  nearest: _nearest,
  found: _found,
  recommendations: _recommendations,
  related: _related,
  ...questionColumns
} = getTableColumns(history);

export type HistoryQuestion = Omit<HistoryRow, keyof Contents>;

const newestFirst = [desc(history.createdAt), desc(history.id)];

/** A conversation in a list, or the same single question asked several times. */
interface ThreadRow extends DatedRow {
  id: string;
  thread: string;
  title: string;
  turns: number;
  times: number;
  saved: boolean;
  archived: boolean;
  createdAt: Date;
}

const MAX_TURNS = 200;

/** The conversations with a matching entry. Single questions with the same text have the same topic. */
const conversationsOf = (userId: string, matches: SQL | undefined): SQL => sql`
  SELECT thread, count(*)::int AS turns, bool_or(bookmarked) AS saved,
    (array_agg(question ORDER BY created_at, id))[1] AS title,
    (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE matches))[1] AS id,
    max(created_at) FILTER (WHERE matches) AS at,
    bool_and(archived) FILTER (WHERE matches) AS archived,
    CASE WHEN count(*) = 1
      THEN 'asked ' || rtrim(lower(regexp_replace(btrim(min(question)), '\\s+', ' ', 'g')), ' ?!.')
      ELSE thread::text END AS topic
  FROM (SELECT id, thread, question, created_at, bookmarked, archived, ${matches ?? sql`true`} AS matches
    FROM ${history} WHERE user_id = ${userId}) AS entry
  GROUP BY thread HAVING bool_or(matches)`;

/** Entries deleted in one statement: few, so that other statements can run in between. */
const DELETED_AT_ONCE = 100;

/** SQL over questions and answers. Methods without a user's id write rows that are already locked. */
export function createHistoryRepository({ db }: Pick<Database, 'db'>) {
  const isOwned = (userId: string, id: string) =>
    and(eq(history.id, id), eq(history.userId, userId));
  const isOneOf = (userId: string, ids: readonly string[]) =>
    and(eq(history.userId, userId), isAnyOf(history.id, ids));

  const textsOf =
    (column: typeof history.question | typeof history.answer) =>
    async (userId: string, ids: readonly string[]): Promise<Map<string, string>> => {
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: history.id, text: column })
        .from(history)
        .where(isOneOf(userId, ids));
      return new Map(rows.map(({ id, text }) => [id, text]));
    };

  return {
    /** Stores an entry. It starts a new conversation if the entry that it follows was deleted. */
    async insert(row: NewEntry, executor: Executor = db): Promise<void> {
      const { id, userId, follows } = row;
      // Locked, so that it is not deleted before the insert.
      const followed =
        follows &&
        sql`(SELECT entry.id
          FROM ${lockedAccount(userId)} JOIN ${history} AS entry ON entry.user_id = account.id
          WHERE entry.id = ${follows} FOR KEY SHARE OF entry)`;
      const thread =
        follows &&
        sql`COALESCE((SELECT entry.thread FROM ${history} AS entry
          WHERE entry.id = ${follows} AND entry.user_id = ${userId}), ${id}::uuid)`;
      await executor.insert(history).values({ ...row, follows: followed, thread: thread ?? id });
    },

    async find(userId: string, id: string): Promise<HistoryRow | undefined> {
      const [row] = await db.select().from(history).where(isOwned(userId, id));
      return row;
    },

    questions: textsOf(history.question),

    answers: textsOf(history.answer),

    list(filter: HistoryFilter, limit?: number, after?: DatedRow): Promise<HistoryRow[]> {
      const query = db
        .select()
        .from(history)
        .where(and(matching(filter), olderThan(history, after)))
        .orderBy(...newestFirst);
      return limit === undefined ? query : query.limit(limit);
    },

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

    newestQuestions: (userId: string, limit: number) =>
      db
        .select({ question: history.question, grounded: history.grounded })
        .from(history)
        .where(matching({ userId, archived: false }))
        .orderBy(...newestFirst)
        .limit(limit),

    findMany: (userId: string, ids: readonly string[]): Promise<HistoryRow[]> =>
      db
        .select()
        .from(history)
        .where(isOneOf(userId, ids))
        .orderBy(asc(history.createdAt), asc(history.id)),

    count: async (filter: HistoryFilter): Promise<number> => db.$count(history, matching(filter)),

    /** A page, newest first, with the number of all conversations, which is 0 for an empty page. */
    async listThreads(
      filter: HistoryFilter,
      limit: number | undefined,
      after?: DatedRow,
    ): Promise<{ page: ThreadRow[]; total: number }> {
      const whereOlder =
        after &&
        sql`WHERE (at, id) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
      const { rows } = await db.execute(sql`
        WITH conversations AS (${conversationsOf(filter.userId, matching(filter))}),
        rows AS (
          SELECT (array_agg(id ORDER BY at DESC, id DESC))[1] AS id,
            (array_agg(thread ORDER BY at DESC, id DESC))[1] AS thread,
            (array_agg(title ORDER BY at DESC, id DESC))[1] AS title,
            max(turns) AS turns, count(*)::int AS times, bool_or(saved) AS saved,
            bool_and(archived) AS archived, max(at) AS at
          FROM conversations GROUP BY topic
        )
        SELECT *, (SELECT count(*)::int FROM rows) AS total FROM rows
        ${whereOlder ?? sql``} ORDER BY at DESC, id DESC
        ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`);
      const items = rows as (Omit<ThreadRow, 'createdAt'> & { at: string | Date; total: number })[];
      return {
        page: items.map(({ at, total: _total, ...row }) => ({ ...row, createdAt: new Date(at) })),
        total: items[0]?.total ?? 0,
      };
    },

    async latest(userId: string, question: string): Promise<string | undefined> {
      const [row] = await db
        .select({ id: history.id })
        .from(history)
        .where(and(eq(history.userId, userId), eq(history.question, question)))
        .orderBy(...newestFirst)
        .limit(1);
      return row?.id;
    },

    /** The conversation of an entry, oldest first. Empty if the entry does not exist. */
    async turns(userId: string, id: string): Promise<HistoryRow[]> {
      const thread = db.select({ thread: history.thread }).from(history).where(isOwned(userId, id));
      const rows = await db
        .select()
        .from(history)
        .where(and(eq(history.userId, userId), eq(history.thread, sql`(${thread})`)))
        .orderBy(...newestFirst)
        .limit(MAX_TURNS);
      return rows.toReversed();
    },

    /** Ids of the entries in the same row of the list: its conversation, or the same question again. */
    async sameRowIds(userId: string, id: string): Promise<string[]> {
      const { rows } =
        await db.execute(sql`WITH conversations AS MATERIALIZED (${conversationsOf(userId, undefined)})
        SELECT id FROM ${history} WHERE user_id = ${userId} AND thread IN (
          SELECT thread FROM conversations WHERE topic = (
            SELECT topic FROM conversations JOIN ${history} AS entry ON entry.thread = conversations.thread
            WHERE entry.id = ${id} AND entry.user_id = ${userId}))`);
      return (rows as { id: string }[]).map((row) => row.id);
    },

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
      await db.update(history).set(changes).where(isOneOf(userId, ids));
    },

    async deleteAll(userId: string): Promise<void> {
      // Newest first, because newer entries refer to older ones.
      const newest = db
        .select({ id: history.id })
        .from(history)
        .where(eq(history.userId, userId))
        .orderBy(...newestFirst)
        .limit(DELETED_AT_ONCE);
      let deleted: number | null;
      do deleted = (await db.delete(history).where(inArray(history.id, newest))).rowCount;
      while (deleted === DELETED_AT_ONCE);
    },

    async idsMentioning(userId: string, artifactIds: readonly string[]): Promise<string[]> {
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

    lock: (tx: Executor, userId: string, ids: readonly string[]): Promise<HistoryRow[]> =>
      tx.select().from(history).where(isOneOf(userId, ids)).orderBy(history.id).for('update'),

    async replaceContents(
      tx: Executor,
      rows: readonly (Pick<HistoryRow, 'id'> & Contents)[],
    ): Promise<void> {
      await tx.execute(sql`
        UPDATE ${history} SET answer = input.answer, citations = input.citations,
          nearest = input.nearest, found = input.found, related = input.related,
          recommendations = input.recommendations
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS input (id uuid, answer text, citations jsonb, nearest jsonb, found jsonb,
            related jsonb, recommendations jsonb)
        WHERE ${history.id} = input.id`);
    },

    async findAudio(userId: string, id: string) {
      const [row] = await db
        .select({ mp3: historyAudio.mp3, spokenHash: historyAudio.spokenHash })
        .from(historyAudio)
        .innerJoin(history, eq(history.id, historyAudio.historyId))
        .where(isOwned(userId, id));
      return row;
    },

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

import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type HistoryFilter, matching } from './history.repository.ts';
import { history, type HistoryRow } from './history.tables.ts';

/** A conversation in a list, or the same single question asked several times. */
interface ThreadRow extends DatedRow {
  /** The newest entry that matches the filter. */
  id: string;
  thread: string;
  /** The first question. */
  title: string;
  turns: number;
  /** How often the single question was asked. */
  times: number;
  saved: boolean;
  archived: boolean;
  /** The time of the newest entry that matches. */
  createdAt: Date;
}

/** Older turns of a conversation are not read. */
const MAX_TURNS = 200;

/**
 * The conversations with a matching entry. The topic of a single question is its text, so that the
 * same question asked again is one row.
 */
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

/** SQL over conversations. */
export function createThreads({ db }: Pick<Database, 'db'>) {
  const rowsOf = (filter: HistoryFilter): SQL => sql`
    WITH conversations AS (${conversationsOf(filter.userId, matching(filter))}),
    rows AS (
      SELECT (array_agg(id ORDER BY at DESC, id DESC))[1] AS id,
        (array_agg(thread ORDER BY at DESC, id DESC))[1] AS thread,
        (array_agg(title ORDER BY at DESC, id DESC))[1] AS title,
        max(turns) AS turns, count(*)::int AS times, bool_or(saved) AS saved,
        bool_and(archived) AS archived, max(at) AS at
      FROM conversations GROUP BY topic
    )`;

  return {
    /** A page, newest first, with the total number, which is null for an empty page. */
    async list(
      filter: HistoryFilter,
      limit: number | undefined,
      after: DatedRow | undefined,
    ): Promise<{ page: ThreadRow[]; total: number | null }> {
      const below =
        after &&
        sql`WHERE (at, id) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
      const { rows } = await db.execute(sql`${rowsOf(filter)}
        SELECT *, (SELECT count(*)::int FROM rows) AS total FROM rows
        ${below ?? sql``} ORDER BY at DESC, id DESC
        ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`);
      const found = rows as (Omit<ThreadRow, 'createdAt'> & { at: string | Date; total: number })[];
      return {
        page: found.map(({ at, total: _total, ...row }) => ({ ...row, createdAt: new Date(at) })),
        total: found[0]?.total ?? null,
      };
    },

    async count(filter: HistoryFilter): Promise<number> {
      const { rows } = await db.execute(sql`${rowsOf(filter)} SELECT count(*)::int AS n FROM rows`);
      return (rows as { n: number }[])[0]?.n ?? 0;
    },

    /** The answers of entries, by their ids. */
    async answers(userId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: history.id, answer: history.answer })
        .from(history)
        .where(and(eq(history.userId, userId), inArray(history.id, [...ids])));
      return new Map(rows.map(({ id, answer }) => [id, answer]));
    },

    /** The conversation of an entry, oldest first. Empty if there is no such entry. */
    async turns(userId: string, id: string): Promise<HistoryRow[]> {
      const thread = db
        .select({ thread: history.thread })
        .from(history)
        .where(and(eq(history.userId, userId), eq(history.id, id)));
      const rows = await db
        .select()
        .from(history)
        .where(and(eq(history.userId, userId), eq(history.thread, sql`(${thread})`)))
        .orderBy(desc(history.createdAt), desc(history.id))
        .limit(MAX_TURNS);
      return rows.toReversed();
    },

    /** Ids of the entries in the same row of the list: the conversation, or repeats of the question. */
    async alike(userId: string, id: string): Promise<string[]> {
      const { rows } =
        await db.execute(sql`WITH conversations AS MATERIALIZED (${conversationsOf(userId, undefined)})
        SELECT id FROM ${history} WHERE user_id = ${userId} AND thread IN (
          SELECT thread FROM conversations WHERE topic = (
            SELECT topic FROM conversations JOIN ${history} AS one ON one.thread = conversations.thread
            WHERE one.id = ${id} AND one.user_id = ${userId}))`);
      return (rows as { id: string }[]).map((row) => row.id);
    },
  };
}

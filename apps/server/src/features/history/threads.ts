import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type HistoryFilter, matching } from './history.filter.ts';
import { history, type HistoryRow } from './history.tables.ts';

/** One talk as a list shows it, or the same question asked several times by itself. */
export interface ThreadRow extends DatedRow {
  /** The newest entry that the list was asked for. */
  id: string;
  thread: string;
  /** The first question of the talk. */
  title: string;
  turns: number;
  /** How often it was asked by itself. */
  times: number;
  saved: boolean;
  archived: boolean;
  /** When the newest of its entries was asked. */
  createdAt: Date;
}

/** Newest turns of one talk that are read. */
const MOST_TURNS = 200;

/**
 * The talks of a person with an entry that is meant. A talk of one question has the question as its
 * topic, so that the same question asked again is one row; a talk of several is its own.
 */
const talksOf = (userId: string, meant: SQL | undefined): SQL => sql`
  SELECT thread, count(*)::int AS turns, bool_or(bookmarked) AS saved,
    (array_agg(question ORDER BY created_at, id))[1] AS title,
    (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE meant))[1] AS id,
    max(created_at) FILTER (WHERE meant) AS at,
    bool_and(archived) FILTER (WHERE meant) AS archived,
    CASE WHEN count(*) = 1
      THEN 'asked ' || rtrim(lower(regexp_replace(btrim(min(question)), '\\s+', ' ', 'g')), ' ?!.')
      ELSE thread::text END AS topic
  FROM (SELECT id, thread, question, created_at, bookmarked, archived, ${meant ?? sql`true`} AS meant
    FROM ${history} WHERE user_id = ${userId}) AS entry
  GROUP BY thread HAVING bool_or(meant)`;

/** SQL over talks: entries of the history that follow each other. */
export function createThreads({ db }: Pick<Database, 'db'>) {
  const rowsOf = (filter: HistoryFilter): SQL => sql`
    WITH talks AS (${talksOf(filter.userId, matching(filter))}),
    rows AS (
      SELECT (array_agg(id ORDER BY at DESC, id DESC))[1] AS id,
        (array_agg(thread ORDER BY at DESC, id DESC))[1] AS thread,
        (array_agg(title ORDER BY at DESC, id DESC))[1] AS title,
        max(turns) AS turns, count(*)::int AS times, bool_or(saved) AS saved,
        bool_and(archived) AS archived, max(at) AS at
      FROM talks GROUP BY topic
    )`;

  return {
    /** A page, newest first, and how many there are in all; null where the page is empty. */
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

    /** What was answered in some entries, by their ids. */
    async answers(userId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: history.id, answer: history.answer })
        .from(history)
        .where(and(eq(history.userId, userId), inArray(history.id, [...ids])));
      return new Map(rows.map(({ id, answer }) => [id, answer]));
    },

    /** The talk that an entry belongs to, oldest first; empty where there is no such entry. */
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
        .limit(MOST_TURNS);
      return rows.toReversed();
    },

    /** The entries of a row of the list that stands for an entry: its talk, and repeats of it. */
    async alike(userId: string, id: string): Promise<string[]> {
      const { rows } =
        await db.execute(sql`WITH talks AS MATERIALIZED (${talksOf(userId, undefined)})
        SELECT id FROM ${history} WHERE user_id = ${userId} AND thread IN (
          SELECT thread FROM talks WHERE topic = (
            SELECT topic FROM talks JOIN ${history} AS one ON one.thread = talks.thread
            WHERE one.id = ${id} AND one.user_id = ${userId}))`);
      return (rows as { id: string }[]).map((row) => row.id);
    },
  };
}

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
 * The talks of a person. A talk of one question has the question as its topic, so that the same
 * question asked again is one row; a talk of several is its own.
 */
const talksOf = (userId: string): SQL => sql`
  SELECT thread, count(*)::int AS turns, bool_or(bookmarked) AS saved,
    (array_agg(question ORDER BY created_at, id))[1] AS title,
    CASE WHEN count(*) = 1
      THEN 'asked ' || rtrim(lower(regexp_replace(btrim(min(question)), '\\s+', ' ', 'g')), ' ?!.')
      ELSE thread::text END AS topic
  FROM ${history} WHERE user_id = ${userId} GROUP BY thread`;

/** SQL over talks: entries of the history that follow each other. */
export function createThreads({ db }: Pick<Database, 'db'>) {
  const rowsOf = (filter: HistoryFilter): SQL => sql`
    WITH talks AS (${talksOf(filter.userId)}),
    rows AS (
      SELECT (array_agg(${history.id} ORDER BY ${history.createdAt} DESC, ${history.id} DESC))[1] AS id,
        (array_agg(talks.thread ORDER BY ${history.createdAt} DESC, ${history.id} DESC))[1] AS thread,
        (array_agg(title ORDER BY ${history.createdAt} DESC, ${history.id} DESC))[1] AS title,
        max(turns) AS turns, count(DISTINCT talks.thread)::int AS times, bool_or(talks.saved) AS saved,
        bool_and(${history.archived}) AS archived, max(${history.createdAt}) AS at
      FROM ${history} JOIN talks ON talks.thread = ${history.thread}
      WHERE ${matching(filter)} GROUP BY topic
    )`;

  return {
    /** Newest first. */
    async list(
      filter: HistoryFilter,
      limit: number | undefined,
      after: DatedRow | undefined,
    ): Promise<ThreadRow[]> {
      const below =
        after &&
        sql`WHERE (at, id) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
      const { rows } = await db.execute(sql`${rowsOf(filter)}
        SELECT id, thread, title, turns, times, saved, archived, at FROM rows
        ${below ?? sql``} ORDER BY at DESC, id DESC
        ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`);
      return (rows as (Omit<ThreadRow, 'createdAt'> & { at: string | Date })[]).map(
        ({ at, ...row }) => ({ ...row, createdAt: new Date(at) }),
      );
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
      const { rows } = await db.execute(sql`WITH talks AS (${talksOf(userId)})
        SELECT entry.id FROM ${history} AS entry JOIN talks ON talks.thread = entry.thread
        WHERE entry.user_id = ${userId} AND topic = (
          SELECT topic FROM talks JOIN ${history} AS one ON one.thread = talks.thread
          WHERE one.id = ${id} AND one.user_id = ${userId})`);
      return (rows as { id: string }[]).map((row) => row.id);
    },
  };
}

export type Threads = ReturnType<typeof createThreads>;

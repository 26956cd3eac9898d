import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss, type Db } from 'pg-boss';
import type { Database, DatabaseLog, Executor } from '../database/database.ts';
import type { StoredFailure } from './failure.ts';

/** A job taken from its queue by this process. */
export interface ClaimedJob {
  id: string;
  /** How often it was tried before. Names the attempt: a lapsed one can no longer settle the job. */
  retryCount: number;
  data: object;
  key: string | null;
  group: string | null;
  /** In the queue of dead letters: where the job failed, and why. */
  sourceName: string | null;
  sourceOutput: Partial<StoredFailure> | null;
}

/** How a queue treats its jobs. */
export interface QueueSettings {
  timeoutSeconds: number;
  retryLimit: number;
  retryDelaySeconds: number;
  /** The queue that receives what failed for good. */
  deadLetter?: string;
}

/** A job that is added. */
export interface NewJob {
  data: object;
  key?: string | undefined;
}

/** How jobs are added. */
export interface AddOptions {
  group?: string | undefined;
  startAfter?: Date | undefined;
  executor?: Executor | undefined;
}

const SCHEMA = 'jobs';
/** The partition of pg-boss's job table that holds every queue without one of its own: all of ours. */
const TABLE = `${SCHEMA}.job_common`;
/** Announces the name of a queue that has got a job, to every process on a server. */
export const CHANNEL = 'engram_jobs';
const LONGEST_RETRY_DELAY_SECONDS = 3600;
const SECONDS_PER_DAY = 86_400;
const KEEP_FAILED_SECONDS = 7 * SECONDS_PER_DAY;
/** pg-boss deletes what waits longer, without a word: far beyond any outage. */
const KEEP_WAITING_SECONDS = 3650 * SECONDS_PER_DAY;
/** Time for a job to be settled after its handler was stopped. */
const SETTLE_SECONDS = 60;
/** A claim on a server lapses when its process has not been heard of for so long. */
const HEARTBEAT_SECONDS = 60;

/**
 * Our additions to pg-boss's tables: an index by key, and each group's turn. Turns are the start
 * tags of start-time fair queueing (Goyal, Vin, Cheng 1996): a group's next job has its turn one
 * after its last, but not before the turn that the queue has reached; lower turns go first.
 */
const ADDITIONS = `
  create index if not exists job_by_key on ${TABLE} (name, singleton_key) where state <= 'active';
  create table if not exists ${SCHEMA}.turn (
    queue text not null, group_id text not null, turn integer not null, primary key (queue, group_id)
  );`;

/**
 * Takes a group's next turns, $4 of them, and drops waiting retries that the new jobs replace.
 * Answers the first turn.
 */
const takeTurns = (notify: boolean) => `
  with replaced as (
    delete from ${TABLE} where name = $1 and singleton_key = any($2::text[]) and state = 'retry'
  ), reached as (
    select coalesce(
      (select -priority from ${TABLE}
       where name = $1 and state < 'active' and not blocked and start_after <= now()
       order by priority desc, created_on limit 1),
      (select max(turn) from ${SCHEMA}.turn where queue = $1), 0) as turn
  ), taken as (
    insert into ${SCHEMA}.turn as own (queue, group_id, turn)
    select $1, $3, turn + $4::int - 1 from reached where $3::text is not null
    on conflict (queue, group_id) do update set turn = greatest(excluded.turn, own.turn + $4::int)
    returning turn
  )
  select coalesce((select turn - $4::int + 1 from taken), (select turn from reached))::int as turn
  ${notify ? `, pg_notify('${CHANNEL}', $1)` : ''}`;

/** Runs pg-boss's statements on the pool. */
function poolAdapter(database: Database): Db {
  return {
    async executeSql(text, values) {
      if (values?.length) return database.pool.query(text, values);
      // Without values it may be a block with its own BEGIN, which an error leaves open.
      const client = await database.pool.connect();
      try {
        const result = await client.query(text);
        client.release();
        const results = Array.isArray(result) ? result : [result];
        return { rows: results.flatMap(({ rows }: { rows: unknown[] }) => rows) };
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
  };
}

/** The queues as rows, kept by pg-boss and joined by our order of turns. */
export type JobStore = Awaited<ReturnType<typeof openJobStore>>;

/** Creates or upgrades the tables of the queues, and opens them. */
export async function openJobStore(database: Database, log: DatabaseLog) {
  const embedded = database.kind === 'embedded';
  const boss = new PgBoss({
    db: poolAdapter(database),
    backend: embedded ? 'pglite' : 'postgres',
    schema: SCHEMA,
    schedule: false,
    queueCacheIntervalSeconds: SECONDS_PER_DAY,
    superviseIntervalSeconds: embedded ? 300 : 20,
    monitorIntervalSeconds: embedded ? 300 : 20,
    reindex: !embedded,
    monitorVacuum: !embedded,
  });
  boss.on('error', (error) => log.error(`The job queue reported an error: ${error.message}`));
  boss.on('warning', ({ message }) => log.warn(`The job queue reported: ${message}`));
  await boss.start();
  await database.pool.query(ADDITIONS);

  const { pool } = database;

  /** Adds jobs, in their order; one that waits with the same key takes over the new data instead. */
  async function insert(
    executor: Executor,
    name: string,
    given: readonly NewJob[],
    { group, startAfter }: AddOptions,
  ): Promise<void> {
    const db = fromDrizzle(executor, sql);
    // The policy allows one waiting job a key, and counts no key as one: give each its own.
    const keyed = given.map(({ data, key }) => ({
      id: randomUUID(),
      data,
      key: key ?? randomUUID(),
    }));
    const keys = keyed.map(({ key }) => key);
    const { rows } = await db.executeSql(takeTurns(!embedded), [
      name,
      keys,
      group ?? null,
      keyed.length,
    ]);
    const first = Number(rows[0]?.turn ?? 0);
    const jobs = keyed.map(({ id, data, key }, index) => ({
      id,
      data,
      priority: group === undefined ? -first : -first - index,
      singletonKey: key,
      ...(group === undefined ? {} : { group: { id: group } }),
      ...(startAfter ? { startAfter } : {}),
    }));
    // Where the waiting job of a key is taken meanwhile, there is room for the new one again.
    for (let rest = jobs; rest.length > 0;) {
      const added = new Set((await boss.insert(name, rest, { db, returnId: true })) ?? []);
      const twins = rest.filter(({ id }) => !added.has(id));
      rest = [];
      for (const job of twins) {
        const updated = await db.executeSql(
          `update ${TABLE} set data = $3::text::jsonb
           where name = $1 and singleton_key = $2 and state = 'created' returning id`,
          [name, job.singletonKey, JSON.stringify(job.data)],
        );
        if (updated.rows.length === 0) rest.push(job);
      }
    }
  }

  return {
    stop: () => boss.stop({ graceful: false, close: false }),

    /** Creates the queue, or changes its settings. */
    async createQueue(name: string, settings: QueueSettings): Promise<void> {
      const options = {
        retryLimit: settings.retryLimit,
        retryDelay: Math.round(settings.retryDelaySeconds),
        retryBackoff: true,
        retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
        expireInSeconds: Math.min(
          Math.ceil(settings.timeoutSeconds) + SETTLE_SECONDS,
          SECONDS_PER_DAY,
        ),
        ...(embedded ? {} : { heartbeatSeconds: HEARTBEAT_SECONDS }),
        retentionSeconds: KEEP_WAITING_SECONDS,
        deleteAfterSeconds: KEEP_FAILED_SECONDS,
        ...(settings.deadLetter ? { deadLetter: settings.deadLetter } : {}),
      };
      await boss.createQueue(name, {
        ...options,
        policy: settings.deadLetter ? 'short' : 'standard',
      });
      await boss.updateQueue(name, options);
      // pg-boss asks for a queue it does not know on a connection of its own, and an enqueue inside a
      // transaction would wait for that without end: make it known now.
      await boss.findJobs(name, { key: '' });
    },

    /** Adds jobs, in the given transaction or one of their own. */
    async add(name: string, jobs: readonly NewJob[], options: AddOptions): Promise<void> {
      const { executor } = options;
      if (executor) await insert(executor, name, jobs, options);
      else await database.transaction((tx) => insert(tx, name, jobs, options));
    },

    /** Takes up to `limit` jobs that are due, in the order of their turns, of other groups than these. */
    async claim(name: string, limit: number, passedBy: string[]): Promise<ClaimedJob[]> {
      const jobs = await boss.fetch<object>(name, {
        batchSize: limit,
        includeMetadata: true,
        ignoreGroups: passedBy,
      });
      // One statement updates them all, and returns them in no order.
      jobs.sort((a, b) => b.priority - a.priority || Number(a.createdOn) - Number(b.createdOn));
      return jobs.map((job) => ({
        id: job.id,
        retryCount: job.retryCount,
        data: job.data,
        key: job.singletonKey,
        group: job.groupId ?? null,
        sourceName: job.sourceName,
        sourceOutput: job.sourceOutput,
      }));
    },

    /**
     * Removes jobs that are done: a queue keeps no history, and so its size. Does not wait for the
     * disk: whose removal a kill undoes runs again, as any job may.
     */
    async remove(name: string, jobs: ClaimedJob[]): Promise<void> {
      await pool.query(
        `with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
         delete from ${TABLE} using relaxed where name = $1 and state = 'active'
         and (id, retry_count) in (select * from unnest($2::uuid[], $3::int[]))`,
        [name, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
      );
    },

    /** Sends a job back to be tried again, or to the dead letters after its last try. */
    async fail(name: string, job: ClaimedJob, failure: StoredFailure): Promise<void> {
      const attempt = [name, job.id, job.retryCount];
      const replaced = await pool.query(
        `delete from ${TABLE} j where name = $1 and id = $2 and state = 'active' and retry_count = $3
         and exists (select from ${TABLE} newer where newer.name = $1
           and newer.singleton_key = j.singleton_key and newer.state = 'created')`,
        attempt,
      );
      if (replaced.rowCount) return;
      if (failure.permanent) {
        await pool.query(
          `update ${TABLE} set retry_limit = retry_count where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
          attempt,
        );
      }
      await boss.fail(name, [job], failure);
    },

    /** Puts a job that was not finished back to wait, as if it had not been taken. */
    async giveBack(name: string, job: ClaimedJob): Promise<void> {
      const newer = `exists (select from ${TABLE} newer where newer.name = $1
        and newer.singleton_key = j.singleton_key and newer.state = 'created')`;
      const attempt = "name = $1 and id = $2 and state = 'active' and retry_count = $3";
      await pool.query(
        `with replaced as (delete from ${TABLE} j where ${attempt} and ${newer})
         update ${TABLE} j
         set state = (case when retry_count > 0 then 'retry' else 'created' end)::${SCHEMA}.job_state,
           started_on = null, heartbeat_on = null
         where ${attempt} and not ${newer}`,
        [name, job.id, job.retryCount],
      );
    },

    /** Fails what was running when the last process was killed, and lets it run again at once. */
    async reclaimAbandoned(name: string, failure: StoredFailure): Promise<void> {
      const { rows } = await pool.query<{ id: string }>(
        `select id from ${TABLE} where name = $1 and state = 'active'`,
        [name],
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return;
      await boss.fail(name, ids, failure);
      await pool.query(
        `update ${TABLE} set start_after = now() where name = $1 and id = any($2::uuid[]) and state = 'retry'`,
        [name, ids],
      );
    },

    /** Tells the server that this process still works on the jobs. */
    async touch(name: string, jobs: ClaimedJob[]): Promise<void> {
      if (!embedded && jobs.length > 0) await boss.touch(name, jobs);
    },

    /** Milliseconds until the next waiting job of other groups than these is due; `null` when none waits. */
    async millisecondsToNext(name: string, passedBy: string[]): Promise<number | null> {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select (extract(epoch from min(start_after) - clock_timestamp()) * 1000)::float8 as ms
         from ${TABLE} where name = $1 and state < 'active'
         and (group_id is null or group_id <> all($2::text[]))`,
        [name, passedBy],
      );
      return rows[0]?.ms ?? null;
    },

    /** Whether any of the queues holds a job that waits or runs. */
    async hasUnfinished(names: string[]): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from ${TABLE} where name = any($1::text[]) and state <= 'active' limit 1`,
        [names],
      );
      return (rowCount ?? 0) > 0;
    },

    /** Removes the jobs of some keys, waiting or running. */
    async removeKeys(name: string, keys: readonly string[]): Promise<void> {
      await pool.query(
        `delete from ${TABLE} where name = $1 and singleton_key = any($2::text[]) and state <= 'active'`,
        [name, keys],
      );
    },

    /** The data of a group's jobs that wait, run, or have failed for good and wait to be told. */
    async unfinished(name: string, group: string, deadLetters: string): Promise<object[]> {
      const { rows } = await pool.query<{ data: object }>(
        `select data from ${TABLE}
         where state <= 'active' and ((name = $1 and group_id = $2) or (name = $3 and source_name = $1))`,
        [name, group, deadLetters],
      );
      return rows.map(({ data }) => data);
    },

    /** Makes the waiting job of a key due now; `false` when none waits. */
    async hurry(name: string, key: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update ${TABLE} set start_after = now() where name = $1 and singleton_key = $2 and state < 'active'`,
        [name, key],
      );
      return (rowCount ?? 0) > 0;
    },

    /** Forgets the turns of groups in queues that are empty. */
    async forgetTurns(name: string): Promise<void> {
      await pool.query(
        `delete from ${SCHEMA}.turn where queue = $1
         and not exists (select from ${TABLE} where name = $1 and state <= 'active')`,
        [name],
      );
    },
  };
}

import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss, type Db } from 'pg-boss';
import type { Database, DatabaseLog, Executor } from '../database/database.ts';
import { migrateAlone } from '../database/migrate.ts';
import type { StoredFailure } from './failure.ts';
import {
  ADDITIONS,
  CANCELLED,
  claimWhere,
  COUNTS,
  MS_TO_FIRST,
  NO_TWIN_ELSEWHERE,
  putBackWhere,
  SCHEMA,
  TABLE,
  takeStartTags,
  WAITS,
  WAITS_ALONE,
} from './job-statements.ts';
import { createProcesses } from './processes.ts';

export { CANCELLED, CHANNEL } from './job-statements.ts';

export interface ClaimedJob {
  id: string;
  /** Attempts that have ended. A lapsed attempt can no longer settle the job. */
  retryCount: number;
  data: object;
  key: string | null;
  group: string | null;
  /** In the dead letter queue: where the job failed, and why. */
  sourceName: string | null;
  sourceOutput: Partial<StoredFailure> | null;
}

type ClaimedRow = ClaimedJob & { name: string; turn: number; createdOn: number };

export interface QueueSettings {
  timeoutSeconds: number;
  retryLimit: number;
  retryDelaySeconds: number;
  deadLetter?: string | undefined;
}

export interface NewJob {
  data: object;
  key?: string | undefined;
}

export interface EnqueueOptions {
  /**
   * At most one job of a key waits: it gets the new data, and is due at once unless there is a
   * `startAfter`. A job that waits for its retry is replaced. Two jobs of a key never run at once.
   */
  key?: string;
  /** The user's id: groups are queued fairly. */
  group?: string | undefined;
  tx?: Executor | undefined;
  startAfter?: Date | undefined;
}

export type JobsOptions = Omit<EnqueueOptions, 'key'>;

const LONGEST_RETRY_DELAY_SECONDS = 3600;
const SECONDS_PER_DAY = 86_400;
const KEEP_FAILED_SECONDS = 7 * SECONDS_PER_DAY;
/** pg-boss silently deletes jobs that wait longer. */
const KEEP_WAITING_SECONDS = 3650 * SECONDS_PER_DAY;
const SETTLE_SECONDS = 60;

export interface JobCount {
  queue: string;
  /** `later`: not due yet. */
  state: 'waiting' | 'later' | 'running' | 'failed';
  count: number;
  /** Seconds for which the oldest one has been due, or has run. */
  oldestSeconds: number;
}

/** The new retry limit after a failure, in SQL; null if it stays. */
function limitAfter({ permanent, outage }: StoredFailure): string | null {
  if (permanent) return 'retry_count';
  return outage ? 'retry_limit + 1' : null;
}

function poolAdapter(database: Database): Db {
  return {
    async executeSql(text, values) {
      if (values?.length) return database.pool.query(text, values);
      // Without values it may be a block with its own BEGIN, which an error would leave open.
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
  // Servers that start together must not create the tables at the same time.
  await migrateAlone(database, async () => {
    await boss.start();
    await database.pool.query(ADDITIONS);
  });

  const { pool } = database;
  const own = randomUUID();
  // No other process runs jobs on an embedded database.
  const waits = embedded ? WAITS : `${WAITS} and ${NO_TWIN_ELSEWHERE}`;

  /** Adds jobs in their order. A waiting job of the same key gets the new data and due time instead. */
  async function insert(
    executor: Executor,
    name: string,
    given: readonly NewJob[],
    { group, startAfter }: JobsOptions,
  ): Promise<void> {
    const db = fromDrizzle(executor, sql);
    // The policy allows one waiting job for each key, and jobs without one share a key.
    const keyed = given.map(({ data, key }) => ({
      id: randomUUID(),
      data,
      key: key ?? randomUUID(),
    }));
    const keys = keyed.map(({ key }) => key);
    const { rows } = await db.executeSql(takeStartTags(!embedded), [
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
    // If the waiting job of a key is claimed meanwhile, the new one can be inserted.
    for (let rest = jobs; rest.length > 0;) {
      const added = new Set((await boss.insert(name, rest, { db, returnId: true })) ?? []);
      const twins = rest.filter(({ id }) => !added.has(id));
      rest = [];
      for (const job of twins) {
        const updated = await db.executeSql(
          `update ${TABLE} set data = $3::text::jsonb
           ${startAfter ? '' : ', start_after = least(start_after, now())'}
           where name = $1 and singleton_key = $2 and state = 'created' returning id`,
          [name, job.singletonKey, JSON.stringify(job.data)],
        );
        if (updated.rows.length === 0) rest.push(job);
      }
    }
  }

  return {
    stop: () => boss.stop({ graceful: false, close: false }),

    async createQueue(name: string, settings: QueueSettings): Promise<void> {
      const { retryLimit, retryDelaySeconds, timeoutSeconds, deadLetter } = settings;
      const options = {
        retryLimit,
        retryDelay: Math.round(retryDelaySeconds),
        retryBackoff: true,
        retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
        expireInSeconds: Math.min(Math.ceil(timeoutSeconds) + SETTLE_SECONDS, SECONDS_PER_DAY),
        retentionSeconds: KEEP_WAITING_SECONDS,
        deleteAfterSeconds: KEEP_FAILED_SECONDS,
        ...(deadLetter ? { deadLetter } : {}),
      };
      await boss.createQueue(name, { ...options, policy: deadLetter ? 'short' : 'standard' });
      await boss.updateQueue(name, options);
      // pg-boss looks up an unknown queue on another connection, which would deadlock an enqueue inside
      // a transaction.
      await boss.findJobs(name, { key: '' });
    },

    async add(name: string, jobs: readonly NewJob[], options: JobsOptions): Promise<void> {
      const { tx } = options;
      if (tx) await insert(tx, name, jobs, options);
      else await database.transaction((own) => insert(own, name, jobs, options));
    },

    processes: createProcesses(pool, own, embedded, (name, id, why) => boss.fail(name, id, why)),

    async claim(name: string, limit: number, excludedGroups: string[]): Promise<ClaimedJob[]> {
      const { rows } = await pool.query<ClaimedRow>(
        claimWhere(`name = $3 and ${waits} and (group_id is null or group_id <> all($4::text[]))`),
        [own, limit, name, excludedGroups],
      );
      // The statement returns them in no order.
      return rows.toSorted((a, b) => a.turn - b.turn || a.createdOn - b.createdOn);
    },

    async claimAlone(names: string[]): Promise<(ClaimedJob & { name: string }) | undefined> {
      const { rows } = await pool.query<ClaimedRow>(
        claimWhere(`name = any($3::text[]) and ${WAITS_ALONE}`),
        [own, 1, names],
      );
      return rows[0];
    },

    /** Deletes finished jobs without waiting for the disk, so a job may run twice after a crash. */
    async remove(name: string, jobs: ClaimedJob[]): Promise<void> {
      await pool.query(
        `with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
         delete from ${TABLE} using relaxed where name = $1 and state = 'active' and process = $4
         and (id, retry_count) in (select * from unnest($2::uuid[], $3::int[]))`,
        [name, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount), own],
      );
    },

    /** Schedules a retry, or moves the job to the dead letters after its last attempt. */
    async fail(name: string, job: ClaimedJob, failure: StoredFailure): Promise<void> {
      const attempt = [name, job.id, job.retryCount, own];
      const isMine = `name = $1 and id = $2 and state = 'active' and retry_count = $3 and process = $4`;
      const replaced = await pool.query(
        `delete from ${TABLE} j where ${isMine} and exists (select from ${TABLE} newer where newer.name = $1
           and newer.singleton_key = j.singleton_key and newer.state = 'created')`,
        attempt,
      );
      if (replaced.rowCount) return;
      const limit = limitAfter(failure);
      if (limit !== null) {
        await pool.query(`update ${TABLE} set retry_limit = ${limit} where ${isMine}`, attempt);
      }
      await boss.fail(name, [job], failure);
    },

    async putBack(name: string, job: ClaimedJob): Promise<void> {
      await pool.query(
        putBackWhere('name = $1 and id = $2 and retry_count = $3 and process = $4', 0),
        [name, job.id, job.retryCount, own],
      );
    },

    async millisecondsToNext(name: string, excludedGroups: string[]): Promise<number | null> {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select ${MS_TO_FIRST} from ${TABLE} own where $1::uuid is not null
         and name = $2 and ${waits} and (group_id is null or group_id <> all($3::text[]))`,
        [own, name, excludedGroups],
      );
      return rows[0]?.ms ?? null;
    },

    async millisecondsToNextAlone(names: string[]): Promise<number | null> {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select ${MS_TO_FIRST} from ${TABLE} where name = any($1::text[]) and ${WAITS_ALONE}`,
        [names],
      );
      return rows[0]?.ms ?? null;
    },

    async hasUnfinished(names: string[]): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from ${TABLE} where name = any($1::text[]) and state <= 'active' limit 1`,
        [names],
      );
      return (rowCount ?? 0) > 0;
    },

    async deleteByKeys(name: string, keys: readonly string[]): Promise<void> {
      await pool.query(
        `with removed as (delete from ${TABLE} where name = $1 and singleton_key = any($2::text[])
           and state <= 'active' returning process)
         select ${embedded ? '' : `pg_notify('${CANCELLED}', $1)`} from removed where process is not null limit 1`,
        [name, keys],
      );
    },

    /** The data of a group's jobs that wait, run, or have failed and are not reported yet. */
    async unfinished(name: string, group: string, deadLetters: string): Promise<object[]> {
      const { rows } = await pool.query<{ data: object }>(
        `select data from ${TABLE}
         where state <= 'active' and ((name = $1 and group_id = $2) or (name = $3 and source_name = $1))`,
        [name, group, deadLetters],
      );
      return rows.map(({ data }) => data);
    },

    async makeDue(name: string, key: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update ${TABLE} set start_after = now() where name = $1 and singleton_key = $2 and state < 'active'`,
        [name, key],
      );
      return (rowCount ?? 0) > 0;
    },

    async counts(): Promise<JobCount[]> {
      const { rows } = await pool.query<JobCount>(COUNTS);
      return rows;
    },

    async deleteStartTags(name: string): Promise<void> {
      await pool.query(
        `delete from ${SCHEMA}.turn where queue = $1
         and not exists (select from ${TABLE} where name = $1 and state <= 'active')`,
        [name],
      );
    },
  };
}

export type JobStore = Awaited<ReturnType<typeof openJobStore>>;

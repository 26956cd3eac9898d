import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../database/database.ts';
import type { StoredFailure } from './failure.ts';

export const ENQUEUED_CHANNEL = 'engram_jobs';
/** Notifies other processes that running jobs were cancelled. */
export const CANCELLED_CHANNEL = 'engram_jobs_cancelled';
/** The interruptions after which a job is quarantined. */
const QUARANTINE_AFTER = 3;
/** The interruptions after which a job fails. The later ones occurred while it ran alone. */
const FAIL_AFTER = 8;
/** A worker without a heartbeat for this time is considered dead. */
const WORKER_TIMEOUT_SECONDS = 15;
const CRASHES_PROCESS: StoredFailure = {
  message: 'Engram crashed each time it processed this.',
  permanent: true,
  outage: false,
  details: {},
};
const MAX_BACKOFF_SECONDS = 3600;
const FAILED_DAYS = 7;

export interface ClaimedJob {
  id: string;
  data: object;
  key: string | null;
  group: string | null;
  /** Attempts that failed. */
  attempts: number;
  /** Attempts that an outage ended. They only increase the backoff. */
  outages: number;
  /** Why the job failed permanently, until it is reported. */
  failure: StoredFailure | null;
}

export interface Retries {
  retryLimit: number;
  /** The delay of the first retry, at least 1. It doubles with jitter, up to an hour. */
  retryDelaySeconds: number;
}

export interface NewJob {
  data: object;
  key?: string | undefined;
}

export interface EnqueueOptions {
  /**
   * At most one job with a key waits. It gets the new data, and is due immediately unless there is a
   * `startAfter`. Jobs with the same key never run in parallel.
   */
  key?: string;
  /** The user's id. Groups are queued fairly. */
  group?: string | undefined;
  tx?: Executor | undefined;
  startAfter?: Date | undefined;
}

export type JobsOptions = Omit<EnqueueOptions, 'key'>;

export interface JobCount {
  queue: string;
  /** `later`: not due yet. */
  state: 'waiting' | 'later' | 'running' | 'failed';
  count: number;
  /** How long the oldest one has been due or running. */
  oldestSeconds: number;
}

const isAnyId = (jobs: readonly Pick<ClaimedJob, 'id'>[]): SQL =>
  sql`id = any(${sql.param(jobs.map(({ id }) => id))}::bigint[])`;

const isOutside = (groups: readonly string[]): SQL =>
  sql`(group_id is null or group_id <> all(${sql.param(groups)}::text[]))`;

const failWith = (failure: StoredFailure): SQL =>
  sql`failure = ${JSON.stringify(failure)}::jsonb, attempts = 0, outages = 0, interruptions = 0,
    run_at = now()`;

const isQuarantined = sql`interruptions >= ${sql.raw(String(QUARANTINE_AFTER))}`;

/** Stores jobs and workers. This process is one worker. */
export function createJobStore({ db, kind }: Pick<Database, 'db' | 'kind'>) {
  const embedded = kind === 'embedded';
  const worker = randomUUID();
  const isMine = sql`state = 'active' and worker_id = ${worker}`;
  // No other process runs jobs on an embedded database.
  const isFree = embedded
    ? sql`true`
    : sql`not exists (select from jobs twin where twin.queue = own.queue and twin.key = own.key
        and twin.state = 'active' and twin.worker_id is distinct from ${worker})`;
  const mayRun = (queue: string, excludedGroups: readonly string[]): SQL =>
    sql`queue = ${queue} and not ${isQuarantined} and ${isOutside(excludedGroups)} and ${isFree}`;

  /** Claims jobs in order. Fails if another process has removed this worker as dead. */
  async function claimWhere(condition: SQL, limit: number): Promise<ClaimedJob[]> {
    const { rows } = await db.execute<ClaimedJob & Record<string, unknown>>(sql`
      with next as (
        select id from jobs own where state = 'waiting' and run_at <= now() and ${condition}
        order by start_tag, id limit ${limit} for update skip locked
      ), claimed as (
        update jobs set state = 'active', claimed_at = now(), worker_id = ${worker}
        from next where jobs.id = next.id returning jobs.*
      )
      select id, data, key, group_id as "group", attempts, outages, failure
      from claimed order by start_tag, id`);
    return rows;
  }

  /** Makes active jobs wait again, and deletes those that a newer job with the same key replaces. */
  async function release(condition: SQL, changes: SQL = sql``): Promise<number> {
    const { rowCount } = await db.execute(sql`
      with held as (
        select id, failure is null and exists (select from jobs newer where newer.queue = own.queue
          and newer.key = own.key and newer.id > own.id and newer.state <> 'failed'
          and newer.failure is null) as replaced
        from jobs own where state = 'active' and ${condition} for update
      ), deleted as (
        delete from jobs using held where jobs.id = held.id and replaced
      )
      update jobs set state = 'waiting', worker_id = null ${changes}
      from held where jobs.id = held.id and not replaced`);
    return rowCount ?? 0;
  }

  /**
   * Deletes finished jobs, and marks reported failures. Does not wait for the disk, so a job may run twice
   * after a crash.
   */
  async function complete(jobs: readonly ClaimedJob[]): Promise<void> {
    await db.execute(sql`
      with relaxed as materialized (select set_config('synchronous_commit', 'off', true)),
      failed as (
        update jobs set state = 'failed', worker_id = null, run_at = now()
        from relaxed where ${isMine} and ${isAnyId(jobs)} and failure is not null
      )
      delete from jobs using relaxed where ${isMine} and ${isAnyId(jobs)} and failure is null`);
  }

  async function millisecondsToFirst(condition: SQL): Promise<number | null> {
    const { rows } = await db.execute<{ ms: number | null }>(sql`
      select (extract(epoch from min(run_at) - clock_timestamp()) * 1000)::float8 as ms
      from jobs own where state = 'waiting' and ${condition}`);
    return rows[0]?.ms ?? null;
  }

  return {
    /** Adds jobs in order. A waiting job with the same key gets the new data instead. */
    async add(
      queue: string,
      added: readonly NewJob[],
      { tx = db, group, startAfter }: JobsOptions,
    ): Promise<void> {
      // One statement cannot update a job twice.
      const jobs = [...new Map(added.map((job, index) => [job.key ?? index, job])).values()];
      const keys = sql.param(jobs.map(({ key }) => key ?? null));
      const data = sql.param(jobs.map((job) => JSON.stringify(job.data)));
      const dueAt = sql`${startAfter?.toISOString() ?? null}::timestamptz`;
      const groupId = sql`${group ?? null}::text`;
      const isUnfinished = sql`queue = ${queue} and state <> 'failed'`;
      await tx.execute(sql`
        with first as (
          select greatest(
            (select max(start_tag) + 1 from jobs where ${isUnfinished} and group_id = ${groupId}),
            coalesce(
              (select start_tag from jobs where queue = ${queue} and state = 'waiting'
                and run_at <= now() order by start_tag, id limit 1),
              (select max(start_tag) from jobs where ${isUnfinished}),
              0)) as tag
        ), added as (
          insert into jobs as own (queue, key, group_id, start_tag, data, run_at)
          select ${queue}, new.key, ${groupId}, tag + case when ${groupId} is null then 0 else position - 1 end,
            new.data, coalesce(${dueAt}, now())
          from first, unnest(${keys}::text[], ${data}::jsonb[]) with ordinality as new (key, data, position)
          order by position
          on conflict (queue, key) where state = 'waiting' and failure is null do update
          set data = excluded.data, attempts = 0, outages = 0, run_at = case
            when ${dueAt} is null then least(own.run_at, now())
            when own.attempts + own.outages > 0 then excluded.run_at
            else own.run_at end
        )
        select pg_notify(${ENQUEUED_CHANNEL}, ${queue})`);
    },

    /** Claims the next jobs, except quarantined ones and those of some groups. */
    claim: (queue: string, limit: number, excludedGroups: readonly string[]) =>
      claimWhere(mayRun(queue, excludedGroups), limit),

    async claimQuarantined(queue: string): Promise<ClaimedJob | undefined> {
      const jobs = await claimWhere(sql`queue = ${queue} and ${isQuarantined}`, 1);
      return jobs[0];
    },

    /** Negative if a job is due, null if none waits. */
    millisecondsToNext: (queue: string, excludedGroups: readonly string[]) =>
      millisecondsToFirst(mayRun(queue, excludedGroups)),

    millisecondsToNextQuarantined: (queues: readonly string[]) =>
      millisecondsToFirst(sql`queue = any(${sql.param(queues)}::text[]) and ${isQuarantined}`),

    complete,

    /** Schedules a retry. After the last one the job waits for its failure to be reported. */
    async fail(job: ClaimedJob, failure: StoredFailure, retries: Retries): Promise<void> {
      const { retryLimit, retryDelaySeconds } = retries;
      const attempts = job.attempts + (failure.outage ? 0 : 1);
      const outages = job.outages + (failure.outage ? 1 : 0);
      const isMineNow = sql`${isMine} and ${isAnyId([job])}`;
      if (!failure.permanent && (failure.outage || attempts <= retryLimit)) {
        const backoff = Math.max(retryDelaySeconds, 1) * 2 ** (attempts + outages - 1);
        const seconds = Math.min(backoff, MAX_BACKOFF_SECONDS) * (0.5 + Math.random() / 2);
        await release(
          isMineNow,
          sql`, attempts = ${attempts}, outages = ${outages},
            run_at = now() + ${seconds}::float8 * interval '1 second'`,
        );
      } else if (job.failure) await complete([job]);
      else await release(isMineNow, sql`, ${failWith(failure)}`);
    },

    /** Puts jobs back as if they had not been claimed. */
    async putBack(jobs: readonly ClaimedJob[]): Promise<void> {
      await release(sql`${isMine} and ${isAnyId(jobs)}`);
    },

    /** Puts back jobs that this worker claimed without noticing, because the response was lost. */
    async putBackLost(queue: string, claimed: readonly ClaimedJob[]): Promise<void> {
      await release(sql`${isMine} and queue = ${queue} and not ${isAnyId(claimed)}`);
    },

    /**
     * Puts back the jobs of dead workers, and returns their number. Frequently interrupted jobs wait longer
     * each time, and finally fail.
     */
    async releaseInterrupted(backoffSeconds: number): Promise<number> {
      const released = await release(
        sql`worker_id is null`,
        sql`, interruptions = interruptions + 1, run_at = case
          when interruptions + 1 < ${QUARANTINE_AFTER} then run_at
          else greatest(run_at, now() + interval '1 second' * least(${MAX_BACKOFF_SECONDS},
            ${backoffSeconds} * 2 ^ (interruptions + 1 - ${QUARANTINE_AFTER}))) end`,
      );
      if (released === 0) return 0;
      await db.execute(sql`
        update jobs set ${failWith(CRASHES_PROCESS)}
        where state = 'waiting' and interruptions >= ${FAIL_AFTER} and failure is null`);
      return released;
    },

    /** Ends the quarantine of a job. */
    async resetInterruptions(job: ClaimedJob): Promise<void> {
      await db.execute(sql`update jobs set interruptions = 0 where ${isAnyId([job])}`);
    },

    /** The ids of jobs that this worker has lost, because they were cancelled or claimed by another one. */
    async findLost(jobs: readonly ClaimedJob[]): Promise<Set<string>> {
      const { rows } = await db.execute<{ id: string }>(
        sql`select id from jobs where ${isAnyId(jobs)} and ${isMine}`,
      );
      return new Set(jobs.map(({ id }) => id)).difference(new Set(rows.map(({ id }) => id)));
    },

    async cancel(queue: string, keys: readonly string[]): Promise<void> {
      await db.execute(sql`
        with deleted as (
          delete from jobs where queue = ${queue} and key = any(${sql.param(keys)}::text[])
            and state <> 'failed' returning worker_id
        )
        select pg_notify(${CANCELLED_CHANNEL}, '') from deleted where worker_id is not null limit 1`);
    },

    /** The data of a group's jobs that wait, run, or have an unreported failure. */
    async unfinished(queue: string, group: string): Promise<object[]> {
      const { rows } = await db.execute<{ data: object }>(sql`
        select data from jobs where queue = ${queue} and group_id = ${group} and state <> 'failed'`);
      return rows.map(({ data }) => data);
    },

    async hasUnfinished(queues: readonly string[]): Promise<boolean> {
      const { rows } = await db.execute(sql`
        select from jobs where queue = any(${sql.param(queues)}::text[]) and state <> 'failed' limit 1`);
      return rows.length > 0;
    },

    async counts(): Promise<JobCount[]> {
      const { rows } = await db.execute<JobCount & Record<string, unknown>>(sql`
        select queue, case when state = 'active' then 'running' when state = 'failed' then 'failed'
            when run_at <= now() then 'waiting' else 'later' end as state,
          count(*)::int as count,
          greatest(0, extract(epoch from now() - min(case when state = 'active' then claimed_at
            else run_at end)))::float8 as "oldestSeconds"
        from jobs group by 1, 2`);
      return rows;
    },

    async deleteOldFailed(): Promise<void> {
      await db.execute(sql`
        delete from jobs where state = 'failed' and run_at < now() - ${FAILED_DAYS} * interval '1 day'`);
    },

    /**
     * Registers this worker, so that it can claim jobs, and deletes dead ones. On an embedded database these
     * are all others.
     */
    async sendHeartbeat(): Promise<void> {
      const isDead = embedded
        ? sql`true`
        : sql`seen_at < now() - ${WORKER_TIMEOUT_SECONDS} * interval '1 second'`;
      await db.execute(sql`
        with dead as (delete from job_workers where id <> ${worker} and ${isDead})
        insert into job_workers (id, seen_at) values (${worker}, now())
        on conflict (id) do update set seen_at = excluded.seen_at`);
    },

    async unregister(): Promise<void> {
      await db.execute(sql`delete from job_workers where id = ${worker}`);
    },
  };
}

export type JobStore = ReturnType<typeof createJobStore>;

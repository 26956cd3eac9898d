import type { Pool } from 'pg';
import type { StoredFailure } from './failure.ts';
import {
  QUARANTINE_AFTER,
  putBackWhere,
  SCHEMA,
  TABLE,
  FAIL_AFTER,
  WAITS_ALONE,
} from './job-statements.ts';

export const HEARTBEAT_MS = 5000;
/** Seconds without a heartbeat after which a process counts as dead. Databases may be slow. */
const TIMEOUT_SECONDS = 15;
/** Seconds after which a job that a process claimed, and does not run, counts as lost. */
const LOST_AFTER_SECONDS = 60;

interface HeldJob {
  id: string;
}

/** The processes that run jobs. Each sends heartbeats, and releases the jobs of dead ones. */
export function createProcesses(
  pool: Pool,
  own: string,
  embedded: boolean,
  fail: (name: string, id: string, failure: StoredFailure) => Promise<unknown>,
) {
  const table = `${SCHEMA}.process`;
  const ORPHANS = `select distinct process from ${TABLE} j where state = 'active' and process is not null
    and process <> $1 and not exists (select from ${table} r where r.id = j.process)`;

  /** Unregisters processes without a heartbeat. On an embedded database these are all others. */
  const removeStaleWorkers = () =>
    pool.query(
      `delete from ${table} where id <> $1
       ${embedded ? '' : `and seen_at < now() - interval '${TIMEOUT_SECONDS} seconds'`}`,
      [own],
    );

  const register = () => pool.query(`insert into ${table} values ($1, now())`, [own]);

  /** Puts back the jobs of dead processes, and returns their number. Often interrupted ones wait, or fail. */
  async function releaseOrphans(
    names: readonly string[],
    backoffSeconds: number,
    failure: StoredFailure,
  ): Promise<number> {
    const { rows: dead } = await pool.query<{ process: string }>(ORPHANS, [own]);
    // By process: the snapshot of this statement may show a job that another process has claimed again.
    const { rows: found } = await pool.query<{ id: string }>(
      putBackWhere('name = any($1::text[]) and (process = any($2::uuid[]) or process is null)', 1),
      [names, dead.map(({ process }) => process)],
    );
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    await pool.query(
      `update ${TABLE} set start_after = greatest(start_after,
         now() + least($2 * 2 ^ (interruptions - ${QUARANTINE_AFTER}), 3600) * interval '1 second')
       where id = any($1::uuid[]) and ${WAITS_ALONE}`,
      [ids, backoffSeconds],
    );
    // Reports of failed jobs have no dead letter queue and are retried forever.
    const { rows: hopeless } = await pool.query<{ name: string; id: string }>(
      `update ${TABLE} set retry_limit = retry_count where id = any($1::uuid[]) and ${WAITS_ALONE}
       and interruptions >= ${FAIL_AFTER} and dead_letter is not null returning name, id`,
      [ids],
    );
    for (const { name, id } of hopeless) await fail(name, id, failure);
    return ids.length;
  }

  return {
    /** Call it before this process claims jobs. */
    async register(): Promise<void> {
      await removeStaleWorkers();
      await register();
    },

    async sendHeartbeat(): Promise<boolean> {
      const { rowCount } = await pool.query(`update ${table} set seen_at = now() where id = $1`, [
        own,
      ]);
      if (rowCount) return true;
      await register();
      return false;
    },

    async unregister(): Promise<void> {
      await pool.query(`delete from ${table} where id = $1`, [own]);
    },

    removeStaleWorkers,
    releaseOrphans,

    /** Puts back jobs that this process claimed but does not run, because the answer was lost. */
    async putBackLost(
      name: string,
      held: readonly HeldJob[],
      seconds = LOST_AFTER_SECONDS,
    ): Promise<void> {
      await pool.query(
        putBackWhere(
          `name = $1 and process = $2 and id <> all($3::uuid[])
           and started_on < now() - $4 * interval '1 second'`,
          0,
        ),
        [name, own, held.map(({ id }) => id), seconds],
      );
    },

    /** Which of some jobs this process has lost: cancelled, or claimed by another one. */
    async lost(name: string, held: readonly HeldJob[]): Promise<Set<string>> {
      const { rows } = await pool.query<{ id: string }>(
        `select id from ${TABLE} where name = $1 and id = any($2::uuid[]) and state = 'active' and process = $3`,
        [name, held.map(({ id }) => id), own],
      );
      const still = new Set(rows.map(({ id }) => id));
      return new Set(held.map(({ id }) => id).filter((id) => !still.has(id)));
    },

    /** Resets the interruptions of a job that the process has survived. */
    async resetInterruptions(name: string, { id }: HeldJob): Promise<void> {
      await pool.query(`update ${TABLE} set interruptions = 0 where name = $1 and id = $2`, [
        name,
        id,
      ]);
    },
  };
}

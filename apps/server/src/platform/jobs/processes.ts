import type { Pool } from 'pg';
import type { StoredFailure } from './failure.ts';
import { OFTEN, putBackWhere, SCHEMA, TABLE, TOO_OFTEN, WAITS_ALONE } from './job-statements.ts';

/** How often a process that runs jobs says that it lives, in milliseconds. */
export const BEAT_MS = 5000;
/** Seconds without a word after which it is dead: a few beats, so that a slow database ends nothing. */
const SILENT_SECONDS = 15;
/** Seconds after which what a process took, and does not hold, is not on its way any more. */
const LOST_AFTER_SECONDS = 60;

/** A job that this process runs. */
interface HeldJob {
  id: string;
}

interface ProcessesOptions {
  pool: Pool;
  /** This process. */
  own: string;
  /** Whether no other process can use the database. */
  embedded: boolean;
  /** Sends a job that has no try left to the dead letters. */
  fail: (name: string, id: string, failure: StoredFailure) => Promise<unknown>;
}

/** The processes that run jobs: each says that it lives, and takes up what a dead one leaves behind. */
export function createProcesses({ pool, own, embedded, fail }: ProcessesOptions) {
  const table = `${SCHEMA}.process`;
  /** Running jobs are of the dead when their process is none of the living, or is not known. */
  const ORPHANS = `select distinct process from ${TABLE} j where state = 'active' and process is not null
    and process <> $1 and not exists (select from ${table} r where r.id = j.process)`;

  /** Forgets the dead. On an embedded database it is everybody else. */
  const bury = () =>
    pool.query(
      `delete from ${table} where id <> $1
       ${embedded ? '' : `and seen_at < now() - interval '${SILENT_SECONDS} seconds'`}`,
      [own],
    );

  const enter = () => pool.query(`insert into ${table} values ($1, now())`, [own]);

  /**
   * Lets the jobs of dead processes run again. What ended its process often runs alone, and waits
   * until this one has run for a while, twice as long each time, so that an end that has nothing to
   * do with it hardly meets it again; after the last time it has failed. Answers how many there were.
   */
  async function takeUp(
    names: readonly string[],
    quietSeconds: number,
    failure: StoredFailure,
  ): Promise<number> {
    const { rows: dead } = await pool.query<{ process: string }>(ORPHANS, [own]);
    // By name, and not by being none of the living: a row that another process has taken up and given
    // to a job meanwhile would be judged by what this statement saw before.
    const { rows: found } = await pool.query<{ id: string }>(
      putBackWhere('name = any($1::text[]) and (process = any($2::uuid[]) or process is null)', 1),
      [names, dead.map(({ process }) => process)],
    );
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    await pool.query(
      `update ${TABLE} set start_after = greatest(start_after,
         now() + least($2 * 2 ^ (interruptions - ${OFTEN}), 3600) * interval '1 second')
       where id = any($1::uuid[]) and ${WAITS_ALONE}`,
      [ids, quietSeconds],
    );
    // A report that something has failed is never given up.
    const { rows: hopeless } = await pool.query<{ name: string; id: string }>(
      `update ${TABLE} set retry_limit = retry_count where id = any($1::uuid[]) and ${WAITS_ALONE}
       and interruptions >= ${TOO_OFTEN} and dead_letter is not null returning name, id`,
      [ids],
    );
    for (const { name, id } of hopeless) await fail(name, id, failure);
    return ids.length;
  }

  return {
    /** To be called before this process takes jobs. */
    async enter(): Promise<void> {
      await bury();
      await enter();
    },

    /**
     * Says that this process lives. False when others took it for dead meanwhile: they run its jobs.
     */
    async beat(): Promise<boolean> {
      const { rowCount } = await pool.query(`update ${table} set seen_at = now() where id = $1`, [
        own,
      ]);
      if (rowCount) return true;
      await enter();
      return false;
    },

    async leave(): Promise<void> {
      await pool.query(`delete from ${table} where id = $1`, [own]);
    },

    bury,
    takeUp,

    /**
     * Lets run again what this process took so many seconds ago and does not hold: its answer, or the
     * news of its end, was lost on the way between it and the database.
     */
    async giveBackLost(
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

    /** Which of some jobs this process runs no more: they were cancelled, or are another's. */
    async lost(name: string, held: readonly HeldJob[]): Promise<Set<string>> {
      const { rows } = await pool.query<{ id: string }>(
        `select id from ${TABLE} where name = $1 and id = any($2::uuid[]) and state = 'active' and process = $3`,
        [name, held.map(({ id }) => id), own],
      );
      const still = new Set(rows.map(({ id }) => id));
      return new Set(held.map(({ id }) => id).filter((id) => !still.has(id)));
    },

    /** Forgets the interruptions of a job that the process has lived with. */
    async acquit(name: string, { id }: HeldJob): Promise<void> {
      await pool.query(`update ${TABLE} set interruptions = 0 where name = $1 and id = $2`, [
        name,
        id,
      ]);
    },
  };
}

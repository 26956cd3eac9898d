import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database, DatabaseLog } from './database.ts';
import { holdConnection } from './session-connection.ts';

/** Any number that nothing else locks. */
const ADVISORY_LOCK = 4_973_158_027;
/** A killed server holds the lock until its connection is closed. */
const TIMEOUT_MS = 3000;
const TRY_EVERY_MS = 200;

const inUse = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'The database that DATABASE_URL names is in use by a running Engram that does not share it. Stop that one first.'
    : `The database that DATABASE_URL names is in use by another running Engram. Stop that one first, or set DATABASE_URL to another database. To run beside others, this server lacks ${missing.join(' and ')}.`;

/**
 * Locks the database in a session of its own, taken again when that is lost. The lock is shared if
 * nothing is missing, and else exclusive.
 * @returns releases the lock; a second call does nothing
 * @param options `missing`: names of the settings that this server lacks to share its installation;
 * `patienceMs`: how long to wait for the end of another server
 * @throws Error with a sentence if another server is in the way
 */
export async function lockDatabase(
  { pool }: Pick<Database, 'pool'>,
  {
    log,
    missing,
    patienceMs = TIMEOUT_MS,
  }: { log: DatabaseLog; missing: readonly string[]; patienceMs?: number },
) {
  const tryLock = missing.length === 0 ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';

  async function isFree(client: PoolClient): Promise<boolean> {
    const { rows } = await client.query<{ free: boolean }>(`select ${tryLock}($1) as free`, [
      ADVISORY_LOCK,
    ]);
    return rows[0]?.free ?? false;
  }

  let again = false;
  const connection = holdConnection(pool, async (client) => {
    // The lock of a machine that is lost must not stay for hours.
    await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10');
    const until = performance.now() + (again ? 0 : patienceMs);
    while (!(await isFree(client))) {
      if (performance.now() > until) {
        if (again) log.error(inUse(missing));
        throw new Error(inUse(missing));
      }
      await sleep(TRY_EVERY_MS);
    }
  });
  await connection.open();
  again = true;
  return connection.end;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database, DatabaseLog } from './database.ts';
import { keepConnection } from './session-connection.ts';

/** An arbitrary number that identifies this lock. */
const ADVISORY_LOCK = 4_973_158_027;
/** A killed server holds the lock until its connection closes. */
const TIMEOUT_MS = 3000;
const RETRY_MS = 200;

const inUse = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'The database that DATABASE_URL names is in use by a running Engram that does not share it. Stop that one first.'
    : `The database that DATABASE_URL names is in use by another running Engram. Stop that one first, or set DATABASE_URL to another database. To run several servers, set ${missing.join(' and ')}.`;

/**
 * Locks the database in a separate session, and again if the session is lost. The lock is shared if no
 * setting is missing, otherwise exclusive.
 * @returns a function that releases the lock
 * @param options `missing`: the settings that are needed to share the installation, but not set;
 * `maxWaitMs`: how long to wait until another server has stopped
 * @throws Error if another server holds the lock
 */
export async function lockDatabase(
  { pool }: Pick<Database, 'pool'>,
  {
    log,
    missing,
    maxWaitMs = TIMEOUT_MS,
  }: { log: DatabaseLog; missing: readonly string[]; maxWaitMs?: number },
) {
  const tryLock = missing.length === 0 ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';

  async function isFree(client: PoolClient): Promise<boolean> {
    const { rows } = await client.query<{ free: boolean }>(`select ${tryLock}($1) as free`, [
      ADVISORY_LOCK,
    ]);
    return rows[0]?.free ?? false;
  }

  let isReconnect = false;
  const connection = keepConnection(pool, async (client) => {
    // Without keepalives, the lock of an unreachable machine would stay for hours.
    await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10');
    const until = performance.now() + (isReconnect ? 0 : maxWaitMs);
    while (!(await isFree(client))) {
      if (performance.now() > until) {
        if (isReconnect) log.error(inUse(missing));
        throw new Error(inUse(missing));
      }
      await sleep(RETRY_MS);
    }
  });
  await connection.open();
  isReconnect = true;
  return connection.end;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database, DatabaseLog } from './database.ts';
import { keepConnection } from './kept-connection.ts';

/** A database that is held for one server; releasing it twice does nothing. */
export interface HeldDatabase {
  release(): void;
}

/** Any number that nothing else locks. */
const ADVISORY_LOCK = 4_973_158_027;
/** A server that was killed a moment ago holds the lock until its connection is seen to have ended. */
const PATIENCE_MS = 3000;
const TRY_EVERY_MS = 200;

/** How to hold a database. */
export interface HoldOptions {
  log: DatabaseLog;
  /**
   * What this server lacks to share its installation, as the names of settings. With none missing it
   * runs beside all others that lack nothing, and else alone.
   */
  missing: readonly string[];
  /** How long the end of another server is waited for, in milliseconds. */
  patienceMs?: number;
}

const inUse = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'The database that DATABASE_URL names is in use by a running Engram that does not share it. Stop that one first.'
    : `The database that DATABASE_URL names is in use by another running Engram. Stop that one first, or set DATABASE_URL to another database. To run beside others, this server lacks ${missing.join(' and ')}.`;

/**
 * Keeps other servers off a database while this one lives, however it ends, or those alone that do
 * not share it: by a lock of a session of its own, taken again when that is lost. Rejects with a
 * sentence for a person when another server is in the way.
 */
export async function holdDatabase(
  { pool }: Pick<Database, 'pool'>,
  { log, missing, patienceMs = PATIENCE_MS }: HoldOptions,
): Promise<HeldDatabase> {
  const tryLock = missing.length === 0 ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';

  async function isFree(client: PoolClient): Promise<boolean> {
    const { rows } = await client.query<{ free: boolean }>(`select ${tryLock}($1) as free`, [
      ADVISORY_LOCK,
    ]);
    return rows[0]?.free ?? false;
  }

  let again = false;
  const connection = keepConnection(pool, async (client) => {
    // A machine that is gone without a word must not hold the lock for hours.
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
  // From now on nobody waits for it: who is in the way stands in the log.
  again = true;
  return { release: connection.end };
}

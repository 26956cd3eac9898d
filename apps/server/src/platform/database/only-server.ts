import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database, DatabaseLog } from './database.ts';

/** A database that is held for one server; releasing it twice does nothing. */
export interface HeldDatabase {
  release(): void;
}

/** Any number that nothing else locks. */
const ADVISORY_LOCK = 4_973_158_027;
/** A server that was killed a moment ago holds the lock until its connection is seen to have ended. */
const PATIENCE_MS = 3000;
const TRY_EVERY_MS = 200;
const RECONNECT_MS = 1000;

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

  const released = new AbortController();
  let held: PoolClient | null = null;

  async function hold(waitMs: number): Promise<boolean> {
    const client = await pool.connect();
    try {
      // A machine that is gone without a word must not hold the lock for hours.
      await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10');
      const until = performance.now() + waitMs;
      while (!(await isFree(client))) {
        if (performance.now() > until) {
          client.release(true);
          return false;
        }
        await sleep(TRY_EVERY_MS);
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (released.signal.aborted) {
      client.release(true);
      return true;
    }
    held = client;
    client.once('end', () => {
      client.release(true);
      void holdAgain();
    });
    return true;
  }

  async function holdAgain(): Promise<void> {
    const { signal } = released;
    for (let isHeld: boolean | null = null; isHeld !== true;) {
      await sleep(RECONNECT_MS, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      isHeld = await hold(0).catch(() => null);
      if (isHeld === false) log.error(inUse(missing));
    }
  }

  if (!(await hold(patienceMs))) throw new Error(inUse(missing));
  return {
    release() {
      released.abort();
      held?.removeAllListeners('end');
      held?.release(true);
      held = null;
    },
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Driver, OpenDatabaseOptions } from './driver.ts';
import { EMPTY_CLUSTER } from './embedded/cluster-templates.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openServer } from './open-server.ts';

export type { DatabaseLog, OpenDatabaseOptions } from './driver.ts';

type DrizzleDatabase = NodePgDatabase<Record<string, never>>;

export type Transaction = Parameters<Parameters<DrizzleDatabase['transaction']>[0]>[0];

/** The database, or a transaction. */
export type Executor = DrizzleDatabase | Transaction;

/** PostgreSQL's errors of concurrent transactions: serialization_failure, deadlock_detected. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);

const TRIES = 3;

function isConflict(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && CONFLICTS.has(cause.code)) return true;
  }
  return false;
}

export interface Database extends Driver {
  db: DrizzleDatabase;
  /**
   * Runs `fn` in a transaction (READ COMMITTED), which is rolled back if it throws. After a conflict `fn`
   * runs again, so its only side effects outside of the database must be through `afterCommit`.
   */
  transaction<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a task after the current {@link transaction} commits, or immediately outside of one. */
  afterCommit(task: () => void): void;
}

/** @throws Error if the database cannot be used, or another process uses it */
export async function openDatabase(settings: OpenDatabaseOptions): Promise<Database> {
  const options = {
    url: undefined,
    template: EMPTY_CLUSTER,
    maxConnections: 10,
    statementTimeoutMs: 60_000,
    idleInTransactionMs: 15_000,
    ...settings,
  } as Required<OpenDatabaseOptions>;
  const driver = options.url ? await openServer(options.url, options) : await openEmbedded(options);
  const db: DrizzleDatabase = drizzle(driver.pool);
  const commitTasks = new AsyncLocalStorage<(() => void)[]>();
  let closed: Promise<void> | undefined;
  return {
    ...driver,
    db,
    async transaction(fn) {
      for (let tries = 1; ; tries += 1) {
        const tasks: (() => void)[] = [];
        try {
          const result = await commitTasks.run(tasks, () => db.transaction(fn));
          for (const task of tasks) task();
          return result;
        } catch (error) {
          if (tries === TRIES || !isConflict(error)) throw error;
        }
      }
    },
    afterCommit(task) {
      const tasks = commitTasks.getStore();
      if (tasks) tasks.push(task);
      else task();
    },
    close: () => (closed ??= driver.close()),
  };
}

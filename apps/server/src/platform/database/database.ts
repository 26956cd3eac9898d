import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { withTries } from './clash.ts';
import type { Driver, OpenDatabaseOptions } from './driver.ts';
import { EMPTY_CLUSTER } from './embedded/cluster-templates.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openServer } from './open-server.ts';

export type { DatabaseLog, OpenDatabaseOptions } from './driver.ts';

/** Drizzle over node-postgres without a schema object. */
export type DrizzleDatabase = NodePgDatabase<Record<string, never>>;

/** What a transaction's function is handed. */
export type Transaction = Parameters<Parameters<DrizzleDatabase['transaction']>[0]>[0];

/** What a repository's functions run on: the database itself, or the transaction they must join. */
export type Executor = DrizzleDatabase | Transaction;

/** An open database. */
export interface Database extends Driver {
  db: DrizzleDatabase;
  /**
   * Runs `fn` in a transaction (READ COMMITTED), which is rolled back when it throws. Where it was
   * undone because it met another one (a deadlock), `fn` runs again, a few times at most: outside of
   * the transaction it does nothing but by `afterCommit`.
   */
  transaction<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a task once the surrounding {@link transaction} has committed; at once outside of one. */
  afterCommit(task: () => void): void;
}

/**
 * Opens the database. Rejects with a sentence for a person when the server cannot be used, or the
 * data folder is in use by another process.
 */
export async function openDatabase(given: OpenDatabaseOptions): Promise<Database> {
  const options = {
    url: undefined,
    template: EMPTY_CLUSTER,
    maxConnections: 10,
    statementTimeoutMs: 60_000,
    idleInTransactionMs: 15_000,
    ...given,
  } as Required<OpenDatabaseOptions>;
  const driver = options.url ? await openServer(options.url, options) : await openEmbedded(options);
  const db: DrizzleDatabase = drizzle(driver.pool);
  const commitTasks = new AsyncLocalStorage<(() => void)[]>();
  let closed: Promise<void> | undefined;
  return {
    ...driver,
    db,
    async transaction(fn) {
      let tasks: (() => void)[] = [];
      const result = await withTries(() => {
        tasks = [];
        return commitTasks.run(tasks, () => db.transaction(fn));
      });
      for (const task of tasks) task();
      return result;
    },
    afterCommit(task) {
      const tasks = commitTasks.getStore();
      if (tasks) tasks.push(task);
      else task();
    },
    close: () => (closed ??= driver.close()),
  };
}

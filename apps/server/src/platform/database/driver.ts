import type { Pool, PoolClient } from 'pg';

/** Where the database says what a person running the server should know. */
export interface DatabaseLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** How to open a database. All times in milliseconds. */
export interface OpenDatabaseOptions {
  /** `postgres://…` of a PostgreSQL 15+ server; without it the database lives in the data folder. */
  url?: string | undefined;
  /** Folder of the embedded database; not touched when there is a `url`. */
  dataDir: string;
  log: DatabaseLog;
  /**
   * The template that a new embedded database is copied from, where this installation has it.
   * Default: the empty one.
   */
  template?: string;
  /** Most connections to a server. Default 10. */
  maxConnections?: number;
  /** A statement that runs longer is ended with an error. Default 60,000. */
  statementTimeoutMs?: number;
  /** A transaction that waits longer for its next statement is rolled back. Default 15,000. */
  idleInTransactionMs?: number;
}

/** What a driver provides; PostgreSQL embedded in the data folder and a server both speak through node-postgres. */
export interface Driver {
  kind: 'embedded' | 'server';
  /**
   * The connections. Inside a transaction use the transaction alone: the embedded database lets
   * nobody else in until it ends, so waiting there for another connection would wait for itself.
   */
  pool: Pool;
  /** Runs a task whose statements may take longer than the statement timeout. */
  withoutTimeout<T>(task: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Reclaims the space of deleted rows. Does nothing on a server, whose own autovacuum does. */
  maintain(): Promise<void>;
  /**
   * Copies the database, as it is at one moment, into a data folder of its own, and holds nobody up.
   * The embedded one alone can: a server has backups of its own.
   */
  copyTo(dataDir: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A connection lost while nobody waits for it is replaced by the pool, and must not end the process. */
export function surviveLostConnections(pool: Pool, log: DatabaseLog): void {
  pool.on('error', (error) => log.warn(`A database connection was lost: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => undefined));
}

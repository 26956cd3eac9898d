import type { Pool, PoolClient } from 'pg';

export interface DatabaseLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface OpenDatabaseOptions {
  /** `postgres://…` of PostgreSQL 15 or later; without it the database is in the data folder. */
  url?: string | undefined;
  dataDir: string;
  log: DatabaseLog;
  template?: string;
  maxConnections?: number;
  statementTimeoutMs?: number;
  idleInTransactionMs?: number;
}

export interface Driver {
  kind: 'embedded' | 'server';
  /** Inside a transaction use only that: other connections of an embedded database wait for it. */
  pool: Pool;
  withoutTimeout<T>(task: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Reclaims the space of deleted rows. A server has its own autovacuum. */
  maintain(): Promise<void>;
  /** Copies the embedded database into another data folder while it is in use. Servers reject it. */
  copyTo(dataDir: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The pool replaces lost idle connections. They must not end the process. */
export function surviveLostConnections(pool: Pool, log: DatabaseLog): void {
  pool.on('error', (error) => log.warn(`A database connection was lost: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => undefined));
}

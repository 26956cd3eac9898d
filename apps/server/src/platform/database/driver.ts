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
  /** Must not be used inside a transaction, for whose end other connections of an embedded database wait. */
  pool: Pool;
  withoutTimeout<T>(task: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Reclaims the space of deleted rows. A server has its own autovacuum. */
  maintain(): Promise<void>;
  /** Copies the embedded database into another data folder while it is in use. Rejects for servers. */
  copyTo(dataDir: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Handles errors of lost connections, which would end the process. The pool replaces them. */
export function surviveLostConnections(pool: Pool, log: DatabaseLog): void {
  pool.on('error', (error) => log.warn(`A database connection was lost: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => undefined));
}

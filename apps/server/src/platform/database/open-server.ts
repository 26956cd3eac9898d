import { Pool } from 'pg';
import { surviveLostConnections, type Driver, type OpenDatabaseOptions } from './driver.ts';

const OLDEST_SERVER_VERSION = 150_000;

export async function openServer(
  url: string,
  options: Required<OpenDatabaseOptions>,
): Promise<Driver> {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: options.idleInTransactionMs,
    keepAlive: true,
  });
  surviveLostConnections(pool, options.log);
  try {
    const { rows } = await pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((rows[0]?.version ?? 0) < OLDEST_SERVER_VERSION) {
      throw new Error('it is older than PostgreSQL 15');
    }
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new Error(`The PostgreSQL server named by DATABASE_URL cannot be used: ${reason}.`, {
      cause: error,
    });
  }
  return {
    kind: 'server',
    pool,
    async withoutTimeout(task) {
      const client = await pool.connect();
      try {
        await client.query('set statement_timeout = 0');
        return await task(client);
      } finally {
        // Closes the connection, because it has no timeout.
        client.release(true);
      }
    },
    maintain: async () => undefined,
    async copyTo() {
      throw new Error('Use pg_dump or similar tools to copy a database server.');
    },
    close: () => pool.end(),
  };
}

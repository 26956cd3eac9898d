import pg from 'pg';
import { expect, test } from 'vitest';
import { keepConnection } from '../session-connection.ts';
import { lockDatabase } from '../database-lock.ts';
import { createServerDatabase, testServerUrl } from './database-suite.test-setup.ts';

async function usePool(use: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const { url, drop } = await createServerDatabase(testServerUrl ?? '');
  const pool = new pg.Pool({ connectionString: url });
  // The real database does the same: pending queries are notified of the end anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  await use(pool);
  await pool.end();
  await drop();
}

test.skipIf(!testServerUrl)('a connection that is lost is opened and prepared again', () =>
  usePool(async (pool) => {
    const prepared: unknown[] = [];
    const connection = keepConnection(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      prepared.push(rows[0]?.pid);
      if (prepared.length === 2) throw new Error('Not yet.');
    });
    await connection.open();
    await pool.query('select pg_terminate_backend($1)', [prepared[0]]);
    await expect.poll(() => prepared.length).toBe(3);
    expect(new Set(prepared).size).toBe(3);
    connection.end();
    connection.end();
  }),
);

test.skipIf(!testServerUrl)(
  'a lock that is lost is acquired again, or its new holder is reported',
  () =>
    usePool(async (pool) => {
      const events: string[] = [];
      const log = { info() {}, warn() {}, error: (line: string) => void events.push(line) };
      const options = { log, missing: ['S3'], maxWaitMs: 0 };
      const first = await lockDatabase({ pool }, options);
      await expect(lockDatabase({ pool }, options)).rejects.toThrow('in use');
      expect(events).toEqual([]);
      const waiting = lockDatabase({ pool }, { ...options, maxWaitMs: 120_000 });
      await pool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
      );
      const second = await waiting;
      await expect.poll(() => events).not.toEqual([]);
      second();
      first();
    }),
);

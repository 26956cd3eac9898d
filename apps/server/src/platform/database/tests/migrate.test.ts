import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { describeDatabases, type TestStore } from './database-suite.test-setup.ts';
import { migrate } from '../migrate.ts';

/** After this migration, several versions can run on one database while servers are replaced. */
const FIRST_COMPATIBLE = '0015_chosen_files.sql';
const OWN_FOLDER = join(import.meta.dirname, '../../../../migrations');

/** Two users: one with a file, a question and credits, one with a cancelled plan. */
const SAMPLE_ROWS = `
  INSERT INTO users (id, email, created_at) VALUES
    ('00000000-0000-4000-8000-00000000000a', 'ann@example.org', now()),
    ('00000000-0000-4000-8000-00000000000b', 'bob@example.org', now());
  INSERT INTO subscriptions (user_id, plan, status, credit, ends_at) VALUES
    ('00000000-0000-4000-8000-00000000000a', 'Starter(Free)', 'Active', 7, null),
    ('00000000-0000-4000-8000-00000000000b', 'Engram - Pro - monthly', 'Cancelled', 0, now());
  INSERT INTO sessions (id, user_id, refresh_hash, created_at, expires_at) VALUES
    (gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', 'a', '2026-03-01Z', '2026-03-10Z'),
    (gen_random_uuid(), '00000000-0000-4000-8000-00000000000b', 'b', '2026-01-01Z', '2026-04-07Z');
  INSERT INTO sign_in_codes (email, code_hash, tries, expires_at) VALUES
    ('ann@example.org', 'c', 2, '2026-03-10Z');
  INSERT INTO query_counts VALUES ('00000000-0000-4000-8000-00000000000a', '2026-03-10', 3);
  INSERT INTO artifacts (id, user_id, group_id, file_name, file_type, media_type, size, sha256,
    source, status, created_at, updated_at)
    SELECT id, id, id, 'lease.txt', 'txt', 'text/plain', 1, 'a', 'Web', 'SUCCESS', now(), now()
    FROM users WHERE email = 'ann@example.org';
  INSERT INTO history (id, user_id, question, answer, grounded, created_at)
    SELECT id, id, 'When?', 'In May.', true, now() FROM users WHERE email = 'ann@example.org'`;

/** The tables of pg-boss in the previous version, with the columns that were used. */
const EARLIER_JOBS = `
  CREATE SCHEMA jobs;
  CREATE TYPE jobs.job_state AS ENUM
    ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  CREATE TABLE jobs.job (
    id uuid NOT NULL DEFAULT gen_random_uuid(), name text NOT NULL, priority integer NOT NULL DEFAULT 0,
    data jsonb, state jobs.job_state NOT NULL DEFAULT 'created', retry_count integer NOT NULL DEFAULT 0,
    singleton_key text, group_id text, start_after timestamptz NOT NULL DEFAULT now(),
    created_on timestamptz NOT NULL DEFAULT clock_timestamp(), started_on timestamptz,
    source_name text, source_output jsonb, interruptions integer NOT NULL DEFAULT 0, process uuid
  ) PARTITION BY LIST (name);
  CREATE TABLE jobs.job_common PARTITION OF jobs.job DEFAULT;
  CREATE FUNCTION jobs.job_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()';
  INSERT INTO jobs.job (name, priority, data, state, retry_count, singleton_key, group_id,
    start_after, started_on, source_name, source_output, interruptions, process) VALUES
    ('read', -3, '{"n": 1}', 'created', 0, 'k', 'ann', '2030-01-01Z', null, null, null, 0, null),
    ('read', -2, '{"n": 2}', 'active', 1, 'k', 'ann', '2026-01-01Z', now(), null, null, 2, gen_random_uuid()),
    ('read', -1, '{"n": 3}', 'retry', 0, 'l', null, '2026-01-01Z', now(), null, null, 0, null),
    ('read', 0, '{"n": 4}', 'failed', 2, 'm', null, '2026-01-01Z', now(), null, null, 0, null),
    ('dead-letters', 0, '{"n": 4}', 'created', 0, 'm', 'ann', '2026-01-01Z', null, 'read',
      '{"message": "It is broken.", "permanent": true, "details": {"code": "PDF"}}', 0, null),
    ('dead-letters', 0, '{"n": 5}', 'created', 0, 'n', null, '2026-01-01Z', null, 'read', null, 0, null)`;

describeDatabases('migrations', (createStore) => {
  let store: TestStore;
  let database: Database;
  let folder: string;
  const write = (file: string, sql: string) => writeFile(join(folder, file), sql);

  beforeEach(async () => {
    store = await createStore();
    database = await store.open();
    folder = await mkdtemp(join(tmpdir(), 'engram-migrations-'));
    await write('0001_initial.sql', 'create table a (x int);\ninsert into a values (1), (2);\n');
  });
  afterEach(async () => {
    await database.close();
    await store.destroy();
    await rm(folder, { recursive: true });
  });

  test('migrations run once, in order, even if two servers start together', async () => {
    await write('0002_double.sql', 'update a set x = x * 2;');
    const runs = await Promise.all([migrate(database, folder), migrate(database, folder)]);
    expect(runs.flat().sort()).toEqual(['0001_initial', '0002_double']);
    const { rows } = await database.pool.query('select x from a order by x');
    expect(rows).toEqual([{ x: 2 }, { x: 4 }]);
  });

  test('migrations continue from the previous version', async () => {
    await migrate(database, folder);
    await write('0002_more.sql', 'alter table a add column y int not null default 7;');
    expect(await migrate(database, folder)).toEqual(['0002_more']);
  });

  test('a migration that fails is rolled back, and the error names it', async () => {
    await write('0002_broken.sql', 'delete from a;\nselect nothing from nowhere;');
    await expect(migrate(database, folder)).rejects.toThrow(/^Migration 0002_broken failed/);
    const { rows } = await database.pool.query('select count(*)::int as n from a');
    expect(rows).toEqual([{ n: 2 }]);
    await write('0002_broken.sql', 'delete from a;');
    expect(await migrate(database, folder)).toEqual(['0002_broken']);
  });

  test('a migration that changed after it ran is refused, except for its line endings', async () => {
    await migrate(database, folder);
    await write(
      '0001_initial.sql',
      'create table a (x int);\r\ninsert into a values (1), (2);\r\n',
    );
    expect(await migrate(database, folder)).toEqual([]);
    await write('0001_initial.sql', 'create table a (x bigint);');
    await expect(migrate(database, folder)).rejects.toThrow(/0001_initial was changed after/);
  });

  test('a newer version that only added something does not prevent a start', async () => {
    await write('0002_newer.sql', 'alter table a add column y int;');
    await migrate(database, folder);
    await rm(join(folder, '0002_newer.sql'));
    expect(await migrate(database, folder)).toEqual([]);
  });

  test('migrations of Engram only add, except those that are marked otherwise', async () => {
    const removesSomething =
      /\b(?:drop\s+(?:table|column|constraint|schema)|rename|set\s+not\s+null|alter\s+column\s+\w+\s+(?:set\s+data\s+)?type)\b/iu;
    const files = (await readdir(OWN_FOLDER)).filter((file) => file > FIRST_COMPATIBLE);
    for (const file of files) {
      const text = await readFile(join(OWN_FOLDER, file), 'utf8');
      expect([file, removesSomething.test(text)]).toEqual([file, text.startsWith('-- contract:')]);
    }
  });

  test('a database from which a newer version removed something is refused, and so is a gap in the numbers', async () => {
    await write('0002_newer.sql', '-- contract: nobody reads x\nselect 1;');
    await migrate(database, folder);
    await rm(join(folder, '0002_newer.sql'));
    await expect(migrate(database, folder)).rejects.toThrow(/created by a newer Engram/);
    await write('0003_gap.sql', 'select 1;');
    await expect(migrate(database, folder)).rejects.toThrow(/must be 0002_name.sql/);
  });

  test('migrations of Engram run on a filled database of a version without plans', async () => {
    await rm(join(folder, '0001_initial.sql'));
    const files = await readdir(OWN_FOLDER);
    const earlierFiles = files.filter((file) => file < '0005');
    for (const file of earlierFiles) await copyFile(join(OWN_FOLDER, file), join(folder, file));
    expect(await migrate(database, folder)).toHaveLength(4);
    await database.pool.query(SAMPLE_ROWS);

    expect(await migrate(database)).toHaveLength(files.length - 4);
    const read = async (query: string) => (await database.pool.query(query)).rows as object[];
    expect(
      await read(`SELECT email, plan, subscriptions.status, credit, ends_at IS NULL AS "endless", provider,
        provider_subscription AS bought, device_time_zone AS zone, queries, file_name AS file, answer
        FROM users JOIN subscriptions ON subscriptions.user_id = users.id
        LEFT JOIN query_counts ON query_counts.user_id = users.id
        LEFT JOIN artifacts ON artifacts.user_id = users.id
        LEFT JOIN history ON history.user_id = users.id ORDER BY email`),
    ).toEqual([
      {
        email: 'ann@example.org',
        plan: 'Starter(Free)',
        status: 'Active',
        credit: 7,
        endless: true,
        provider: null,
        bought: null,
        zone: false,
        queries: 3,
        file: 'lease.txt',
        answer: 'In May.',
      },
      {
        email: 'bob@example.org',
        plan: 'Engram - Pro - monthly',
        status: 'Cancelled',
        credit: 0,
        endless: false,
        provider: null,
        bought: null,
        zone: false,
        queries: null,
        file: null,
        answer: null,
      },
    ]);
    // A session stays as it was, except that it ends 90 days after sign-in. A sign-in code stays
    // valid.
    expect(
      await read(`SELECT to_char(last_used_at AT TIME ZONE 'UTC', 'MM-DD') AS used,
        proven_at = created_at AS proven, to_char(expires_at AT TIME ZONE 'UTC', 'MM-DD') AS ends,
        secured FROM sessions ORDER BY refresh_hash`),
    ).toEqual([
      { used: '03-03', proven: true, ends: '03-10', secured: false },
      { used: '03-31', proven: true, ends: '04-01', secured: false },
    ]);
    expect(await read('SELECT browser, code_hash, tries FROM sign_in_codes')).toEqual([
      { browser: '', code_hash: 'c', tries: 2 },
    ]);
    // Deleting an account also deletes rows of tables that were added since.
    await database.pool.query(`
      INSERT INTO credit_ledger SELECT id, id, 1, 8, 'Added by an admin', now() FROM users;
      INSERT INTO audit_log SELECT id, id, 'credits.add', id, 'Added 1 credit.', now() FROM users;
      DELETE FROM users`);
    expect(await read('SELECT * FROM credit_ledger')).toEqual([]);
    expect(await read('SELECT DISTINCT actor_id, subject_id FROM audit_log')).toEqual([
      { actor_id: null, subject_id: null },
    ]);
  });

  test('migrations of Engram preserve the balances of sandbox plans', async () => {
    await rm(join(folder, '0001_initial.sql'));
    const files = await readdir(OWN_FOLDER);
    const earlierFiles = files.filter((file) => file < '0007');
    for (const file of earlierFiles) await copyFile(join(OWN_FOLDER, file), join(folder, file));
    await migrate(database, folder);
    await database.pool.query(`${SAMPLE_ROWS};
      UPDATE subscriptions SET provider = 'sandbox' WHERE credit = 0;
      INSERT INTO payment_turns SELECT id, id, now() FROM users;
      INSERT INTO checkouts
        SELECT 'cs_' || email, id, 'sandbox', 'p', null, 'open', now(), now() FROM users;
      INSERT INTO sandbox_subscriptions
        SELECT 'sub_' || n, id, 'cs_' || n, 'p', 'active', now(), now(), now(), n * 100, null
        FROM users, generate_series(1, 2) n WHERE email = 'bob@example.org'`);

    await migrate(database);
    const { rows } = await database.pool.query(
      `SELECT email, balance, cents, next_plan, changes, work FROM users
       JOIN subscriptions s ON s.user_id = users.id
       JOIN checkouts c ON c.user_id = users.id JOIN payment_turns t ON t.user_id = users.id
       LEFT JOIN sandbox_balances b ON b.user_id = users.id ORDER BY email`,
    );
    const emptyColumns = { next_plan: null, changes: null, work: null };
    expect(rows).toEqual([
      { email: 'ann@example.org', balance: 0, cents: null, ...emptyColumns },
      { email: 'bob@example.org', balance: 300, cents: 300, ...emptyColumns },
    ]);
  });

  test('migrations of Engram preserve the unfinished jobs of pg-boss', async () => {
    await rm(join(folder, '0001_initial.sql'));
    const files = await readdir(OWN_FOLDER);
    const earlierFiles = files.filter((file) => file < '0026');
    for (const file of earlierFiles) await copyFile(join(OWN_FOLDER, file), join(folder, file));
    await migrate(database, folder);
    await database.pool.query(EARLIER_JOBS);

    await migrate(database);
    const { rows } = await database.pool.query(
      `SELECT data ->> 'n' AS n, queue, key, group_id AS group, start_tag::int AS tag, state,
         run_at > '2029-01-01' AS later, attempts, interruptions, worker_id AS worker, failure
       FROM jobs ORDER BY n`,
    );
    const waitingJob = {
      queue: 'read',
      state: 'waiting',
      later: false,
      attempts: 0,
      interruptions: 0,
    };
    const columns = { ...waitingJob, worker: null, failure: null };
    expect(rows).toEqual([
      { ...columns, n: '1', key: 'k', group: 'ann', tag: 3, later: true },
      {
        ...columns,
        n: '2',
        key: 'k',
        group: 'ann',
        tag: 2,
        state: 'active',
        attempts: 1,
        interruptions: 2,
      },
      { ...columns, n: '3', key: 'l', group: null, tag: 1, attempts: 1 },
      {
        ...columns,
        n: '4',
        key: 'm',
        group: 'ann',
        tag: 0,
        failure: { message: 'It is broken.', permanent: true, details: { code: 'PDF' } },
      },
      {
        ...columns,
        n: '5',
        key: 'n',
        group: null,
        tag: 0,
        failure: { message: 'The job took too long.' },
      },
    ]);
    const schema = await database.pool.query("SELECT to_regnamespace('jobs') AS schema");
    expect(schema.rows).toEqual([{ schema: null }]);
  });

  test('migrations of Engram run on an empty database', async () => {
    expect(await migrate(database)).toContain('0001_initial');
    expect(await migrate(database)).toEqual([]);
  });
});

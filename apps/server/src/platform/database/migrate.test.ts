import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { describeDatabases, type TestStore } from './database.test-suite.ts';
import { migrate } from './migrate.ts';

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

  test('run once, in order, also when two start together', async () => {
    await write('0002_double.sql', 'update a set x = x * 2;');
    const runs = await Promise.all([migrate(database, folder), migrate(database, folder)]);
    expect(runs.flat().sort()).toEqual(['0001_initial', '0002_double']);
    const { rows } = await database.pool.query('select x from a order by x');
    expect(rows).toEqual([{ x: 2 }, { x: 4 }]);
  });

  test('go on from the version before', async () => {
    await migrate(database, folder);
    await write('0002_more.sql', 'alter table a add column y int not null default 7;');
    expect(await migrate(database, folder)).toEqual(['0002_more']);
  });

  test('undo one that fails, and say which', async () => {
    await write('0002_broken.sql', 'delete from a;\nselect nothing from nowhere;');
    await expect(migrate(database, folder)).rejects.toThrow(/^Migration 0002_broken failed/);
    const { rows } = await database.pool.query('select count(*)::int as n from a');
    expect(rows).toEqual([{ n: 2 }]);
    await write('0002_broken.sql', 'delete from a;');
    expect(await migrate(database, folder)).toEqual(['0002_broken']);
  });

  test('refuse one that was changed after it ran, whatever its line ends', async () => {
    await migrate(database, folder);
    await write(
      '0001_initial.sql',
      'create table a (x int);\r\ninsert into a values (1), (2);\r\n',
    );
    expect(await migrate(database, folder)).toEqual([]);
    await write('0001_initial.sql', 'create table a (x bigint);');
    await expect(migrate(database, folder)).rejects.toThrow(/0001_initial was changed after/);
  });

  test('refuse a database of a newer version, and a gap in the numbers', async () => {
    await write('0002_newer.sql', 'select 1;');
    await migrate(database, folder);
    await rm(join(folder, '0002_newer.sql'));
    await expect(migrate(database, folder)).rejects.toThrow(/made by a newer Engram/);
    await write('0003_gap.sql', 'select 1;');
    await expect(migrate(database, folder)).rejects.toThrow(/must be 0002_name.sql/);
  });

  test("Engram's own run on an empty database", async () => {
    expect(await migrate(database)).toContain('0001_initial');
    expect(await migrate(database)).toEqual([]);
  });
});

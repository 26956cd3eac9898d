import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Database, openDatabase } from '../../database.ts';
import { createEmbeddedStore } from '../../tests/database-suite.test-setup.ts';

const silent = { info() {}, warn() {}, error() {} };

let store: Awaited<ReturnType<typeof createEmbeddedStore>>;
let database: Database;
let folder: string;

beforeEach(async () => {
  store = await createEmbeddedStore();
  database = await store.open();
  folder = await mkdtemp(join(tmpdir(), 'engram-copy-'));
});
afterEach(async () => {
  await database.close();
  await store.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** The content of a copy. The copy is deleted afterwards. */
async function inCopy<Row extends object>(sql: string): Promise<Row[]> {
  const copy = await openDatabase({ dataDir: folder, log: silent });
  const { rows } = await copy.pool.query<Row>(sql);
  await copy.close();
  await rm(folder, { recursive: true });
  return rows;
}

/** Writes rows, long values and deletions until the signal. The sum over all accounts stays the same. */
async function writeUntil(stop: AbortSignal, written: (round: number) => void): Promise<void> {
  for (let round = 1; !stop.aborted; round += 1) {
    await database.transaction(async (tx) => {
      await tx.execute(`update accounts set amount = amount - 1 where id = ${round % 50}`);
      await tx.execute(`update accounts set amount = amount + 1 where id = ${(round + 7) % 50}`);
      await tx.execute(
        `insert into notes select ${round}, string_agg(md5(n::text), '') from generate_series(1, 300) n`,
      );
      await tx.execute(`delete from notes where round = ${round - 20}`);
    });
    written(round);
  }
}

test('a copy made during writes has the state of one moment, with everything written before it', async () => {
  await database.pool.query(
    'create table accounts as select id, 100 as amount from generate_series(0, 49) id',
  );
  await database.pool.query('create table notes (round int primary key, body text)');
  for (const maintenance of [async () => undefined, database.maintain]) {
    await database.pool.query('truncate notes');
    const stop = new AbortController();
    let last = 0;
    const writing = writeUntil(stop.signal, (round) => (last = round));
    let rounds = 0;
    try {
      await expect.poll(() => last).toBeGreaterThan(30);
      const done = maintenance();
      rounds = last;
      await database.copyTo(folder);
      await done;
    } finally {
      stop.abort();
      await writing;
    }
    const [totals] = await inCopy<{
      sum: number;
      rounds: number;
      newest: number;
      shortest: number;
    }>(
      `select (select sum(amount)::int from accounts) as sum, count(*)::int as rounds,
         max(round) as newest, min(length(body)) as shortest from notes`,
    );
    expect(totals).toMatchObject({ sum: 5000, rounds: 20, shortest: 9600 });
    expect(totals?.newest).toBeGreaterThanOrEqual(rounds);
  }
}, 240_000);

test('a copy restarts if a checkpoint happens during it, and fails after several tries', async () => {
  await database.pool.query('create table notes as select 1 as round');
  const stop = new AbortController();
  const checkpoints = (async () => {
    while (!stop.signal.aborted) {
      await database.pool.query('insert into notes values (1)');
      await database.pool.query('checkpoint');
    }
  })();
  await expect(database.copyTo(folder)).rejects.toThrow('made a checkpoint during each attempt');
  stop.abort();
  await checkpoints;
  await database.copyTo(folder);
  expect(await inCopy('select 1 as one from notes limit 1')).toEqual([{ one: 1 }]);
}, 240_000);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmbeddedStore } from '../../tests/database-suite.test-setup.ts';
import { createBatchReader } from '../framing.ts';

/** Starts another Node process that opens the folder and runs `body` in it. */
function startProcess(dataDir: string, body: string) {
  const module = JSON.stringify(new URL('../../database.ts', import.meta.url).href);
  const code = `
    const { openDatabase } = await import(${module});
    const log = { info() {}, warn() {}, error() {} };
    try {
      const database = await openDatabase({ dataDir: ${JSON.stringify(dataDir)}, log });
      ${body}
    } catch (error) {
      process.stdout.write(error.message + '\\n');
      process.exit(1);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { child, lines: createInterface({ input: child.stdout }) };
}

describe('the embedded database', () => {
  let store: Awaited<ReturnType<typeof createEmbeddedStore>>;

  beforeEach(async () => {
    store = await createEmbeddedStore();
  });
  afterEach(() => store.destroy());

  test('every acknowledged row survives kill -9, and the database opens immediately after it', async () => {
    const insertForever = `
      await database.pool.query('create table if not exists saved (id int generated always as identity, round int)');
      for (;;) {
        const { rows } = await database.pool.query('insert into saved (round) values (1) returning id');
        process.stdout.write(rows[0].id + '\\n');
      }`;
    const acknowledged: number[] = [];
    for (const rowsBeforeKill of [1, 40, 150]) {
      const { child, lines } = startProcess(store.dataDir, insertForever);
      let seen = 0;
      lines.on('line', (line) => {
        acknowledged.push(Number(line));
        if (++seen === rowsBeforeKill) child.kill('SIGKILL');
      });
      await Promise.all([once(child, 'exit'), once(lines, 'close')]);
    }
    const database = await store.open();
    const { rows } = await database.pool.query<{ id: number }>('select id from saved');
    await database.close();
    const storedIds = new Set(rows.map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(191);
    expect(acknowledged.filter((id) => !storedIds.has(id))).toEqual([]);
  });

  test('one process can open the folder, and a second one fails with the reason', async () => {
    const database = await store.open();
    const { child, lines } = startProcess(store.dataDir, '');
    const [message] = await once(lines, 'line');
    expect(message).toBe(
      `The data folder ${store.dataDir} is in use by another running Engram. Stop that one first, or set ENGRAM_DATA_DIR to another folder.`,
    );
    if (child.exitCode === null) await once(child, 'exit');
    await expect(store.open()).rejects.toThrow('is in use by another running Engram');
    await database.close();
    await (await store.open()).close();
  });

  /** Files of the database folder that contain a word. */
  async function filesWith(word: string): Promise<string[]> {
    const folder = join(store.dataDir, 'database');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
    const bytes = await Promise.all(paths.map((path) => readFile(path)));
    return paths.filter((_, index) => bytes[index]?.includes(word));
  }

  test('maintenance leaves no byte of deleted or replaced rows, even after a stop', async () => {
    const word = 'canarybird';
    const long = `array_to_string(array(select '${word} ' || md5(n::text) from generate_series(1, 900) n), ' ')`;
    let database = await store.open();
    const query = (sql: string) => database.pool.query(sql);
    await query('create table notes (id int primary key, body text, words text[])');
    await query('create index on notes (body) where length(body) < 100');
    await query('create index on notes using gin (words)');
    await query(
      "insert into notes select n, 'kept ' || n, array['kept'] from generate_series(1, 3000) n",
    );
    await query(
      `insert into notes select n, '${word} ' || n, array['${word}' || n] from generate_series(3001, 3200) n`,
    );
    await query(`insert into notes values (3201, ${long}, '{}'), (3202, '${word} replaced', '{}')`);
    await query('analyze notes');
    await query('checkpoint');
    expect(await filesWith(word)).not.toEqual([]);
    await query("update notes set body = 'kept too' where id = 3202");
    await query('delete from notes where id between 3001 and 3201');
    await database.close();
    expect(await filesWith(word)).not.toEqual([]);
    database = await store.open();
    await database.maintain();
    expect(await filesWith(word)).toEqual([]);
    const { rows } = await database.pool.query('select count(*)::int as n from notes');
    expect(rows).toEqual([{ n: 3001 }]);
    await database.close();
  });

  test('the database starts again if its first start was interrupted', async () => {
    await mkdir(join(store.dataDir, 'database'), { recursive: true });
    await writeFile(join(store.dataDir, 'database', 'PG_VERSION'), '18\n');
    const database = await store.open();
    const { rows } = await database.pool.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});

describe('batches of a database client', () => {
  const typed = fc
    .tuple(fc.constantFrom('P', 'B', 'D', 'E', 'S', 'Q', 'H'), fc.uint8Array({ maxLength: 40 }))
    .map(([type, body]) => {
      const header = Buffer.alloc(5, type);
      header.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([header, body]);
    });
  const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]);

  test('batches are the same however the bytes are split, and no finished batch is lost', () => {
    fc.assert(
      fc.property(
        fc.array(typed, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (messages, cuts) => {
          const bytes = Buffer.concat([startup, ...messages]);
          const reader = createBatchReader();
          const batches: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            batches.push(...reader.push(bytes.subarray(at, at + size)));
            at += size;
          }
          const lastEnd = messages.findLastIndex((message) =>
            'SQH'.includes(String.fromCharCode(message[0] ?? 0)),
          );
          expect(Buffer.concat(batches)).toEqual(Buffer.concat(messages.slice(0, lastEnd + 1)));
          for (const batch of batches) expect(batch.length).toBeGreaterThanOrEqual(5);
        },
      ),
    );
  });
});

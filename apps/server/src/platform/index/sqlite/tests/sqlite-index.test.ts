import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../tests/clock.test-setup.ts';
import { describeSearchIndex } from '../../tests/index-suite.test-setup.ts';
import { chunk } from '../../tests/index-rows.test-setup.ts';
import { describeNarrowing } from '../../tests/narrowing-suite.test-setup.ts';
import type { IndexRow, SearchIndex } from '../../search-index.ts';
import { describeVectors } from '../../tests/vectors-suite.test-setup.ts';
import { openSqliteIndex } from '../sqlite-index.ts';

const log = { warn: (details: object) => expect.fail(JSON.stringify(details)) };
const user = randomUUID();

async function create() {
  const folder = await mkdtemp(join(tmpdir(), 'engram-index-'));
  const index = await openSqliteIndex({ folder, log });
  const dispose = async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { index, dispose };
}

describeSearchIndex('SQLite', create);
describeNarrowing('SQLite', create);
describeVectors('SQLite', create);

const put = (index: SearchIndex, rows: IndexRow[], owner = user) =>
  index.replace(
    owner,
    rows.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
  );

async function idsOf(index: SearchIndex, term: string): Promise<Set<string>> {
  const { passages } = await index.search(user, { terms: [term], limit: 10_000 });
  return new Set(passages.map(({ row }) => row.artifactId));
}

describe('the search index in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engram-index-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('all rows exist after the index is opened again', async () => {
    const stored = chunk('common kept');
    const removed = chunk('common gone');
    const first = await openSqliteIndex({ folder, log });
    await put(first, [stored, removed]);
    await first.remove(user, [removed.artifactId]);
    await first.close();
    const second = await openSqliteIndex({ folder, log });
    expect(await idsOf(second, 'common')).toEqual(new Set([stored.artifactId]));
    await second.close();
  });

  it.each([3, 9, 14])('the index opens intact after kill -9 at report %i', async (reports) => {
    const done = await runUntilKilled(folder, reports);
    const index = await openSqliteIndex({ folder, log });
    const check = async () => {
      const ids = await idsOf(index, 'every');
      const remaining = [...done.written].filter((id) => !done.removing.has(id));
      expect([...done.removed].filter((id) => ids.has(id))).toEqual([]);
      expect(remaining.filter((id) => !ids.has(id))).toEqual([]);
    };
    await check();
    await index.purge(user);
    await check();
    await index.close();
  });

  it('no file contains a byte of removed or replaced rows', async () => {
    const [removed, replaced, keyword] = ['zqxjkvcanary', 'wvyjqkcanary', 'hqzzkxcanary'];
    const index = await openSqliteIndex({ folder, log });
    const [secret, changed, tagged] = [
      chunk(`common ${removed}`),
      chunk(`common ${replaced}`),
      chunk('common tagged'),
    ];
    await put(index, [
      ...Array.from({ length: 50 }, () => chunk('common kept')),
      secret,
      changed,
      { ...tagged, terms: `common ${keyword}` },
    ]);
    await index.purge(user);
    await index.remove(user, [secret.artifactId]);
    await put(index, [{ ...changed, text: 'common', terms: 'common' }, tagged]);
    await index.purge(user);
    for (const path of await filesOf(folder)) {
      const content = await readFile(path, 'latin1');
      for (const word of [removed, replaced, keyword]) {
        // The inverted index stores only the part of a term that differs from the previous term.
        expect(content).not.toContain(word.slice(2));
      }
      expect(content).not.toContain(secret.artifactId);
    }
    expect((await idsOf(index, 'common')).size).toBe(52);
    await index.close();
  });

  it('only the start of an oversized chunk is read, and the others are searched', async () => {
    const index = await openSqliteIndex({ folder, log });
    const columns = Array.from({ length: 400_000 }, (_, index) => `car${index}`);
    const wide = { ...chunk(columns.join(' ')), headings: columns };
    const wideRows = Array.from({ length: 4 }, (_, ordinal) => ({ ...wide, ordinal }));
    const narrow = chunk('car1 newt');
    await index.replace(user, [
      { artifactId: wide.artifactId, rows: wideRows },
      { artifactId: narrow.artifactId, rows: [narrow] },
    ]);
    const { passages } = await index.search(user, { terms: ['car1', 'newt'], limit: 50 });
    expect(passages[0]?.row.artifactId).toBe(narrow.artifactId);
    expect(passages).toHaveLength(5);
    for (const { row } of passages) {
      expect(row.text.length).toBeLessThanOrEqual(65_536);
      expect(row.end - row.start).toBe(row.text.length);
      expect(row).toMatchObject({ location: { page: 1 }, headings: [] });
    }
    expect(await index.similarTerms(user, ['cra'], () => true)).toHaveLength(3);
    await index.close();
  });

  it('a user has one thread at a time, so that others do not wait for costly calls', async () => {
    const index = await openSqliteIndex({ folder, log });
    const columns = Array.from({ length: 200_000 }, (_, index) => `car${index}`).join(' ');
    await put(index, [chunk(columns)]);
    const other = randomUUID();
    await put(index, [chunk('newt')], other);
    let waiting = 0;
    const costly = Array.from({ length: 18 }, async () => {
      waiting += 1;
      await index.similarTerms(user, ['cra'], () => false);
      waiting -= 1;
    });
    expect((await index.search(other, { terms: ['newt'], limit: 1 })).passages).toHaveLength(1);
    expect(waiting).toBeGreaterThan(9);
    await Promise.all(costly);
    await index.close();
  });

  it('disk space of removed rows is freed', async () => {
    const index = await openSqliteIndex({ folder, log });
    const rows = Array.from({ length: 400 }, (_, index) => chunk(`word${index} `.repeat(300)));
    await put(index, rows);
    await index.purge(user);
    await index.remove(
      user,
      rows.slice(10).map(({ artifactId }) => artifactId),
    );
    await index.purge(user);
    const { size } = await stat(join(folder, `${user}.sqlite`));
    expect(size).toBeLessThan(300_000);
    await index.close();
  });

  it('a purge runs once nothing has been removed for a while, and not before', async () => {
    const clock = createManualClock();
    const index = await openSqliteIndex({ folder, log, clock });
    const secret = chunk('zqxjkvcanary');
    await put(index, [secret, chunk('other')]);
    await index.remove(user, [secret.artifactId]);
    const isStored = async () => {
      const contents = await Promise.all((await filesOf(folder)).map((path) => readFile(path)));
      return contents.some((content) => content.includes('qxjkvcanary'));
    };
    clock.pass(4000);
    await index.remove(user, [randomUUID()]);
    clock.pass(4000);
    expect(await isStored()).toBe(true);
    clock.pass(1000);
    await expect.poll(isStored).toBe(false);
    await index.close();
  });

  it('a file of another version is not read, and is created again with the first rows', async () => {
    const first = await openSqliteIndex({ folder, log });
    await put(first, [chunk('earlier')]);
    await first.close();
    const database = new DatabaseSync(join(folder, `${user}.sqlite`));
    database.exec('PRAGMA user_version = 1');
    database.close();
    const index = await openSqliteIndex({ folder, log });
    expect(await index.artifactIds(user)).toEqual(new Set());
    expect((await idsOf(index, 'earlier')).size).toBe(0);
    await put(index, [chunk('later')]);
    expect((await idsOf(index, 'later')).size).toBe(1);
    expect(await index.size(user)).toBe(1);
    await index.close();
  });

  it('a damaged file is reported, and is created again after it was removed', async () => {
    await writeFile(join(folder, `${user}.sqlite`), 'damaged '.repeat(2000));
    const index = await openSqliteIndex({ folder, log });
    await expect(index.artifactIds(user)).rejects.toThrow(/not a database/u);
    await expect(put(index, [chunk('word')])).rejects.toThrow(/not a database/u);
    await index.removeUser(user);
    await put(index, [chunk('word')]);
    expect((await idsOf(index, 'word')).size).toBe(1);
    await index.close();
  });

  it('the index serves more users than the number of files that stay open', async () => {
    const index = await openSqliteIndex({ folder, log });
    const users = Array.from({ length: 40 }, () => randomUUID());
    await Promise.all(users.map((owner) => put(index, [chunk('mine')], owner)));
    const results = await Promise.all(
      [...users, ...users].map((owner) => index.search(owner, { terms: ['mine'], limit: 5 })),
    );
    expect(results.map(({ passages }) => passages.length)).toEqual(
      Array.from({ length: 80 }, () => 1),
    );
    await index.close();
  });

  it('a search creates no file', async () => {
    const index = await openSqliteIndex({ folder, log });
    expect(await index.size(user)).toBe(0);
    await index.remove(user, [randomUUID()]);
    await index.purge(user);
    const model = { key: 'tiny', dimensions: 8, setting: 'local:tiny' };
    await index.completeModel(user, model);
    await index.addVectors(user, model, [{ key: '1', vector: new Float32Array(8).fill(1) }]);
    expect(await readdir(folder)).toEqual([]);
    await index.close();
  });
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Runs the writing process, kills it at a report, and returns its reports. */
async function runUntilKilled(folder: string, reports: number) {
  const script = join(import.meta.dirname, 'crash-process.test-setup.ts');
  const child = spawn(process.execPath, [script, folder, user], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const done = {
    written: new Set<string>(),
    removing: new Set<string>(),
    removed: new Set<string>(),
  };
  let count = 0;
  for await (const line of createInterface(child.stdout)) {
    const report = JSON.parse(line) as Partial<Record<keyof typeof done, string[]>>;
    for (const id of report.written ?? []) done.written.add(id);
    for (const id of report.removing ?? []) done.removing.add(id);
    for (const id of report.removed ?? []) done.removed.add(id);
    count += 1;
    if (count === reports) child.kill('SIGKILL');
  }
  await ended;
  return done;
}

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from '@engram/extraction';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../platform/tests/clock.test-setup.ts';
import { createExtractionPool } from '../extraction-pool.ts';
import type { ExtractionPool, ExtractionPoolOptions } from '../extraction-pool.ts';

let folder = '';
let pool: ExtractionPool | null = null;
let poolOptions = '';
const log = { warn: vi.fn<(details: Record<string, unknown>, message: string) => void>() };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engram-pool-'));
});

beforeEach(() => void log.warn.mockClear());

afterAll(async () => {
  await pool?.close();
  await rm(folder, { recursive: true });
});

async function startPool(options: Partial<ExtractionPoolOptions> = {}): Promise<ExtractionPool> {
  await pool?.close();
  pool = createExtractionPool({
    size: 2,
    memoryMb: 512,
    timeoutMs: 120_000,
    moveAfterMs: 120_000,
    recycleAfter: 100,
    idleMs: 60_000,
    scratch: join(folder, 'scratch'),
    log,
    ...options,
  });
  poolOptions = JSON.stringify(options);
  return pool;
}

/**
 * Reuses the pool of the previous test if its limits are the same, because starting a process takes
 * a second.
 */
const poolOf = async (options: Partial<ExtractionPoolOptions> = {}): Promise<ExtractionPool> =>
  pool !== null && poolOptions === JSON.stringify(options) ? pool : startPool(options);

async function textFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** A file that never ends: a pipe without a writer. */
function endlessFile(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const context = {
  userId: 'ann',
  artifactId: '00000000-0000-4000-8000-000000000001',
  path: null,
  keywords: ['Home'],
};
const txt = (filePath: string) => ({
  ...context,
  filePath,
  fileName: 'notes.txt',
  type: 'txt' as const,
});

test('many concurrent files give the same results as in this process', async () => {
  const { extract: read } = await poolOf();
  const texts = Array.from({ length: 12 }, (_, i) => `First of ${i}.\n\nSecond of ${i}.`);
  const paths = await Promise.all(texts.map((text, i) => textFile(`many-${i}.txt`, text)));
  const results = await Promise.all(paths.map((path) => read(txt(path))));
  const expected = texts.map((text) =>
    extract({ bytes: Buffer.from(text), fileName: 'notes.txt', type: 'txt' }),
  );
  expect(results).toMatchObject(await Promise.all(expected));
  expect(results.map(({ language }) => language)).toEqual(texts.map(() => 'en'));
  expect(results[3]?.rows).toMatchObject([
    { artifactId: context.artifactId, ordinal: 0, text: texts[3], location: { line: 1 } },
  ]);
  expect(results[3]?.rows[0]?.terms.split(' ')).toContain('home');
});

test('a result of many parts is returned complete', async () => {
  const rows = Array.from(
    { length: 8000 },
    (_, i) => `${i},name ${i}, with "quotes" and ü ${`${i * 7} `.repeat(30)}`,
  );
  const text = `Number,Name,Note\n${rows.join('\n')}\n`;
  const path = await textFile('long.csv', text);
  const seen: number[] = [];
  const job = { ...context, filePath: path, fileName: 'long.csv', type: 'csv' as const };
  const { extract: read } = await poolOf();
  const onProgress = (percent: number): void => void seen.push(percent);
  const result = await read(job, { lane: 'normal', onProgress });
  const bytes = Buffer.from(text);
  expect(result).toMatchObject(await extract({ bytes, fileName: 'long.csv', type: 'csv' }));
  expect(result.segments).toHaveLength(8001);
  expect(result.text.length).toBeGreaterThan(1_000_000);
  expect(seen.at(-1)).toBe(100);
});

test('the message of an extraction error is passed on', async () => {
  const { extract: read } = await poolOf();
  const empty = await textFile('empty.txt', '');
  await expect(read(txt(empty))).rejects.toMatchObject({
    name: 'ExtractionError',
    code: 'empty',
    message: 'This file is empty.',
  });
  await expect(read(txt(join(folder, 'missing.txt')))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a child process that crashes fails only its own file, and is replaced', async () => {
  const { extract: read, pids } = await poolOf({ size: 1 });
  const good = await textFile('good.txt', 'Still here.');
  await read(txt(good));
  const [victim] = pids();
  const dying = read(txt(endlessFile('pipe-crash')));
  const waiting = read(txt(good));
  process.kill(victim as number, 'SIGKILL');
  await expect(dying).rejects.toMatchObject({ name: 'ExtractionCrash', code: 'crash' });
  expect((await waiting).text).toBe('Still here.');
  expect(pids()).not.toContain(victim);
  expect(log.warn).toHaveBeenCalledOnce();
});

test('errors of a damaged PDF that nobody awaits do not end the child process', async () => {
  const fixture =
    '../../../../../../packages/extraction/fixtures/016-pdf-broken-page/broken-page.pdf';
  const pdf = await readFile(new URL(fixture, import.meta.url));
  pdf[158] = 0x28;
  pdf[303] = 0x32;
  const filePath = join(folder, 'damaged.pdf');
  await writeFile(filePath, pdf);
  const { extract: read, pids } = await poolOf({ size: 1 });
  const good = await textFile('good.txt', 'Still here.');
  await read(txt(good));
  const before = pids();
  for (let round = 0; round < 3; round += 1) {
    const damaged = read({ ...context, filePath, fileName: 'damaged.pdf', type: 'pdf' });
    await damaged.catch((error: unknown) => error);
    expect((await read(txt(good))).text).toBe('Still here.');
  }
  expect(pids()).toEqual(before);
});

test('an abort ends only its own file, whether it is running or queued', async () => {
  const { extract: read, pids } = await poolOf({ size: 1 });
  const good = await textFile('kept.txt', 'Kept.');
  await read(txt(good));
  const before = pids();
  const [reading, waiting] = [new AbortController(), new AbortController()];
  const first = read(txt(endlessFile('pipe-abort')), { signal: reading.signal });
  const second = read(txt(good), { signal: waiting.signal });
  const third = read(txt(good));
  waiting.abort(new Error('deleted while waiting'));
  await expect(second).rejects.toThrow('deleted while waiting');
  expect(pids()).toEqual(before);
  reading.abort(new Error('deleted while reading'));
  await expect(first).rejects.toThrow('deleted while reading');
  expect((await third).text).toBe('Kept.');
  await expect(read(txt(good), { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('a file in another lane does not delay short files', async () => {
  const { extract: read, pids } = await poolOf({ size: 1 });
  const ends = new AbortController();
  const others = (['normal', 'slow'] as const).map((lane) =>
    read(txt(endlessFile(`pipe-lane-${lane}`)), { lane, signal: ends.signal }),
  );
  const good = await textFile('short.txt', 'Short.');
  expect((await read(txt(good))).text).toBe('Short.');
  expect(pids()).toHaveLength(3);
  ends.abort(new Error('enough'));
  for (const other of others) await expect(other).rejects.toThrow('enough');
});

test('a file that takes too long is stopped while others continue', async () => {
  const clock = createManualClock();
  const { extract: read } = await startPool({ moveAfterMs: 4000, clock });
  const good = await textFile('beside.txt', 'Read meanwhile.');
  const slow = read(txt(endlessFile('pipe-slow'))).catch((error: unknown) => error);
  await clock.armed(4000);
  const beside = await Promise.all(Array.from({ length: 5 }, () => read(txt(good))));
  expect(beside.map(({ text }) => text)).toEqual(Array(5).fill('Read meanwhile.'));
  clock.pass(4000);
  expect(await slow).toMatchObject({
    code: 'timeout',
    message: 'Reading this file took too long and was stopped.',
  });
  expect((await read(txt(good))).text).toBe('Read meanwhile.');
});

test.runIf(process.platform === 'linux')(
  'a file that uses too much memory is stopped',
  async () => {
    const { extract: read } = await startPool({ size: 1, memoryMb: 300 });
    const huge = join(folder, 'huge.txt');
    await writeFile(huge, '');
    await truncate(huge, 1_500_000_000);
    await expect(read(txt(huge))).rejects.toMatchObject({ code: 'memory' });
    const good = await textFile('after-memory.txt', 'Fine again.');
    expect((await read(txt(good))).text).toBe('Fine again.');
  },
);

test('a child process starts with the first file, and ends when it is idle', async () => {
  const onIdle = vi.fn<() => void>();
  const { extract: read, pids, warmUp } = await startPool({ idleMs: 200, onIdle });
  const good = await textFile('idle.txt', 'Back again.');
  expect(pids()).toEqual([]);
  await read(txt(good));
  expect(pids()).toHaveLength(1);
  await expect.poll(pids).toEqual([]);
  expect(onIdle).toHaveBeenCalledOnce();
  warmUp();
  expect(pids()).toHaveLength(1);
  expect((await read(txt(good))).text).toBe('Back again.');
});

test('a child process that cannot start fails the queued files, and not the server', async () => {
  const file = await textFile('no-folder', 'Not a folder.');
  const { extract: read } = await startPool({ scratch: file });
  await expect(read(txt(file))).rejects.toThrow(/failed|do not start/u);
  expect(log.warn).toHaveBeenCalledWith(
    expect.objectContaining({ errorText: expect.stringMatching(/ENOTDIR|EEXIST/u) }),
    'a short extraction process did not start',
  );
});

test('a child process is replaced after a number of files', async () => {
  const { extract: read, pids } = await startPool({ size: 1, recycleAfter: 0.2 });
  const good = await textFile('recycled.txt', 'Again.');
  const seen = new Set<number>();
  for (let round = 0; round < 4; round += 1) {
    for (const pid of pids()) seen.add(pid);
    expect((await read(txt(good))).text).toBe('Again.');
  }
  expect(seen.size).toBe(2);
  await expect.poll(() => [...seen].filter(isAlive)).toEqual([]);
});

test('closing ends the child processes and rejects running files', async () => {
  const { extract: read, pids, close } = await startPool();
  const closed = new Error('The short extraction pool is closed.');
  const running = ['one', 'two'].map((name) =>
    read(txt(endlessFile(`pipe-close-${name}`))).catch((error: unknown) => error),
  );
  const before = pids();
  expect(before).toHaveLength(2);
  await close();
  expect(await Promise.all(running)).toEqual([closed, closed]);
  expect(before.filter(isAlive)).toEqual([]);
  await expect(read(txt(await textFile('late.txt', 'Late.')))).rejects.toThrow('closed');
});

test.runIf(process.platform === 'linux')('child processes get no secrets', async () => {
  vi.stubEnv('ENGRAM_SECRET', 'do-not-tell');
  const { pids, warmUp } = await startPool({ size: 1 });
  warmUp();
  vi.unstubAllEnvs();
  const environment = await readFile(`/proc/${pids()[0]}/environ`, 'utf8');
  expect(environment).not.toContain('do-not-tell');
});

test('child processes end when the server is killed, even while they process a file', async () => {
  const source = `
    import { createExtractionPool } from ${JSON.stringify(new URL('../extraction-pool.ts', import.meta.url).href)};
    const pool = createExtractionPool({ size: 2, memoryMb: 512, timeoutMs: 120000, moveAfterMs: 120000, recycleAfter: 9, idleMs: 60000, scratch: ${JSON.stringify(join(folder, 'scratch'))} });
    const warm = ${JSON.stringify(txt(await textFile('warm.txt', 'Warm.')))};
    await Promise.all([pool.extract(warm), pool.extract(warm)]);
    for (const job of ${JSON.stringify(['one', 'two'].map((name) => txt(endlessFile(`pipe-orphan-${name}`))))})
      pool.extract(job).catch(() => {});
    process.stdout.write(JSON.stringify(pool.pids()) + '\\n');
  `;
  const server = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', source]);
  const line = await new Promise<string>((resolve) => {
    server.stdout.once('data', (data) => resolve(String(data)));
  });
  const orphans = JSON.parse(line) as number[];
  expect(orphans.filter(isAlive)).toHaveLength(2);
  server.kill('SIGKILL');
  await expect.poll(() => orphans.filter(isAlive)).toEqual([]);
});

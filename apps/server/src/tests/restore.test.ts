import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp } from './app.test-setup.ts';

let folder: string;
let dataDir: string;
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-commands-'));
  dataDir = path.join(folder, 'data');
  place = await mkdtemp(path.join(folder, 'backups-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command in a child process. Returns its exit code and its output. */
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<[code: number, text: string]>((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', path.join(import.meta.dirname, '..', `${command}.ts`), ...args],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ENGRAM_DATA_DIR: dataDir,
          ENGRAM_BACKUP: place,
          ENGRAM_MIN_FREE_MB: '0',
          ...env,
        },
      },
      (failure, out, error) => resolve([Number(failure?.code ?? 0), out + error]),
    );
  });

test('commands back up and restore a stopped server, and refuse a running one', async () => {
  const engram = await buildTestApp({ dataDir, env: { ENGRAM_BACKUP: place } });
  await engram.signIn('ann@example.org');
  const refused = await run('backup', []);
  await engram.close();
  expect(refused).toEqual([1, expect.stringContaining('is in use by another running Engram')]);
  expect(await run('restore', [place])).toEqual([
    1,
    expect.stringContaining('There is no backup to restore. There are no backups.'),
  ]);

  const [code, backupOutput] = await run('backup', []);
  expect(backupOutput).toMatch(
    /^\d{4}-\d\d-\d\d-\d{6} {2}0 files \(0 MB\), database \d+ MB, Engram /u,
  );
  expect(code).toBe(0);
  expect(await run('restore', [place, '--list'])).toEqual([0, backupOutput]);
  expect(await run('restore', [place])).toEqual([1, expect.stringContaining('is not empty')]);
  const elsewhere = { ENGRAM_DATA_DIR: path.join(folder, 'elsewhere') };
  expect(await run('restore', [place, '--backup', '2020'], elsewhere)).toEqual([
    1,
    expect.stringContaining(`There is no backup 2020. Available:\n${backupOutput}`),
  ]);
  const [restoredCode, restoreOutput] = await run('restore', [place], elsewhere);
  expect(restoredCode).toBe(0);
  expect(restoreOutput).toContain(backupOutput);
  expect(restoreOutput).toContain('rebuilds the search index at its next start');
  const restored = await readdir(elsewhere.ENGRAM_DATA_DIR);
  expect(restored.sort()).toEqual(['database', 'files', 'installation', 'lock', 'secret']);
}, 360_000);

test('the commands report missing arguments', async () => {
  expect(await run('backup', [], { ENGRAM_BACKUP: '' })).toEqual([
    1,
    expect.stringContaining('Set ENGRAM_BACKUP'),
  ]);
  expect(await run('restore', [])).toEqual([
    1,
    expect.stringContaining('npm run restore -- --help'),
  ]);
  const missing = path.join(folder, 'missing');
  expect(await run('restore', [missing])).toEqual([
    1,
    expect.stringContaining(`FROM names the folder ${missing}, which does not exist.`),
  ]);
});

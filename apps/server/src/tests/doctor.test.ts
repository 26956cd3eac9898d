import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { deleteArtifact, uploadArtifacts } from '@engram/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../features/consistency/report.ts';
import { originalKey, supplementsPrefix, thumbnailKey } from '../platform/files/keys.ts';
import { findWords } from './find-words.test-setup.ts';
import { buildTestApp, type TestApp } from './app.test-setup.ts';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'engram-doctor-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Outcome {
  code: number;
  out: string;
  error: string;
}

/** Runs the doctor in a child process. */
const doctor = (args: string[] = [], folder = dataDir, env = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', path.join(import.meta.dirname, '../doctor.ts'), ...args],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ENGRAM_DATA_DIR: folder,
          SMTP_URL: 'smtp://127.0.0.1:9',
          ...env,
        },
      },
      (failure, out, error) => resolve({ code: Number(failure?.code ?? 0), out, error }),
    );
  });

const report = async (...args: string[]): Promise<DoctorReport & { code: number }> => {
  const { code, out, error } = await doctor(['--json', ...args]);
  expect(error).toBe('');
  return { ...(JSON.parse(out) as DoctorReport), code };
};

const counts = ({ findings }: DoctorReport): Record<string, number> =>
  Object.fromEntries(findings.map(({ kind, count }) => [kind, count]));

/** Runs Engram on the data folder, and stops it. */
async function withEngram(use: (engram: TestApp) => Promise<void>): Promise<void> {
  const engram = await buildTestApp({ dataDir });
  try {
    await use(engram);
  } finally {
    await engram.close();
  }
}

interface Library {
  userId: string;
  ids: string[];
}

/** Creates a user with the given number of files. */
async function fillLibrary(engram: TestApp, email: string, size: number): Promise<Library> {
  const { client, userId } = await engram.signIn(email);
  const files = Array.from({ length: size }, (_, n) => ({
    name: `note ${n}.txt`,
    content: new Blob([`Note ${n} is about the mill by the river.`]),
  }));
  const { data } = await client.upload(uploadArtifacts, files, {});
  await engram.settled();
  return { userId, ids: data.artifacts.map(({ artifactId }) => artifactId) };
}

/** Uploads a file with a unique word, and deletes it again. */
async function deleteWord(engram: TestApp, word: string): Promise<void> {
  const { client } = await engram.signIn('cid@example.org');
  const file = { name: 'bird.txt', content: new Blob([`The ${word} sings at night.`]) };
  const { data } = await client.upload(uploadArtifacts, [file], {});
  await engram.settled();
  for (const { artifactId } of data.artifacts) {
    await client.call(deleteArtifact, { params: { artifactId } });
  }
  await engram.settled();
}

/** Breaks everything that can break, each in a different file. */
async function breakAll(engram: TestApp, userId: string, ids: readonly string[]): Promise<void> {
  const { files, index, database } = engram.deps;
  const [lost = '', unindexed = '', textless = '', waiting = '', flagged = '', drawn = ''] = ids;
  const write = (key: string) => files.write(key, Readable.from(['left behind']));
  const nobody = randomUUID();
  await write(originalKey(nobody, randomUUID()));
  await write(originalKey(userId, randomUUID()));
  await files.remove(originalKey(userId, lost));
  const [row] = await index.rowsAt(userId, [{ artifactId: lost, ordinal: 0 }]);
  const stray = randomUUID();
  if (row) {
    const rows = [{ ...row, artifactId: stray, terms: 'left behind' }];
    await index.replace(userId, [{ artifactId: stray, rows }]);
  }
  await index.remove(userId, [unindexed]);
  await database.db.execute(sql`DELETE FROM artifact_texts WHERE artifact_id = ${textless}`);
  await database.db.execute(sql`UPDATE artifacts SET status = 'PENDING' WHERE id = ${waiting}`);
  await database.db.execute(sql`UPDATE artifacts SET thumbnail = true WHERE id = ${flagged}`);
  await write(thumbnailKey(userId, drawn));
  await write(`${supplementsPrefix(userId, drawn)}/page-1.json`);
}

const BROKEN = {
  'unknown-user': 1,
  'stray-bytes': 1,
  'missing-bytes': 1,
  'stray-index-rows': 1,
  'missing-index-rows': 1,
  'missing-text': 1,
  'forgotten-reading': 1,
  'missing-thumbnail': 1,
  'stray-thumbnail': 1,
  'stray-supplements': 1,
  'abandoned-writes': 1,
};

test('every kind of damage in a data folder is found and repaired, and then nothing is found', async () => {
  let bob = '';
  await withEngram(async (engram) => {
    const { userId, ids } = await fillLibrary(engram, 'ann@example.org', 8);
    ({ userId: bob } = await fillLibrary(engram, 'bob@example.org', 1));
    await deleteWord(engram, 'canarybird');
    await breakAll(engram, userId, ids);
  });
  const half = path.join(dataDir, 'files/.incoming/half');
  await writeFile(half, 'half');

  const before = await report();
  expect(before.code).toBe(1);
  expect(counts(before)).toEqual(BROKEN);
  expect(before).toMatchObject({ users: 3, left: 11, dataFolder: dataDir });
  expect(before.schema).toMatch(/^\d{4}_/u);
  expect(before.disk['database']).toBeGreaterThan(1_000_000);

  // Database and index keep deleted bytes until maintenance runs.
  expect(await findWords(dataDir, ['canarybird'])).not.toEqual([]);

  const fixed = await report('--fix');
  expect(await findWords(dataDir, ['canarybird'])).toEqual([]);
  // A check changes nothing.
  expect(counts(fixed)).toEqual(BROKEN);
  expect([fixed.code, fixed.left]).toEqual([0, 0]);
  expect(fixed.findings.every(({ count, repaired }) => count === repaired)).toBe(true);
  const after = await report();
  expect([after.code, after.findings]).toEqual([0, []]);

  await writeFile(path.join(dataDir, 'index', `${bob}.sqlite`), 'torn');
  const torn = await doctor();
  expect(torn.code).toBe(1);
  expect(torn.out).toContain('1 search indexes that cannot be opened');
  expect(torn.out).toContain("Repair it with 'npm run doctor -- --fix'.");
  const repaired = await doctor(['--fix']);
  expect(repaired.code).toBe(0);
  expect(repaired.out).toContain(
    'Everything is consistent now. Queued files are processed when Engram runs.',
  );
  await withEngram(async (engram) => {
    await engram.settled();
    expect(await engram.deps.storage.artifactsRepository.countByStatus()).toMatchObject([
      { status: 'FAILED', files: 1 },
      { status: 'SUCCESS', files: 8 },
    ]);
    expect((await engram.deps.index.artifactIds(bob)).size).toBe(1);
  });

  const well = await doctor();
  expect(well.code).toBe(0);
  expect(well.out).toContain('Everything is consistent: database, files and search index.');
  expect(well.out).toMatch(/Files +9 \(0\.0 MB\): 1 FAILED, 8 SUCCESS/u);
}, 240_000);

/** Starts the server in a child process. Returns its address and a function that kills it. */
async function startServer(folder: string) {
  const main = path.join(import.meta.dirname, '../main.ts');
  const server = spawn(process.execPath, ['--no-warnings', main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      ENGRAM_DATA_DIR: folder,
      ENGRAM_LLM: 'none',
      ENGRAM_EMBEDDINGS: 'none',
      ENGRAM_SPEECH: 'none',
      ENGRAM_MIN_FREE_MB: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  for await (const line of createInterface({ input: server.stdout })) {
    const [, origin] = /^Engram is ready on (\S+)$/u.exec(line) ?? [];
    if (origin) return { origin, kill };
  }
  throw new Error('The server did not start.');
}

/** Sends a form with two complete files and the beginning of a third one, which never ends. */
function uploadWithoutEnd(origin: string, token: string, n: number): void {
  const sent = request(`${origin}/v1/artifacts/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=engram',
    },
  });
  sent.on('error', () => undefined);
  for (const part of ['first', 'second', 'third']) {
    sent.write(
      `--engram\r\ncontent-disposition: form-data; name="files"; filename="${part}.txt"\r\n\r\n`,
    );
    sent.write(`The ${part} note of upload ${n}. `.repeat(part === 'third' ? 20_000 : 1));
    if (part !== 'third') sent.write('\r\n');
  }
}

test('files of uploads that a kill interrupted are listed and removed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-killed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await buildTestApp({ dataDir: folder });
  const { token, userId } = await first.signIn('ann@example.org');
  await first.close();

  const { origin, kill } = await startServer(folder);
  for (let n = 0; n < 4; n += 1) uploadWithoutEnd(origin, token, n);
  const userFolder = path.join(folder, 'files', userId);
  const incoming = path.join(folder, 'files', '.incoming');
  await expect.poll(() => readdir(userFolder)).toHaveLength(8);
  await expect.poll(() => readdir(incoming)).toHaveLength(4);
  await kill();

  const { code, out } = await doctor([], folder);
  expect(code).toBe(1);
  expect(out).toContain('8 stored files that nothing refers to');
  expect(out).toContain('4 half-written uploads');
  expect(await readdir(userFolder)).toHaveLength(8);

  const copy = `${folder}-copy`;
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await cp(folder, copy, { recursive: true });
  const fixed = await doctor(['--fix', '--json'], copy);
  expect([fixed.code, fixed.error]).toEqual([0, '']);
  expect(await readdir(path.join(copy, 'files', userId)).catch(() => [])).toEqual([]);
  expect(await readdir(path.join(copy, 'files', '.incoming'))).toEqual([]);
  expect((await doctor([], copy)).code).toBe(0);

  const restarted = await buildTestApp({ dataDir: folder });
  onTestFinished(() => restarted.close());
  await restarted.deps.services.consistency.maintain();
  expect([await readdir(userFolder).catch(() => []), await readdir(incoming)]).toEqual([[], []]);
  expect(await restarted.deps.services.consistency.check()).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'files that other users of the machine may open are found and closed to them, and nothing elsewhere',
  async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'engram-elsewhere-'));
    await chmod(elsewhere, 0o755);
    await symlink(elsewhere, path.join(dataDir, 'models'));
    const open = ['database/PG_VERSION', 'files', 'lock'].map((name) => path.join(dataDir, name));
    for (const path of open) await chmod(path, 0o755);
    const findings = (await report()).findings;
    expect(findings).toEqual([
      { kind: 'open-to-others', count: 3, repaired: 0, examples: expect.any(Array) },
    ]);
    expect(findings[0]?.examples.toSorted()).toEqual(['database/PG_VERSION', 'files', 'lock']);
    const fixed = await report('--fix');
    expect([fixed.code, fixed.left]).toEqual([0, 0]);
    for (const path of open) expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o755);
    await rm(path.join(dataDir, 'models'));
    await rm(elsewhere, { recursive: true });
  },
);

test('a check that cannot run says why', async () => {
  await withEngram(async () => {
    const running = await doctor();
    expect(running.code).toBe(2);
    expect(running.error).toContain('is in use by another running Engram');
  });
  const missingFolder = await doctor([], path.join(dataDir, 'nowhere'));
  expect(missingFolder.code).toBe(2);
  expect(missingFolder.error).toContain('contains no Engram data.');
  const misspelled = await doctor(['--fxi']);
  expect(misspelled.code).toBe(2);
  expect(misspelled.error).toContain("'--fxi'");
});

test('a folder with another secret is opened only if the command allows it', async () => {
  const secret = { ENGRAM_SECRET: 'another secret than the one that is kept here' };
  const refused = await doctor([], dataDir, secret);
  expect(refused.code).toBe(2);
  expect(refused.error).toContain('The secret has changed.');
  expect((await doctor(['--take-over'], dataDir, secret)).code).toBe(0);
});

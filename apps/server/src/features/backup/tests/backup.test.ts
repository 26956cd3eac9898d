import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClient } from '@engram/client';
import { deleteArtifact, listHistory } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBackupPlace } from '../../../composition/file-store.ts';
import { FileNotFoundError } from '../../../platform/files/files.ts';
import { originalKey } from '../../../platform/files/keys.ts';
import { createTestBucket, testS3Url } from '../../../platform/files/tests/s3.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  answerOf,
  backupsIn,
  backupsOf,
  filesOf,
  newFolder,
  openPlace,
  restoreInto,
  startOn,
  upload,
} from '../../../tests/backups.test-setup.ts';
import { dataKey } from '../manifest.ts';

const WHERE = 'Where does the heron nest?';
const HERON = 'The heron nests beside the mill pond.';

const engram = useTestApp();
let ann: SignedInUser;
let heron: string;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  heron = await upload(ann, 'heron.txt', HERON);
  await upload(ann, 'boiler.txt', 'The boiler in the cellar was serviced in May.');
  await engram.settled();
  await answerOf(ann, WHERE);
});

/** Backups of the app, and their folder. */
async function backups() {
  const folder = await newFolder();
  // The names of backups contain seconds.
  const open = async () => {
    engram.advance(1000);
    return openBackupPlace({ minFreeMb: 0, s3Endpoint: undefined }, folder);
  };
  return { folder, open, ...backupsOf(engram, open) };
}

const poolOf = async (folder: string): Promise<string[]> => (await openPlace(folder)).pool.list('');

test('a restore brings back the backup, rebuilds the index and drops later changes', async () => {
  const { folder, run } = await backups();
  const questions = (await ann.client.call(listHistory, {})).data.length;
  await run();
  const later = await upload(ann, 'later.txt', 'The otter sleeps under the bridge.');
  await engram.settled();

  const dataDir = await newFolder();
  expect(await restoreInto(dataDir, await openPlace(folder))).toEqual([]);
  for (const name of ['secret', 'database', 'files']) {
    expect((await stat(path.join(dataDir, name))).mode & 0o077).toBe(0);
  }
  const restored = await startOn(dataDir);
  const client = createClient({ baseUrl: restored.baseUrl, token: () => ann.token });
  const restoredUser = { ...ann, client };
  expect(await filesOf(restoredUser)).toEqual({ 'heron.txt': 'SUCCESS', 'boiler.txt': 'SUCCESS' });
  expect((await client.call(listHistory, {})).data).toHaveLength(questions);
  const key = originalKey(ann.userId, heron);
  expect((await buffer(await restored.deps.files.read(key))).toString()).toBe(HERON);
  await expect.poll(() => answerOf(restoredUser, WHERE)).toContain('beside the mill pond');
  await expect.poll(() => restored.deps.services.consistency.check()).toEqual([]);
  expect((await restored.signIn('ann@example.org')).userId).toBe(ann.userId);

  await ann.client.call(deleteArtifact, { params: { artifactId: later } });
  await engram.settled();
});

test('files are copied once, and deleted with the last backup that contains them', async () => {
  const { folder, run } = await backups();
  await run();
  const first = await poolOf(folder);
  expect(first).toHaveLength(2);
  const reused = path.join(folder, 'files', first[0] ?? '');
  const { ctimeMs } = await stat(reused);

  const otter = await upload(ann, 'otter.txt', 'The otter sleeps under the bridge.');
  await engram.settled();
  await run();
  expect(await poolOf(folder)).toHaveLength(3);
  expect((await stat(reused)).ctimeMs).toBe(ctimeMs);

  await ann.client.call(deleteArtifact, { params: { artifactId: otter } });
  await engram.settled();
  await run();
  const remaining = await backupsIn(folder);
  expect(remaining.map(({ files }) => files)).toEqual([3, 2]);
  expect(await poolOf(folder)).toHaveLength(3);
  await run();
  expect((await backupsIn(folder)).map(({ files }) => files)).toEqual([2, 2]);
  expect(await poolOf(folder)).toEqual(first);
});

test('a file that is deleted while a backup is written is included', async () => {
  const { folder, open } = await backups();
  const otter = await upload(ann, 'otter.txt', 'The otter sleeps under the bridge.');
  await engram.settled();
  const database = {
    ...engram.deps.database,
    async copyTo(dataDir: string) {
      await engram.deps.database.copyTo(dataDir);
      await ann.client.call(deleteArtifact, { params: { artifactId: otter } });
      await engram.settled();
    },
  };
  await backupsOf({ ...engram, deps: { ...engram.deps, database } }, open).run();
  const dataDir = await newFolder();
  await restoreInto(dataDir, await openPlace(folder));
  const restored = await startOn(dataDir);
  const client = createClient({ baseUrl: restored.baseUrl, token: () => ann.token });
  expect(await filesOf({ ...ann, client })).toMatchObject({ 'otter.txt': 'SUCCESS' });
  await expect.poll(() => restored.deps.services.consistency.check()).toEqual([]);
});

describe('an interrupted backup', () => {
  test('does not count or damage others, and its files are not copied again', async () => {
    const { folder, open, run } = await backups();
    await run();
    const good = await backupsIn(folder);
    const otter = await upload(ann, 'otter.txt', 'The otter sleeps under the bridge.');
    await engram.settled();
    const failing = backupsOf(engram, async () => {
      const place = await open();
      const write: typeof place.backups.write = async (key, content) => {
        if (!key.endsWith('.jsonl')) return place.backups.write(key, content);
        content.destroy();
        throw new Error('The disk is full.');
      };
      return { ...place, backups: { ...place.backups, write } };
    });
    await expect(failing.run()).rejects.toThrow('The disk is full.');
    const { backups: store } = await openPlace(folder);
    expect(await store.list('')).toHaveLength(3);
    expect(await backupsIn(folder)).toEqual(good);
    const pool = await poolOf(folder);
    expect(pool).toHaveLength(3);
    const times = async () =>
      Promise.all(pool.map(async (key) => (await stat(path.join(folder, 'files', key))).ctimeMs));
    const before = await times();
    await run();
    expect(await times()).toEqual(before);
    expect(await store.list('')).toHaveLength(4);
    const dataDir = await newFolder();
    expect(await restoreInto(dataDir, await openPlace(folder))).toEqual([]);
    await ann.client.call(deleteArtifact, { params: { artifactId: otter } });
    await engram.settled();
  });

  test('is not logged if the server was stopped', async () => {
    const { folder, open } = await backups();
    const stop = new AbortController();
    const messages: string[] = [];
    const log = { ...engram.deps.log, error: (_: unknown, text: string) => messages.push(text) };
    const deps = { ...engram.deps, log: log as unknown as typeof engram.deps.log };
    const stopped = backupsOf({ ...engram, deps }, async () => {
      stop.abort();
      return open();
    });
    await stopped.runIfDue(stop.signal);
    expect(messages).toEqual([]);
    expect(await backupsIn(folder)).toEqual([]);
  });
});

test('an unusable folder is reported with a message', async () => {
  const messages: string[] = [];
  const log = { ...engram.deps.log, error: (_: unknown, text: string) => messages.push(text) };
  const deps = { ...engram.deps, log: log as unknown as typeof engram.deps.log };
  const { runIfDue } = backupsOf({ ...engram, deps }, () =>
    openBackupPlace({ minFreeMb: 0, s3Endpoint: undefined }, '/nowhere/to/be'),
  );
  await runIfDue();
  expect(messages).toEqual([
    'The backup failed: ENGRAM_BACKUP names the folder /nowhere/to/be, which does not exist. Create or mount it. There is no earlier backup.',
  ]);
});

describe('a restore', () => {
  test('lists damaged files, can skip them, and is not usable until it is complete', async () => {
    const { folder, run } = await backups();
    await run();
    const damaged = (await poolOf(folder)).find((key) => key.includes(heron)) ?? '';
    await writeFile(path.join(folder, 'files', damaged), HERON.replace('mill', 'fish'));
    const dataDir = await newFolder();
    const place = await openPlace(folder);
    const key = originalKey(ann.userId, heron);
    await expect(restoreInto(dataDir, place)).rejects.toThrow(
      `are missing or damaged: ${key}. Use another backup, or skip them`,
    );
    await expect(startOn(dataDir)).rejects.toThrow('was interrupted');
    expect(await restoreInto(dataDir, place, { skipDamaged: true })).toEqual([key]);
    const restored = await startOn(dataDir);
    await expect(restored.deps.files.read(key)).rejects.toThrow(FileNotFoundError);
    const client = createClient({ baseUrl: restored.baseUrl, token: () => ann.token });
    const files = () => filesOf({ ...ann, client });
    await expect.poll(files).toEqual({ 'heron.txt': 'FAILED', 'boiler.txt': 'SUCCESS' });
  });

  test('rejects a damaged database and a folder that is not empty', async () => {
    const { folder, run } = await backups();
    const { prefix } = await run();
    const place = await openPlace(folder);
    await expect(restoreInto(engram.folder, place)).rejects.toThrow('is in use by another');
    const dataDir = await newFolder();
    await writeFile(path.join(dataDir, 'mine.txt'), 'mine');
    await expect(restoreInto(dataDir, place)).rejects.toThrow('is not empty');
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['mine.txt']));
    await rm(path.join(dataDir, 'mine.txt'));

    const archive = path.join(folder, 'backups', dataKey(prefix));
    const bytes = await readFile(archive);
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await writeFile(archive, bytes);
    await expect(restoreInto(dataDir, place)).rejects.toThrow('The database of the backup');
    await expect(startOn(dataDir)).rejects.toThrow('was interrupted');
  });

  test("is possible from another installation's location, but a backup into it is not", async () => {
    const { folder, open, run } = await backups();
    await run();
    const other = await startOn(await newFolder());
    await expect(backupsOf(other, open).run()).rejects.toThrow(
      'has backups of another installation',
    );
    const dataDir = await newFolder();
    expect(await restoreInto(dataDir, await openPlace(folder))).toEqual([]);
  });
});

test.skipIf(!testS3Url)('backups in a bucket are written, pruned and restored', async () => {
  const { bucket, endpoint, client: s3 } = await createTestBucket();
  s3.destroy();
  const open = async () => {
    engram.advance(1000);
    return openBackupPlace({ minFreeMb: 0, s3Endpoint: endpoint }, `s3://${bucket}/nightly`);
  };
  const { run } = backupsOf(engram, open);
  for (let times = 0; times < 3; times += 1) await run();
  const place = await open();
  const keys = await place.backups.list('');
  expect(keys).toHaveLength(4);
  await place.backups.write(`${path.dirname(keys[0] ?? '')}/stray`, Readable.from(['stray']));
  expect(await place.pool.list('')).toHaveLength(2);
  const dataDir = await newFolder();
  expect(await restoreInto(dataDir, place)).toEqual([]);
  place.close();
  const restored = await startOn(dataDir);
  const client = createClient({ baseUrl: restored.baseUrl, token: () => ann.token });
  await expect.poll(() => answerOf({ ...ann, client }, WHERE)).toContain('beside the mill pond');
});

test('a backup is due once a day after its hour', async () => {
  const { folder, runIfDue, last } = await backups();
  const written = async (): Promise<number> => (await backupsIn(folder)).length;
  const today = engram.deps.now();
  // 3 a.m. in Tokyo.
  const advanceTo = (day: number, hour: number) =>
    engram.advance(
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + day, hour) -
        engram.deps.now().getTime(),
    );
  advanceTo(1, 19);
  await runIfDue();
  expect((await last())?.files).toBe(2);
  advanceTo(2, 17);
  await runIfDue();
  expect(await written()).toBe(1);
  advanceTo(2, 18);
  await runIfDue();
  await runIfDue();
  expect(await written()).toBe(2);
});

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createDiskRoom } from '../disk-room.ts';
import { createDiskFileStore } from '../disk.ts';
import { describeFileStore } from './files-suite.test-setup.ts';

async function temporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), 'engram-files-'));
  const store = await createDiskFileStore({
    folder,
    room: createDiskRoom({ folder, spareBytes: 0 }),
  });
  const dispose = () => rm(folder, { recursive: true, force: true });
  return { folder, store, dispose };
}

describeFileStore('disk', temporaryStore);

it('partial files of a killed process are removed, and files that are being written are not', async () => {
  const { folder, store, dispose } = await temporaryStore();
  const halves = ['of-today', 'of-the-day-before-yesterday'];
  const [, old = ''] = halves.map((name) => join(folder, '.incoming', name));
  for (const name of halves) await writeFile(join(folder, '.incoming', name), 'half');
  const nowSeconds = Date.now() / 1000;
  await utimes(old, nowSeconds - 2 * 86_400, nowSeconds - 2 * 86_400);
  const yesterday = new Date((nowSeconds - 86_400) * 1000);
  expect(await store.abandonedWrites(yesterday)).toBe(1);
  await store.removeAbandonedWrites(yesterday);
  expect(await store.abandonedWrites(yesterday)).toBe(0);
  expect(await readdir(join(folder, '.incoming'))).toEqual(['of-today']);
  await dispose();
});

it('every remaining file is listed while folders next to it are removed', async () => {
  const { folder, store, dispose } = await temporaryStore();
  const user = randomUUID();
  const keys = (count: number) =>
    Array.from({ length: count }, () => `${user}/${randomUUID()}/original`);
  const put = (stored: readonly string[]) =>
    Promise.all(
      stored.map(async (key) => {
        await mkdir(dirname(join(folder, key)), { recursive: true });
        await writeFile(join(folder, key), 'a');
      }),
    );
  const remaining = keys(100).sort();
  await put(remaining);
  for (let round = 0; round < 20; round += 1) {
    const removed = keys(50);
    await put(removed);
    const [listed] = await Promise.all([
      store.list(round % 2 ? user : ''),
      ...removed.map((key) => store.removePrefix(dirname(key))),
    ]);
    expect(listed.filter((key) => !removed.includes(key))).toEqual(remaining);
  }
  await dispose();
});

it('files that are being written are not listed', async () => {
  const { folder, store, dispose } = await temporaryStore();
  await writeFile(join(folder, '.incoming', 'half'), 'half');
  const key = `${randomUUID()}/${randomUUID()}/original`;
  await store.write(key, Readable.from(['a']));
  expect(await store.list('')).toEqual([key]);
  await dispose();
});

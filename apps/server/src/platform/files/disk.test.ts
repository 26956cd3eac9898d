import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createDiskRoom } from './disk-room.ts';
import { createDiskFileStore } from './disk.ts';
import { describeFileStore } from './files.test-suite.ts';

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

it('tells what a killed process left half written from its own writes, and removes it', async () => {
  const { folder, store, dispose } = await temporaryStore();
  await writeFile(join(folder, '.incoming', 'left-behind'), 'half');
  const key = `${randomUUID()}/${randomUUID()}/original`;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  async function* slowly() {
    yield Buffer.from('first ');
    await held;
    yield Buffer.from('second');
  }
  const written = store.write(key, Readable.from(slowly()));
  await expect.poll(() => readdir(join(folder, '.incoming'))).toHaveLength(2);
  expect(await store.abandonedWrites()).toBe(1);
  await store.removeAbandonedWrites();
  expect(await store.abandonedWrites()).toBe(0);
  release();
  expect((await written).size).toBe(12);
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  await dispose();
});

it('lists every file that stays while folders beside it are removed', async () => {
  const { folder, store, dispose } = await temporaryStore();
  const user = randomUUID();
  const keys = (count: number) =>
    Array.from({ length: count }, () => `${user}/${randomUUID()}/original`);
  const put = (those: readonly string[]) =>
    Promise.all(
      those.map(async (key) => {
        await mkdir(dirname(join(folder, key)), { recursive: true });
        await writeFile(join(folder, key), 'a');
      }),
    );
  const staying = keys(100).sort();
  await put(staying);
  for (let round = 0; round < 20; round += 1) {
    const going = keys(50);
    await put(going);
    const [listed] = await Promise.all([
      store.list(round % 2 ? user : ''),
      ...going.map((key) => store.removePrefix(dirname(key))),
    ]);
    expect(listed.filter((key) => !going.includes(key))).toEqual(staying);
  }
  await dispose();
});

it('does not list what is being written', async () => {
  const { folder, store, dispose } = await temporaryStore();
  await writeFile(join(folder, '.incoming', 'half'), 'half');
  const key = `${randomUUID()}/${randomUUID()}/original`;
  await store.write(key, Readable.from(['a']));
  expect(await store.list('')).toEqual([key]);
  await dispose();
});

it('names the users whose bytes it keeps', async () => {
  const { store, dispose } = await temporaryStore();
  const [ann, bob] = [randomUUID(), randomUUID()];
  await store.write(`${ann}/${randomUUID()}/original`, Readable.from(['a']));
  await store.write(`${bob}/portrait`, Readable.from(['b']));
  expect((await store.owners()).toSorted()).toEqual([ann, bob].toSorted());
  await dispose();
});

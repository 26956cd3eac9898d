import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { allowDevice, endDevice, listArtifacts, listDevices } from '@engram/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../../../server/src/tests/app.test-setup.ts';
import { useTestApp } from '../../../server/src/tests/use-app.test-setup.ts';
import type { Engine } from '../engine.ts';
import {
  keyOf,
  openEngine,
  TestFolder,
  pathsOf,
  UPLOAD,
  Wire,
} from './synced-folder.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let testFolder: TestFolder;
let wire: Wire;
let engine: Engine;
let count = 0;

beforeEach(async () => {
  count += 1;
  ann = await engram.signIn(`ann${count}@example.org`);
  testFolder = new TestFolder();
  wire = new Wire();
  engine = await openEngine(testFolder, wire);
  await engine.pair(engram.origin, await keyOf(ann, 'Connector'));
});

afterEach(async () => {
  await engine.close();
  testFolder.remove();
});

const state = () => engine.status().folders[0];

test('a folder is uploaded once, and renames, changes and copies upload only new content', async () => {
  testFolder.write('tax/notice.txt', 'The tax of 2025 is 100 euros.');
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  testFolder.write('copy.txt', 'Dear Ann, the garden is fine.');
  testFolder.write('program.exe', 'MZ');
  symlinkSync(testFolder.disk('letter.txt'), testFolder.disk('link.txt'));
  await engine.addFolder(testFolder.root, { topFolderKeyword: true });
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 3, waiting: 0, refused: 2 });
  expect(await pathsOf(ann)).toHaveLength(2);
  expect(wire.writes()).toBeGreaterThan(0);

  await engine.syncOnce();
  expect(wire.writes()).toBe(0);

  renameSync(testFolder.disk('tax/notice.txt'), testFolder.disk('tax/notice of 2025.txt'));
  await engine.syncOnce();
  expect(wire.count(UPLOAD)).toBe(0);
  expect(await pathsOf(ann)).toContain('Papers/tax/notice of 2025.txt');

  await engram.settled();
  testFolder.write('tax/notice of 2025.txt', 'The tax of 2025 is 120 euros.', 1800);
  await engine.syncOnce();
  await engram.settled();
  expect(await pathsOf(ann)).toHaveLength(2);
  const { data } = await ann.client.call(listArtifacts, { query: {} } as never);
  expect(JSON.stringify(data)).toContain('120 euros');
  expect(JSON.stringify(data)).not.toContain('100 euros');
});

test('a removed file is archived only if the user wants that, and never because a disk is missing', async () => {
  for (let index = 0; index < 12; index += 1)
    testFolder.write(`${index}.txt`, `This is paper number ${index}.`);
  const id = await engine.addFolder(testFolder.root, { archive: true });
  await engine.syncOnce();
  renameSync(testFolder.root, `${testFolder.root} away`);
  await engine.syncOnce();
  expect(state()?.state).toBe('missing');
  renameSync(`${testFolder.root} away`, testFolder.root);
  rmSync(testFolder.disk('0.txt'));
  await engine.syncOnce();
  expect(await pathsOf(ann, true)).toEqual(['Papers/0.txt']);
  for (let index = 1; index < 7; index += 1) rmSync(testFolder.disk(`${index}.txt`));
  await engine.syncOnce();
  expect(state()?.archiveAsked).toBe(6);
  expect(await pathsOf(ann, true)).toHaveLength(1);
  await engine.answerArchive(id, true);
  await engine.syncOnce();
  expect(state()?.archiveAsked).toBe(0);
  expect(await pathsOf(ann, true)).toHaveLength(7);
});

test('an upload whose response was lost is not sent again', async () => {
  testFolder.write('a.txt', 'The boiler was serviced in May.');
  let lost = false;
  const { fetch: send } = wire;
  await engine.close();
  const fetchOnceLost: typeof fetch = async (input, init) => {
    const response = await send(input, init);
    if (lost || !String(input).endsWith('/upload')) return response;
    lost = true;
    await response.text();
    throw new TypeError('fetch failed');
  };
  engine = await openEngine(testFolder, wire, { fetch: fetchOnceLost });
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  expect(state()?.state).toBe('waiting');
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 1 });
  expect(wire.count(UPLOAD)).toBe(1);
});

test('syncing waits for a server that fails or has no disk space, and shows its message', async () => {
  testFolder.write('a.txt', 'The roof was mended in June.');
  await engine.addFolder(testFolder.root, {});
  const answers = [500, 507];
  wire.intercept = (call) => {
    const status = call === UPLOAD ? answers.shift() : undefined;
    if (status === undefined) return null;
    return Response.json({ message: 'The disk is nearly full.', code: 'disk_full' }, { status });
  };
  while (answers.length > 0) {
    await engine.syncOnce();
    expect(state()).toMatchObject({ state: 'waiting', waiting: 1 });
    expect(engine.status().problem).toBe('The disk is nearly full.');
  }
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 1 });
});

test('a refused file is not sent again until it changes', async () => {
  testFolder.write('a.txt', 'The roof was mended in June.');
  testFolder.write('b.txt', 'The roof was painted in July.');
  await engine.addFolder(testFolder.root, {});
  wire.intercept = (call) =>
    call === UPLOAD
      ? Response.json({ message: 'This is no text.', code: 'type_not_supported' }, { status: 415 })
      : null;
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 0, refused: 2 });
  expect(wire.count(UPLOAD)).toBe(3);
  await engine.syncOnce();
  expect(wire.count(UPLOAD)).toBe(3);
});

test('syncing ends when the device is removed', async () => {
  testFolder.write('a.txt', 'The roof was mended in June.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  const { data } = await ann.client.call(listDevices, {});
  expect(data[0]?.report?.folders).toMatchObject([{ name: 'Papers', state: 'current', files: 1 }]);
  await ann.client.call(endDevice, { params: { id: data[0]?.id ?? '' } });
  await engine.syncOnce();
  expect(engine.status()).toMatchObject({ pairing: 'ended' });
  await expect(engine.syncOnce()).rejects.toThrow('not connected');
});

test('a file that is still being written is never sent in part', async () => {
  testFolder.write('a.txt', 'The first half');
  await engine.addFolder(testFolder.root, {});
  wire.intercept = (call) => {
    // A slow writer changes the file between the plan and the first byte.
    if (call === UPLOAD && wire.count(UPLOAD) === 1)
      testFolder.write('a.txt', 'The first half and all', 60);
    return null;
  };
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 1 });
  await engram.settled();
  const { data } = await ann.client.call(listArtifacts, { query: {} } as never);
  expect(data).toHaveLength(1);
  expect(JSON.stringify(data)).toContain('and all');
});

test('checks of files with long paths are split into several calls', async () => {
  const deep = Array.from({ length: 8 }, () => 'd'.repeat(200)).join('/');
  for (let index = 0; index < 650; index += 1)
    testFolder.write(`${deep}/${index}.txt`, `Deep paper ${index}.`);
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 650 });
  expect(wire.count('POST /artifacts/check')).toBe(2);
});

test('a Connector is paired by a code that the user confirms', async () => {
  await engine.close();
  let skipped = 0;
  const clock = {
    now: () => Date.now() + skipped,
    // The server limits polling in real time. The next poll is after the user's confirmation.
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      skipped += ms;
      await confirmed;
    },
  };
  let confirm = (): void => undefined;
  const confirmed = new Promise<void>((resolve) => (confirm = resolve));
  testFolder = new TestFolder();
  engine = await openEngine(testFolder, wire, { clock });
  await engine.pair(engram.origin);
  const { code } = engine.status();
  await ann.client.call(allowDevice, { body: { userCode: code?.userCode ?? '' } });
  confirm();
  await expect.poll(() => engine.status().pairing).toBe('paired');
  expect((await ann.client.call(listDevices, {})).data.length).toBeGreaterThan(0);
  testFolder.write('a.txt', 'The fence was mended in June.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  expect(state()).toMatchObject({ state: 'current', files: 1 });
});

import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { catalogModel } from '../../../../tests/catalog-model.test-setup.ts';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../../tests/embedding-server.test-setup.ts';
import { systemClock } from '../../../clock.ts';
import { HttpError } from '../../../http/errors.ts';
import { CATALOG } from '../catalog.ts';
import { createModelStore, ggufFile, type ModelStore } from '../model-store.ts';

const SIZE = 300_000;
const CONTENT = Buffer.alloc(SIZE, 'model ');

let folder: string;
let hub: EmbeddingServer;
let store: ModelStore;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-store-'));
  hub = await startEmbeddingServer();
  hub.model = new Map(['tiny', 'other'].map((name) => [`${name}.gguf`, CONTENT]));
  const settings = { modelHub: hub.url, fetchAllow: [], modelsDir: path.join(folder, 'models') };
  const catalog = [catalogModel('tiny', CONTENT), catalogModel('other', CONTENT)];
  store = createModelStore(settings, { clock: systemClock, catalog });
});
afterEach(async () => {
  await store.close();
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

const download = async (name: string) => (await store.get(name)).ended;
const tiny = async () => (await store.list())[0];

test('a downloaded model is complete, and is used unless another one is chosen', async () => {
  expect(await tiny()).toMatchObject({ state: 'absent', done: 0, bytes: SIZE, problem: null });
  await download('tiny');
  expect(await tiny()).toMatchObject({ state: 'here', done: SIZE });
  const file = store.current()?.file ?? '';
  expect((await stat(file)).size).toBe(SIZE);
  await download('other');
  expect(store.current()?.name).toBe('tiny');
  await store.use('other');
  expect(store.current()?.name).toBe('other');
});

test('a paused download resumes after the stored bytes', async () => {
  hub.hub = { kind: 'stall', after: 100_000 };
  const { ended } = await store.get('tiny');
  await expect.poll(tiny).toMatchObject({ state: 'fetching', done: 100_000 });
  await store.pause('tiny');
  await ended;
  expect(await tiny()).toMatchObject({ state: 'paused', done: 100_000, problem: null });
  hub.hub = { kind: 'answer' };
  await download('tiny');
  expect(await tiny()).toMatchObject({ state: 'here' });
  expect(hub.files.map((request) => request.split(' ')[1])).toEqual([undefined, 'bytes=100000-']);
});

test('two requests for the same model start one download, and a stored model is not downloaded again', async () => {
  const fetches = await Promise.all([store.get('tiny'), store.get('tiny')]);
  await Promise.all(fetches.map(({ ended }) => ended));
  await download('tiny');
  expect(hub.files).toHaveLength(1);
});

test('a removed model is deleted from the disk, does not answer, and can be downloaded again', async () => {
  await download('tiny');
  const file = store.current()?.file ?? '';
  await store.remove('tiny');
  await expect(stat(file)).rejects.toThrow('ENOENT');
  expect(store.current()).toBeNull();
  await download('tiny');
  expect(store.current()?.name).toBe('tiny');
});

test('a hub that cannot be reached is reported, and no model is chosen', async () => {
  await hub.close();
  await download('tiny');
  expect(await tiny()).toMatchObject({
    state: 'absent',
    problem: expect.stringContaining('cannot be reached'),
  });
  expect(store.current()).toBeNull();
});

test('a file that an operator put into the folder is a model with the name of the file', async () => {
  await mkdir(path.join(folder, 'models'));
  const file = path.join(folder, 'models', 'Own.Q4_1.gguf');
  await writeFile(file, 'model');
  await store.use('Own.Q4_1');
  expect(store.current()).toEqual({ name: 'Own.Q4_1', file });
  expect((await store.list()).at(-1)).toMatchObject({ name: 'Own.Q4_1', state: 'here', bytes: 5 });
  await store.remove('Own.Q4_1');
  expect(store.current()).toBeNull();
});

test('the file with 4-bit weights is downloaded from the hub', () => {
  const file = (name: string) => ({ name, size: 1, digest: 'x', kind: 'sha256' as const });
  const offered = (...names: string[]) => new Map(names.map((name) => [name, file(name)]));
  const [chosen] = ggufFile('a/b', offered('b-Q8_0.gguf', 'b-Q4_K_M.gguf', 'mmproj-F16.gguf'));
  expect(chosen?.name).toBe('b-Q4_K_M.gguf');
  expect(() => ggufFile('a/b', offered('model.onnx', 'mmproj.gguf'))).toThrow('GGUF');
});

test('a model outside the catalog is not downloaded, and a missing model does not answer', async () => {
  await expect(store.get('unknown')).rejects.toThrow(HttpError);
  await expect(store.use('tiny')).rejects.toThrow('tiny is not on this machine yet.');
  await expect(store.remove('../../etc')).rejects.toThrow(HttpError);
  expect(hub.files).toEqual([]);
});

test('each model of the catalog is one file of one commit with its SHA-256 and its license', () => {
  for (const { pin, licence, repository } of CATALOG) {
    expect(pin.revision).toMatch(/^[0-9a-f]{40}$/u);
    expect(pin.files).toHaveLength(1);
    expect(pin.files[0]?.digest).toMatch(/^[0-9a-f]{64}$/u);
    expect(licence).toBe('Apache-2.0');
    expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/u);
  }
});

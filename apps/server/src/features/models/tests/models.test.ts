import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getModel, listModels, pauseModel, removeModel, chooseModel } from '@engram/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedInUser, type TestApp } from '../../../tests/app.test-setup.ts';
import { catalogModel } from '../../../tests/catalog-model.test-setup.ts';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../tests/embedding-server.test-setup.ts';
import {
  type MisbehavingModel,
  startMisbehavingModel,
} from '../../../tests/misbehaving-model.test-setup.ts';

const SIZE = 200_000;
const CONTENT = Buffer.alloc(SIZE, 'model ');

let folder: string;
let hub: EmbeddingServer;
let ollama: MisbehavingModel;
let engram: TestApp;
let ann: SignedInUser;

async function open(env: Record<string, string> = {}): Promise<void> {
  engram = await buildTestApp({
    env: {
      ENGRAM_LLM: 'auto',
      HF_ENDPOINT: hub.url,
      OLLAMA_BASE_URL: ollama.url,
      ENGRAM_MODELS_DIR: path.join(folder, 'models'),
      ...env,
    },
    languageModels: [catalogModel('tiny', CONTENT)],
  });
  ann = await engram.signIn('ann@example.org');
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-models-'));
  hub = await startEmbeddingServer();
  hub.model = new Map([['tiny.gguf', CONTENT]]);
  ollama = await startMisbehavingModel();
});
afterEach(async () => {
  await engram.close();
  await hub.close();
  await ollama.close();
  await rm(folder, { recursive: true, force: true });
});

const state = async (user: SignedInUser) => (await user.client.call(listModels, {})).data;
const tiny = async () => (await state(ann)).models[0];
const params = { name: 'tiny' };

test('the only user of a local server can download, use and remove a model', async () => {
  await open();
  expect(await state(ann)).toMatchObject({
    mayChange: true,
    setting: null,
    detail: expect.stringContaining('No language model is on this machine'),
    models: [
      { name: 'tiny', runner: 'engram', state: 'absent', bytes: SIZE, licence: 'Apache-2.0' },
    ],
  });
  hub.hub = { kind: 'stall', after: 50_000 };
  await ann.client.call(getModel, { params });
  await expect.poll(tiny).toMatchObject({ state: 'fetching', done: 50_000 });
  await ann.client.call(pauseModel, { params });
  expect(await tiny()).toMatchObject({ state: 'paused', done: 50_000, answers: false });
  hub.hub = { kind: 'answer' };
  await ann.client.call(getModel, { params });
  await expect.poll(tiny).toMatchObject({ state: 'here', answers: true });
  expect((await state(ann)).detail).toBe('Answers come from tiny on this machine.');
  await ann.client.call(removeModel, { params });
  expect(await tiny()).toMatchObject({ state: 'absent', done: 0, answers: false });
});

test('a watching client gets the progress of a download until it ends', async () => {
  await open();
  hub.hub = { kind: 'stall', after: 50_000 };
  await ann.client.call(getModel, { params });
  const seen: unknown[] = [];
  for await (const { data } of ann.client.stream(listModels, {})) {
    const [model] = data.models;
    seen.push(model?.state);
    if (model?.done === 50_000) await ann.client.call(pauseModel, { params });
  }
  expect(seen.slice(0, -1)).toEqual(seen.slice(1).map(() => 'fetching'));
  expect(seen.at(-1)).toBe('paused');
});

test('an installed model of Ollama can be chosen', async () => {
  ollama.ollama = [{ name: 'newest:latest' }, { name: 'older:latest' }, { name: 'nomic-embed' }];
  await open();
  const answering = async () =>
    (await state(ann)).models.filter(({ answers }) => answers).map(({ name }) => name);
  expect(await answering()).toEqual(['ollama:newest:latest']);
  await ann.client.call(chooseModel, { params: { name: 'ollama:older:latest' } });
  expect(await answering()).toEqual(['ollama:older:latest']);
  const absent = ann.client.call(chooseModel, { params: { name: 'ollama:nothing' } });
  await expect(absent).rejects.toMatchObject({ status: 404 });
});

test('on a server with several users, only admins can change the models', async () => {
  await open();
  const eve = await engram.signIn('eve@example.org');
  expect(await state(eve)).toMatchObject({ mayChange: false });
  for (const route of [getModel, pauseModel, chooseModel, removeModel]) {
    await expect(eve.client.call(route, { params })).rejects.toMatchObject({ status: 403 });
  }
  expect(hub.files).toEqual([]);
});

test('an admin of a server with many users can download a model', async () => {
  await open({ ENGRAM_ADMIN_EMAILS: 'ann@example.org' });
  await engram.signIn('eve@example.org');
  await ann.client.call(getModel, { params });
  await expect.poll(tiny).toMatchObject({ state: 'here' });
});

test('a setting overrides the choice, and is shown', async () => {
  await open({ ENGRAM_LLM: 'ollama:fixed' });
  await ann.client.call(getModel, { params });
  await expect.poll(tiny).toMatchObject({ state: 'here' });
  expect(await state(ann)).toMatchObject({ setting: 'ollama:fixed' });
  expect((await tiny())?.answers).toBe(false);
  await expect(ann.client.call(chooseModel, { params })).rejects.toMatchObject({ status: 409 });
});

test('an unknown model and an incomplete one are refused with the reason', async () => {
  await open();
  const unknown = ann.client.call(getModel, { params: { name: '../secret' } });
  await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_unknown' });
  const absent = ann.client.call(chooseModel, { params });
  await expect(absent).rejects.toMatchObject({ status: 409, code: 'model_absent' });
});

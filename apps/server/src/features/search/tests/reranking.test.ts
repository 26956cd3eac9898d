import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { search, status, uploadArtifacts } from '@engram/contract';
import type { RankedPassage } from '@engram/retrieval';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../config.ts';
import { ModelUnavailable } from '../../../platform/ai/model-unavailable.ts';
import { createManualClock } from '../../../platform/tests/clock.test-setup.ts';
import {
  embeddingModelFiles,
  FAILING,
  PREFERRED,
  rerankerFiles,
  writeModel,
} from '../../../tests/embedding-model.test-setup.ts';
import { startEmbeddingServer } from '../../../tests/embedding-server.test-setup.ts';
import { useRestartingApp } from '../../../tests/use-restarting-app.test-setup.ts';
import { createReranking } from '../reranking.ts';

const QUESTION = 'When is the bakery open?';
const notes: Record<string, string> = {
  'hours.txt': 'The bakery is open from seven to noon. When it is closed, ask next door.',
  'sweets.txt': `Before Christmas each bakery of the town sells ${PREFERRED}.`,
  'street.txt': 'There is a bakery in the street, which is open to everybody.',
};

describe('a reranker', () => {
  const { running, start } = useRestartingApp();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engram-rerankers-'));
    await writeModel(path.join(folder, 'one'), rerankerFiles(1));
    await writeModel(path.join(folder, 'two'), rerankerFiles(2));
    await writeModel(path.join(folder, 'embedder'), embeddingModelFiles());
    await writeModel(path.join(folder, 'broken'), rerankerFiles());
    await writeFile(path.join(folder, 'broken', 'onnx/model.onnx'), 'no model');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function open(reranker: string, more: Record<string, string> = {}, run = running) {
    const env = { ENGRAM_RERANKER: reranker, ENGRAM_LOG_LEVEL: 'silent', ...more };
    const { app, ann } = await run(env);
    await app.deps.reranking.settled();
    const files = Object.entries(notes).map(([name, text]) => ({
      name,
      content: new Blob([text]),
    }));
    await ann.client.upload(uploadArtifacts, files, {});
    await app.settled();
    return {
      async ask(text = QUESTION) {
        const { data } = await ann.client.call(search, {
          body: { text, audio: false, explain: true },
        });
        return { ...data, names: data.found.map(({ fileName }) => fileName) };
      },
      async ability() {
        const { data } = await ann.client.call(status, {});
        return data.abilities.find(({ name }) => name === 'reranker');
      },
    };
  }

  test.each(['one', 'two'])(
    'with %s label(s) changes the order of the sections, but not the relevance',
    async (name) => {
      const without = await open('none');
      const before = await without.ask();
      expect(before.names).toHaveLength(3);
      expect(before.names[0]).not.toBe('sweets.txt');
      const { ask, ability } = await open(`local:${path.join(folder, name)}`);
      const after = await ask();
      const others = before.names.filter((fileName) => fileName !== 'sweets.txt');
      expect(after.names).toEqual(['sweets.txt', ...others]);
      expect(after.citations[0]?.fileName).toBe('sweets.txt');
      expect(after.grounded).toBe(before.grounded);
      expect(after.explain?.stages.map(({ name: stage }) => stage)).toContain('rerank');
      expect(await ability()).toMatchObject({ on: true });
    },
  );

  test('that fails does not change the order, and the next question is reranked', async () => {
    const before = await (await open('none')).ask();
    const { ask, ability } = await open(`local:${path.join(folder, 'one')}`);
    const failed = await ask(`${QUESTION} ${FAILING}`);
    expect(failed.names[0]).not.toBe('sweets.txt');
    expect(failed.names).toHaveLength(before.names.length);
    expect((await ability())?.detail).toContain('The last call failed: The model failed');
    expect((await ask()).names[0]).toBe('sweets.txt');
  });

  test('is downloaded from a hub', async () => {
    const hub = await startEmbeddingServer();
    hub.model = rerankerFiles();
    const { ask } = await open('local:someone/reranker', { HF_ENDPOINT: hub.url }, start);
    expect((await ask()).names[0]).toBe('sweets.txt');
    await hub.close();
  });

  test.each([
    ['nothing', 'does not exist'],
    ['broken', 'The model cannot be loaded'],
    ['embedder', 'The model is not a reranker'],
  ])(
    'in the folder "%s" is reported, and questions are answered without it',
    async (name, text) => {
      const { ask, ability } = await open(`local:${path.join(folder, name)}`);
      expect((await ask()).names).toHaveLength(3);
      await expect.poll(async () => (await ability())?.detail).toContain(text);
      expect((await ability())?.on).toBe(false);
    },
  );

  test.each(['auto', 'openai:gpt', 'local:'])('the setting %s is refused', (setting) => {
    expect(() => loadConfig({ ENGRAM_RERANKER: setting })).toThrow(
      'must be none, local:FOLDER or local:OWNER/MODEL',
    );
  });
});

describe('the time budget of a reranker', () => {
  const passages = ['one', 'two'].map((text) => ({ text, fileName: 'a.txt', headings: [] }));
  const ranked = passages as unknown as RankedPassage[];

  function setUp(score: (signal: AbortSignal) => Promise<number[]>) {
    const clock = createManualClock();
    let calls = 0;
    const reranker = {
      start: () => undefined,
      isReady: () => true,
      describe: () => ({ on: true, detail: 'It is on.' }),
      score(_question: string, _passages: readonly string[], signal: AbortSignal) {
        calls += 1;
        return score(signal);
      },
      settled: async () => undefined,
      close: async () => undefined,
    };
    const options = { reranker, log: { warn: () => undefined }, clock, timeLimitMs: 300 };
    return { clock, reranking: createReranking(options), calls: () => calls };
  }

  test('is 300 ms, after which the model is stopped and the order of the ranking is used', async () => {
    let stopped = false;
    const { clock, reranking } = setUp((signal) => {
      signal.addEventListener('abort', () => (stopped = true));
      return Promise.withResolvers<number[]>().promise;
    });
    const logits = reranking.logits('question', ranked);
    clock.pass(299);
    expect(stopped).toBe(false);
    clock.pass(1);
    expect(await logits).toBeNull();
    expect(stopped).toBe(true);
    expect(reranking.describe().detail).toContain('took longer than 300 ms');
  });

  test('is not spent for a while after three consecutive failures', async () => {
    const { clock, reranking, calls } = setUp(() =>
      Promise.reject(new ModelUnavailable('refused', 'No.')),
    );
    for (let i = 0; i < 5; i += 1) expect(await reranking.logits('question', ranked)).toBeNull();
    expect(calls()).toBe(3);
    clock.pass(1000);
    await reranking.logits('question', ranked);
    expect(calls()).toBe(4);
  });
});

import { mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeEmbeddingModel } from '../../../../tests/embedding-model.test-setup.ts';
import {
  type EmbeddingBehavior,
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../../tests/embedding-server.test-setup.ts';
import { fetchedModel, fetchModel, type HubFile } from '../../hub.ts';
import { onnxFiles } from '../model-source.ts';
import type { Embedder } from '../embedder.ts';
import { setUp, type TestSetup } from './embedder.test-setup.ts';
import { describeEmbedder } from './embedder-suite.test-setup.ts';

const openers: [string, (setup: TestSetup) => Promise<string>][] = [
  [
    'a folder',
    async ({ dataDir }) => {
      const folder = path.join(dataDir, 'tiny');
      await writeEmbeddingModel(folder);
      return `local:${folder}`;
    },
  ],
  ['a hub', async () => 'local:someone/tiny'],
  ['the automatic model', async () => 'auto'],
  ['an OpenAI-compatible server', async () => 'openai:tiny'],
  ['Ollama', async () => 'ollama:tiny'],
];

for (const [driver, settingOf] of openers) {
  describeEmbedder(driver, async () => {
    const setup = await setUp();
    const embedder = setup.open(await settingOf(setup));
    return { embedder, dispose: setup.dispose };
  });
}

describe('embedders', () => {
  let setup: TestSetup;
  let server: EmbeddingServer;
  const { signal } = new AbortController();

  beforeEach(async () => {
    setup = await setUp();
    ({ server } = setup);
  });
  afterEach(() => setup.dispose());

  async function started(embedder: Embedder): Promise<Embedder> {
    embedder.start();
    await embedder.settled();
    return embedder;
  }
  const detailOf = (embedder: Embedder): string => embedder.describe().detail;
  /** Tries a model again after its first failure. */
  async function retry(embedder: Embedder): Promise<void> {
    setup.clock.pass(10_000);
    await embedder.settled();
  }

  test('ENGRAM_EMBEDDINGS=none turns embeddings off', () => {
    expect(() => setup.open('none')).toThrow('There is no embedder.');
    expect(server.files).toEqual([]);
  });

  describe('model hubs', () => {
    test('a model is downloaded once, and stays on the disk', async () => {
      const first = await started(setup.open('local:someone/tiny'));
      const requestCount = server.files.length;
      await first.close();
      const second = await started(setup.open('local:someone/tiny', { mayFetch: false }));
      expect(second.model()).not.toBeNull();
      expect(second.setting).toBe(first.setting);
      expect(server.files).toHaveLength(requestCount);
    });

    test('a hub that cannot be reached is tried again later', async () => {
      const embedder = await started(setup.open('auto', { modelHub: 'http://127.0.0.1:9' }));
      expect(embedder.model()).toBeNull();
      expect(detailOf(embedder)).toContain('The hub at 127.0.0.1:9 cannot be reached.');
      expect(setup.logged).toEqual([['The hub at 127.0.0.1:9 cannot be reached.']]);
      await retry(embedder);
      expect(setup.logged).toHaveLength(1);
    });

    test('a hub whose connection breaks is tried again later', async () => {
      server.hub = { kind: 'cut', after: 300 };
      const embedder = await started(setup.open('local:someone/tiny'));
      expect(detailOf(embedder)).toContain('The connection to the hub was lost.');
      server.hub = { kind: 'answer' };
      await retry(embedder);
      expect(embedder.model()).not.toBeNull();
    });

    test('a download that stopped resumes where it ended', async () => {
      server.hub = { kind: 'stall', after: 300 };
      const embedder = setup.open('local:someone/tiny');
      embedder.start();
      const modelFolder = path.join(setup.dataDir, 'models', 'someone--tiny');
      const fetched = async () => {
        const [revision = ''] = await readdir(modelFolder);
        return (await stat(path.join(modelFolder, revision, 'onnx/model.onnx.part'))).size;
      };
      await expect.poll(fetched).toBe(300);
      setup.clock.pass(30_000);
      await embedder.settled();
      expect(detailOf(embedder)).toContain('The hub stopped answering.');
      server.hub = { kind: 'answer' };
      await retry(embedder);
      expect(embedder.model()).not.toBeNull();
      expect(server.files.at(-1)).toMatch(/model\.onnx bytes=300-$/u);
    });

    test('a file whose bytes differ from the announced digest is rejected', async () => {
      server.hub = { kind: 'corrupt' };
      const embedder = await started(setup.open('local:someone/tiny'));
      expect(detailOf(embedder)).toContain('with another checksum than announced');
      server.hub = { kind: 'answer' };
      await retry(embedder);
      expect(embedder.model()).not.toBeNull();
    });

    test('a model larger than 150 MB is not downloaded automatically', async () => {
      server.hub = { kind: 'huge', bytes: 151_000_000 };
      const embedder = await started(setup.open('auto'));
      expect(detailOf(embedder)).toContain('the limit is 150 MB');
      expect(server.files).toHaveLength(1);
    });

    test.each([
      [404, 'The hub has no public model someone/tiny.'],
      [503, 'The hub responded with status 503.'],
    ])('status %i of a hub is reported', async (status, sentence) => {
      server.hub = { kind: 'status', status };
      expect(detailOf(await started(setup.open('local:someone/tiny')))).toContain(sentence);
    });

    test('a hub is not contacted if downloads are turned off', async () => {
      const embedder = await started(setup.open('local:someone/tiny', { mayFetch: false }));
      expect(detailOf(embedder)).toContain('is no longer on this machine');
      expect(server.files).toEqual([]);
    });

    async function fetchedFile(name: string): Promise<string> {
      const first = await started(setup.open('local:someone/tiny'));
      await first.close();
      const modelFolder = path.join(setup.dataDir, 'models', 'someone--tiny');
      const [revision = ''] = await readdir(modelFolder);
      return path.join(modelFolder, revision, name);
    }

    test('a truncated file is downloaded again', async () => {
      await truncate(await fetchedFile('onnx/model.onnx'), 10);
      expect((await started(setup.open('local:someone/tiny'))).model()).not.toBeNull();
    });

    test('a file whose bytes changed is downloaded again', async () => {
      const file = await fetchedFile('onnx/model.onnx');
      await writeFile(file, 'x'.repeat((await stat(file)).size));
      const embedder = await started(setup.open('local:someone/tiny'));
      expect(detailOf(embedder)).toContain('The model cannot be loaded');
      await retry(embedder);
      expect(embedder.model()).not.toBeNull();
    });

    test('a redirect may lead to the hub itself, and not to another address of the network', async () => {
      server.hub = { kind: 'redirect', to: server.url };
      expect((await started(setup.open('local:someone/tiny'))).model()).not.toBeNull();
      const other = await startEmbeddingServer();
      for (const [to, message] of [
        [other.url, 'redirects to an address that is not allowed'],
        ['file:///etc', 'redirects to an address that is not allowed'],
        ['https://[::1]', 'cannot be reached'],
        ['https://db.localhost', 'cannot be reached'],
      ] as const) {
        server.hub = { kind: 'redirect', to };
        expect(detailOf(await started(setup.open('local:someone/other')))).toContain(message);
      }
      expect(other.files).toEqual([]);
      await other.close();
    });

    test('a file list without an end is cut off', async () => {
      server.hub = { kind: 'endless' };
      const embedder = await started(setup.open('local:someone/tiny'));
      expect(detailOf(embedder)).toContain('a list of files that is too long');
    });

    test('a download leaves the reserved disk space free, and removes earlier partial downloads', async () => {
      const modelFolder = path.join(setup.dataDir, 'someone--tiny');
      await mkdir(path.join(modelFolder, 'older'), { recursive: true });
      await writeFile(path.join(modelFolder, 'older', 'tokenizer.json.part'), 'half');
      const request = {
        hub: server.url,
        model: 'someone/tiny',
        folder: setup.dataDir,
        choose: (files: ReadonlyMap<string, HubFile>) => onnxFiles('someone/tiny', files),
        maxBytes: 1_000_000,
        freeBytes: async () => 1_000_000_000,
        fetch: globalThis.fetch,
        clock: setup.clock,
        signal,
        onProgress: () => undefined,
        yieldToRequests: async () => undefined,
      };
      await expect(fetchModel(request)).rejects.toThrow('too little space');
      expect(await readdir(modelFolder)).toEqual([]);
      await fetchModel({ ...request, freeBytes: async () => 2_000_000_000 });
      expect(await fetchedModel(request)).not.toBeNull();
    });
  });

  describe('model folders', () => {
    test('a folder that is missing or does not contain a model is reported', async () => {
      const { dataDir } = setup;
      const missing = await started(setup.open(`local:${dataDir}/nothing`));
      expect(detailOf(missing)).toContain(`The folder ${dataDir}/nothing does not exist.`);
      expect(detailOf(await started(setup.open(`local:${dataDir}`)))).toContain(
        'has no config.json',
      );
    });

    test('a broken model does not crash the server', async () => {
      const folder = path.join(setup.dataDir, 'broken');
      await writeEmbeddingModel(folder);
      await writeFile(path.join(folder, 'onnx/model.onnx'), 'no model');
      const embedder = await started(setup.open(`local:${folder}`));
      expect(detailOf(embedder)).toContain('The model cannot be loaded');
      await writeEmbeddingModel(folder);
      await retry(embedder);
      expect(embedder.model()).not.toBeNull();
    });

    test('closing stops a model immediately while it loads and while it runs', async () => {
      const folder = path.join(setup.dataDir, 'tiny');
      await writeEmbeddingModel(folder);
      const loading = setup.open(`local:${folder}`);
      loading.start();
      await loading.close();
      expect(loading.model()).toBeNull();
      const embedder = await started(setup.open(`local:${folder}`));
      const caller = new AbortController();
      const texts = Array.from({ length: 4 }, () => 'car '.repeat(1500));
      const vectors = embedder.embed(texts, 'passage', caller.signal);
      caller.abort(new Error('gone'));
      await expect(vectors).rejects.toThrow('gone');
      expect(await embedder.embed(['car'], 'query', signal)).toHaveLength(1);
    });

    test('a different model has a different key', async () => {
      const folder = path.join(setup.dataDir, 'tiny');
      await writeEmbeddingModel(folder);
      const keyNow = async () => (await started(setup.open(`local:${folder}`))).model()?.key;
      const first = await keyNow();
      expect(await keyNow()).toBe(first);
      await writeEmbeddingModel(folder, 2);
      expect(await keyNow()).not.toBe(first);
    });
  });

  describe('embedding servers', () => {
    test('the key is sent in its header and nowhere else', async () => {
      const embedder = await started(setup.open('openai:tiny', { openaiApiKey: 'sk-secret' }));
      await embedder.embed(['car'], 'query', signal);
      expect(server.requests.at(-1)).toMatchObject({ model: 'tiny', key: 'Bearer sk-secret' });
      server.embeddings = { kind: 'status', status: 401 };
      await expect(embedder.embed(['car'], 'query', signal)).rejects.toThrow('the key');
      expect(JSON.stringify([setup.logged, embedder.describe()])).not.toContain('sk-secret');
    });

    test('texts are sent in batches, with the prompts of the model', async () => {
      const embedder = await started(setup.open('ollama:nomic-embed-text'));
      const texts = Array.from({ length: 40 }, () => 'car');
      await embedder.embed(texts, 'passage', signal);
      await embedder.embed(['car'], 'query', signal);
      const sizes = server.requests.map(({ input }) => input.length);
      expect(sizes).toEqual([1, 32, 8, 1]);
      expect(server.requests.map(({ input }) => input[0])).toEqual([
        'search_document: Engram',
        'search_document: car',
        'search_document: car',
        'search_query: car',
      ]);
    });

    test.each<[EmbeddingBehavior, string]>([
      [{ kind: 'status', status: 429 }, 'too many requests'],
      [{ kind: 'status', status: 500 }, 'failing right now'],
      [{ kind: 'senseless', vectors: [[1, 2]] }, 'invalid vectors'],
      [{ kind: 'senseless', vectors: [] }, 'sent an invalid response'],
      [{ kind: 'senseless', vectors: ['x'] }, 'sent an invalid response'],
    ])(
      'a server that fails with %j is reported until it works again',
      async (behavior, sentence) => {
        const embedder = await started(setup.open('openai:tiny'));
        server.embeddings = behavior;
        await expect(embedder.embed(['car'], 'query', signal)).rejects.toThrow(sentence);
        expect(detailOf(embedder)).toContain(sentence);
        server.embeddings = { kind: 'answer' };
        await embedder.embed(['car'], 'query', signal);
        expect(detailOf(embedder)).not.toContain(sentence);
      },
    );

    test.each<EmbeddingBehavior>([
      { kind: 'status', status: 400 },
      { kind: 'status', status: 500 },
      { kind: 'senseless', vectors: ['a secret'] },
    ])('a server that fails with %j leaves no text in the error', async (behavior) => {
      const embedder = await started(setup.open('openai:tiny'));
      server.embeddings = behavior;
      const error: unknown = await embedder
        .embed(['a secret'], 'passage', signal)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: null })).not.toContain('a secret');
    });

    test('a server that does not respond times out', async () => {
      const embedder = await started(setup.open('openai:tiny'));
      server.embeddings = { kind: 'hang' };
      const vectors = embedder.embed(['car'], 'query', signal);
      setup.clock.pass(60_000);
      await expect(vectors).rejects.toThrow('took too long');
    });

    test('vectors without numbers are rejected', async () => {
      server.embeddings = { kind: 'senseless', vectors: [[]] };
      const embedder = await started(setup.open('openai:tiny'));
      expect(embedder.model()).toBeNull();
      expect(detailOf(embedder)).toContain('Vectors of 0 numbers cannot be stored.');
    });

    test('a server needs a key or an address', async () => {
      const embedder = await started(setup.open('openai:tiny', { openaiBaseUrl: undefined }));
      expect(detailOf(embedder)).toContain('openai:MODEL needs OPENAI_API_KEY');
    });
  });
});

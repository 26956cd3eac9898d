import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deleteArtifact, search, status, uploadArtifacts } from '@engram/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeEmbeddingModel } from '../../testing/embedding-model.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../testing/embedding-server.ts';
import { buildTestApp, type SignedInUser, type TestApp } from '../../testing/test-app.ts';

const notes: Record<string, string> = {
  'garage.txt': 'The automobile was mended by Jansen on the fourth of May.',
  'ward.txt': 'A physician looks after the ward until noon.',
  'harbour.txt': 'The vessel left the pier with a cargo of grain.',
};

// A start on a busy machine takes some seconds.
describe('finding by meaning', { timeout: 120_000 }, () => {
  let dataDir: string;
  let server: EmbeddingServer;
  let engram: TestApp | null = null;
  let ann: SignedInUser;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'engram-embedding-'));
    server = await startEmbeddingServer();
    for (const name of ['first', 'second']) {
      await writeEmbeddingModel(path.join(dataDir, name), name === 'first' ? 1 : 2);
    }
  });
  afterEach(async () => {
    await engram?.close();
    engram = null;
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Starts Engram, or starts it anew on the same data. */
  async function start(embeddings: string): Promise<TestApp> {
    await engram?.close();
    engram = await buildTestApp({
      dataDir,
      env: {
        ENGRAM_EMBEDDINGS: embeddings,
        ENGRAM_LOG_LEVEL: 'silent',
        OPENAI_BASE_URL: `${server.url}/v1`,
        HF_ENDPOINT: server.url,
      },
    });
    ann = await engram.signIn('ann@example.org');
    return engram;
  }
  const folder = (name: string): string => `local:${path.join(dataDir, name)}`;

  async function settle({ deps, settled }: TestApp): Promise<void> {
    await settled();
    await deps.embedding.settled();
  }

  async function upload(app: TestApp, files: Record<string, string>): Promise<Map<string, string>> {
    const { data } = await ann.client.upload(
      uploadArtifacts,
      Object.entries(files).map(([name, text]) => ({ name, content: new Blob([text]) })),
      {},
    );
    await settle(app);
    return new Map(data.artifacts.map(({ fileName, artifactId }) => [fileName, artifactId]));
  }

  async function ask(text: string) {
    const { data } = await ann.client.call(search, { body: { text, audio: false, explain: true } });
    return { ...data, files: data.similar_vectors.map(({ fileName }) => fileName) };
  }

  async function detail(): Promise<{ on: boolean; detail: string } | undefined> {
    const { data } = await ann.client.call(status, {});
    return data.abilities.find(({ name }) => name === 'embeddings');
  }

  /** The models whose vectors are kept, by the beginning of their folders' names. */
  const kept = async (): Promise<string[]> =>
    (await readdir(path.join(dataDir, 'vectors', ann.userId)).catch(() => [])).toSorted();

  test('a question in other words finds its file', async () => {
    const app = await start(folder('first'));
    await upload(app, notes);
    const found = await ask('Which medic?');
    expect(found.files[0]).toBe('ward.txt');
    expect(found.explain?.stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['embed', 'vectors', 'index']),
    );
    expect(found.explain?.passages[0]?.scores).toHaveProperty('closeness');
    expect((await ask('car')).files[0]).toBe('garage.txt');
    expect(await detail()).toMatchObject({ on: true });
  });

  test('without a model words alone are asked, and nothing is kept', async () => {
    const app = await start('none');
    await upload(app, notes);
    const found = await ask('Which medic?');
    expect(found.files).toEqual([]);
    expect(found.explain?.stages.map(({ name }) => name)).not.toContain('embed');
    expect(await detail()).toMatchObject({ on: false });
    expect(await kept()).toEqual([]);
  });

  test('files that were there before the model get their vectors', async () => {
    await upload(await start('none'), notes);
    await settle(await start('auto'));
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
  });

  test('a hub that cannot be reached leaves the words', async () => {
    server.hub = { kind: 'status', status: 503 };
    await upload(await start('auto'), notes);
    expect((await ask('Who is the physician?')).files[0]).toBe('ward.txt');
    expect(await detail()).toMatchObject({
      on: false,
      detail: expect.stringContaining('The hub answered with status 503.') as string,
    });
  });

  test('a deleted file is out of answers at once, and its vectors off the disk soon', async () => {
    const app = await start(folder('first'));
    const ids = await upload(app, notes);
    const artifactId = ids.get('ward.txt') ?? '';
    await ann.client.call(deleteArtifact, { params: { artifactId } });
    expect((await ask('Which medic?')).files).not.toContain('ward.txt');
    await settle(app);
    const entries = await readdir(path.join(dataDir, 'vectors'), {
      recursive: true,
      withFileTypes: true,
    });
    for (const entry of entries.filter((each) => each.isFile())) {
      const content = await readFile(path.join(entry.parentPath, entry.name));
      expect(content.includes(artifactId)).toBe(false);
    }
  });

  test('another person finds none of it', async () => {
    const app = await start(folder('first'));
    await upload(app, notes);
    ann = await app.signIn('bob@example.org');
    expect((await ask('Which medic?')).files).toEqual([]);
  });

  test('after a change of the model the old vectors answer until the new ones are there', async () => {
    await upload(await start(folder('first')), notes);
    const [first] = await kept();
    server.embeddings = { kind: 'refuse', containing: 'vessel', status: 500 };
    const app = await start('openai:tiny');
    await settle(app);
    expect(await kept()).toContain(first);
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
    server.embeddings = { kind: 'answer' };
    await settle(await start('openai:tiny'));
    expect(await kept()).toEqual([expect.stringMatching(/^openai-tiny-/u)]);
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
  });

  test('a file that the model cannot do costs only itself', async () => {
    const app = await start('openai:tiny');
    server.embeddings = { kind: 'refuse', containing: 'physician', status: 400 };
    await upload(app, notes);
    server.embeddings = { kind: 'answer' };
    expect((await ask('car')).files[0]).toBe('garage.txt');
    expect((await ask('Which medic?')).files).not.toContain('ward.txt');
    expect((await ask('Who is the physician?')).files[0]).toBe('ward.txt');
  });

  test('a restart makes what a kill left undone', async () => {
    await upload(await start('openai:tiny'), { 'ward.txt': notes['ward.txt'] ?? '' });
    const before = server.requests.length;
    const app = await start('openai:tiny');
    await settle(app);
    // One to see whether it answers; nothing is made twice.
    expect(server.requests).toHaveLength(before + 1);
    server.embeddings = { kind: 'status', status: 500 };
    await upload(app, { 'garage.txt': notes['garage.txt'] ?? '' });
    server.embeddings = { kind: 'answer' };
    await settle(await start('openai:tiny'));
    expect((await ask('car')).files[0]).toBe('garage.txt');
  });
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deleteArtifact, search, status, uploadArtifacts } from '@engram/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeEmbeddingModel } from '../../../tests/embedding-model.test-setup.ts';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../tests/embedding-server.test-setup.ts';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';
import { useRestartingApp } from '../../../tests/use-restarting-app.test-setup.ts';
import { embeddingSettled } from './embedding-settled.test-setup.ts';

const notes: Record<string, string> = {
  'garage.txt': 'The automobile was mended by Jansen on the fourth of May.',
  'ward.txt': 'A physician looks after the ward until noon.',
  'harbour.txt': 'The vessel left the pier with a cargo of grain.',
};

/** Engram with a data folder for a group of tests, each with its own user. */
function createLibrary() {
  let server: EmbeddingServer;
  let models: string;
  let ann: SignedInUser;

  beforeAll(async () => {
    server = await startEmbeddingServer();
    models = await mkdtemp(path.join(tmpdir(), 'engram-models-'));
    await writeEmbeddingModel(models);
  });
  beforeEach(() => {
    Object.assign(server, { embeddings: { kind: 'answer' }, hub: { kind: 'answer' } });
  });
  afterAll(async () => {
    await server.close();
    await rm(models, { recursive: true, force: true });
  });
  const { dataDir, ...engram } = useRestartingApp();

  const settings = (embeddings: string) => ({
    ENGRAM_EMBEDDINGS: embeddings,
    ENGRAM_LOG_LEVEL: 'silent',
    OPENAI_BASE_URL: `${server.url}/v1`,
    HF_ENDPOINT: server.url,
  });
  const useUser = (running: { app: TestApp; ann: SignedInUser }): TestApp => {
    ({ ann } = running);
    return running.app;
  };

  async function settle({ deps, settled }: TestApp): Promise<void> {
    await settled();
    await embeddingSettled(deps.embedding, deps.jobs);
  }

  return {
    server: () => server,
    folder: () => path.join(dataDir(), 'index'),
    /** The embeddings of a model in a folder. */
    local: () => `local:${models}`,
    /** Starts or restarts Engram. */
    start: async (embeddings: string) => useUser(await engram.start(settings(embeddings))),
    running: async (embeddings: string) => useUser(await engram.running(settings(embeddings))),
    settle,

    async signIn(app: TestApp, email: string): Promise<void> {
      ann = await app.signIn(email);
    },

    async upload(app: TestApp, files: Record<string, string>): Promise<Map<string, string>> {
      const { data } = await ann.client.upload(
        uploadArtifacts,
        Object.entries(files).map(([name, text]) => ({ name, content: new Blob([text]) })),
        {},
      );
      await settle(app);
      return new Map(data.artifacts.map(({ fileName, artifactId }) => [fileName, artifactId]));
    },

    remove: (artifactId: string) => ann.client.call(deleteArtifact, { params: { artifactId } }),

    async ask(text: string) {
      const body = { text, audio: false, explain: true };
      const { data } = await ann.client.call(search, { body });
      return { ...data, files: data.similar_vectors.map(({ fileName }) => fileName) };
    },

    async detail(): Promise<{ on: boolean; detail: string } | undefined> {
      const { data } = await ann.client.call(status, {});
      return data.abilities.find(({ name }) => name === 'embeddings');
    },

    /** The keys of the models with stored vectors. */
    storedModels: async ({ deps }: TestApp): Promise<string[]> =>
      (await deps.index.models(ann.userId)).map(({ key }) => key),
  };
}

describe('semantic search', () => {
  const library = createLibrary();
  const { server, folder, local, signIn, start, running } = library;
  const { settle, upload, remove, ask, detail, storedModels } = library;

  test('a question with other words finds its file', async () => {
    const app = await running(local());
    await upload(app, notes);
    const answer = await ask('Which medic?');
    expect(answer.files[0]).toBe('ward.txt');
    expect(answer.explain?.stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['embed', 'vectors', 'index']),
    );
    expect(answer.explain?.passages[0]?.scores).toHaveProperty('meaning');
    expect((await ask('car')).files[0]).toBe('garage.txt');
    expect(await detail()).toMatchObject({ on: true });
  });

  test('a deleted file is removed from answers immediately, and its vectors from the disk soon', async () => {
    const app = await running(local());
    const ids = await upload(app, notes);
    const artifactId = ids.get('ward.txt') ?? '';
    await remove(artifactId);
    expect((await ask('Which medic?')).files).not.toContain('ward.txt');
    await settle(app);
    for (const userId of await app.deps.index.users()) await app.deps.index.purge(userId);
    const entries = await readdir(folder(), {
      recursive: true,
      withFileTypes: true,
    });
    for (const entry of entries.filter((candidate) => candidate.isFile())) {
      const content = await readFile(path.join(entry.parentPath, entry.name));
      expect(content.includes(artifactId)).toBe(false);
    }
  });

  test('another user does not find it', async () => {
    const app = await running(local());
    await upload(app, notes);
    await signIn(app, 'bob@example.org');
    expect((await ask('Which medic?')).files).toEqual([]);
  });

  test('after a change of the model, the old vectors are used until the new ones are complete', async () => {
    const before = await running(local());
    await upload(before, notes);
    const [first] = await storedModels(before);
    server().embeddings = { kind: 'refuse', containing: 'vessel', status: 500 };
    const app = await start('openai:tiny');
    await settle(app);
    expect(await storedModels(app)).toContain(first);
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
    server().embeddings = { kind: 'answer' };
    const restarted = await start('openai:tiny');
    await settle(restarted);
    expect(await storedModels(restarted)).toEqual([expect.stringMatching(/^openai-tiny-/u)]);
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
  });

  test('a restart creates vectors that were missing after a crash', async () => {
    await upload(await running('openai:tiny'), { 'ward.txt': notes['ward.txt'] ?? '' });
    const before = server().requests.length;
    const app = await start('openai:tiny');
    await settle(app);
    // One call checks whether it responds. No vector is created twice.
    expect(server().requests).toHaveLength(before + 1);
    server().embeddings = { kind: 'status', status: 500 };
    await upload(app, { 'garage.txt': notes['garage.txt'] ?? '' });
    server().embeddings = { kind: 'answer' };
    await settle(await start('openai:tiny'));
    expect((await ask('car')).files[0]).toBe('garage.txt');
  });

  test('a file that the model refuses does not affect others', async () => {
    const app = await running('openai:tiny');
    server().embeddings = { kind: 'refuse', containing: 'physician', status: 400 };
    await upload(app, notes);
    server().embeddings = { kind: 'answer' };
    expect((await ask('car')).files[0]).toBe('garage.txt');
    expect((await ask('Which medic?')).files).not.toContain('ward.txt');
    expect((await ask('Who is the physician?')).files[0]).toBe('ward.txt');
  });
});

describe('a missing model', () => {
  const { server, start, running, settle, upload, ask, detail, storedModels } = createLibrary();

  test('does not affect keyword search if the hub cannot be reached', async () => {
    server().hub = { kind: 'status', status: 503 };
    await upload(await start('auto'), notes);
    expect((await ask('Who is the physician?')).files[0]).toBe('ward.txt');
    expect(await detail()).toMatchObject({
      on: false,
      detail: expect.stringContaining('The hub responded with status 503.') as string,
    });
  });

  test('is not needed for keyword search, and no vectors are stored', async () => {
    const app = await running('none');
    await upload(app, notes);
    const answer = await ask('Which medic?');
    expect(answer.files).toEqual([]);
    expect(answer.explain?.stages.map(({ name }) => name)).not.toContain('embed');
    expect(await detail()).toMatchObject({ on: false });
    expect(await storedModels(app)).toEqual([]);
  });

  test('creates vectors of existing files once it is available', async () => {
    await upload(await running('none'), notes);
    await settle(await start('local:someone/tiny'));
    expect((await ask('Which medic?')).files[0]).toBe('ward.txt');
  });
});

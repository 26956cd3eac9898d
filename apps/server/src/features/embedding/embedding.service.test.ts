import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../platform/ai/answering/answer-model.test-setup.ts';
import { createEmbedder } from '../../platform/ai/embedding/embedder.ts';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { createVectorStore } from '../../platform/vectors/vector-store.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../testing/embedding-server.ts';
import { createEmbeddingService } from './embedding.service.ts';

const user = randomUUID();
const file = { id: randomUUID(), revision: 1, fileName: 'garage.txt' };

let folder: string;
let server: EmbeddingServer;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-service-'));
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The service with one person, who has one file. */
async function open() {
  const clock = createManualClock();
  const logged: unknown[] = [];
  const log = { info: () => undefined, warn: (line: unknown) => void logged.push(line) };
  const embedder = createEmbedder(
    {
      embeddings: 'openai:tiny',
      modelHub: server.url,
      dataDir: folder,
      ollamaBaseUrl: server.url,
      openaiBaseUrl: `${server.url}/v1`,
    },
    { log, clock, onReady: () => service.modelIsReady() },
  );
  const row: IndexRow = {
    artifactId: file.id,
    ordinal: 0,
    start: 0,
    end: 8,
    text: 'The car.',
    terms: 'car',
    location: {},
    places: [],
    headings: [],
  };
  const vectors = createVectorStore({ folder });
  const service = createEmbeddingService({
    embedder,
    openEmbedder: () => null,
    vectors,
    index: {
      rows: async () => [row],
      rowsAt: async () => [],
      stats: async () => ({ mainRows: 1, deltaRows: 0 }),
    },
    owners: async () => [user],
    readable: async () => [file],
    log,
    clock,
    timeLimitMs: 100,
    stepBack: async () => undefined,
  });
  service.start();
  await service.settled();
  return { service, clock, logged };
}

type Opened = Awaited<ReturnType<typeof open>>;

const asksMoreThan = (before: number): Promise<void> =>
  vi.waitUntil(() => server.requests.length > before).then(() => undefined);

/** Asks; the time limit passes once the question has reached the server that is silent. */
async function ask({ service, clock }: Opened, question: string): Promise<string[]> {
  const before = server.requests.length;
  const limits = { exclude: new Set<string>() };
  const asked = service.nearest(user, { question, limit: 5, limits, done: () => undefined });
  if (server.embeddings.kind === 'hang') {
    await asksMoreThan(before);
    clock.pass(100);
  }
  return (await asked).map(({ artifactId }) => artifactId);
}

test('a model that is silent is soon not asked any more, and asked again later', async () => {
  const opened = await open();
  expect(await ask(opened, 'car')).toEqual([file.id]);
  server.embeddings = { kind: 'hang' };
  for (const question of ['one', 'two', 'three']) expect(await ask(opened, question)).toEqual([]);
  const asked = server.requests.length;
  server.embeddings = { kind: 'answer' };
  expect(await ask(opened, 'vehicle')).toEqual([]);
  expect(server.requests).toHaveLength(asked);
  opened.clock.pass(1000);
  expect(await ask(opened, 'vehicle')).toEqual([file.id]);
  await opened.service.close();
});

test('nothing of a person who goes comes back, whatever is under way', async () => {
  const opened = await open();
  server.embeddings = { kind: 'hang' };
  await opened.service.forget(user, [file.id]);
  const before = server.requests.length;
  await asksMoreThan(before);
  await opened.service.forgetUser(user);
  server.embeddings = { kind: 'answer' };
  server.release();
  await opened.service.settled();
  expect(await readdir(folder)).toEqual([]);
  await opened.service.close();
});

test('a table that cannot be searched is made anew', async () => {
  const opened = await open();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile() && each.name.endsWith('.lance'))) {
    await writeFile(path.join(entry.parentPath, entry.name), 'damaged');
  }
  expect(await ask(opened, 'car')).toEqual([]);
  await opened.service.settled();
  expect(await ask(opened, 'car')).toEqual([file.id]);
  expect(opened.logged).toHaveLength(1);
  await opened.service.close();
});

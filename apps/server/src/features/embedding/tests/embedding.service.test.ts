import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../platform/tests/clock.test-setup.ts';
import { createEmbedder } from '../../../platform/ai/embedding/embedder.ts';
import type { SearchIndex } from '../../../platform/index/search-index.ts';
import { openSqliteIndex } from '../../../platform/index/sqlite/sqlite-index.ts';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../tests/embedding-server.test-setup.ts';
import { createEmbeddingService } from '../embedding.service.ts';

const user = randomUUID();
const artifactId = randomUUID();

let folder: string;
let index: SearchIndex;
let server: EmbeddingServer;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-service-'));
  index = await openSqliteIndex({ folder, log: { warn: () => undefined } });
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await server.close();
  await index.close();
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
  await index.replace(user, [
    {
      artifactId,
      rows: [
        {
          artifactId,
          ordinal: 0,
          start: 0,
          end: 8,
          text: 'The car.',
          terms: 'car',
          location: {},
          places: [],
          headings: [],
        },
      ],
    },
  ]);
  const service = createEmbeddingService({
    embedder,
    openEmbedder: () => null,
    index,
    owners: async () => [user],
    fileNames: async () => new Map([[artifactId, 'garage.txt']]),
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
  return (await asked).map(({ row }) => row.artifactId);
}

test('a model that is silent is soon not asked any more, and asked again later', async () => {
  const opened = await open();
  expect(await ask(opened, 'car')).toEqual([artifactId]);
  server.embeddings = { kind: 'hang' };
  for (const question of ['one', 'two', 'three']) expect(await ask(opened, question)).toEqual([]);
  const asked = server.requests.length;
  server.embeddings = { kind: 'answer' };
  expect(await ask(opened, 'vehicle')).toEqual([]);
  expect(server.requests).toHaveLength(asked);
  opened.clock.pass(1000);
  expect(await ask(opened, 'vehicle')).toEqual([artifactId]);
  await opened.service.close();
});

test('what a server left that was killed is made by the next look', async () => {
  const opened = await open();
  const [row] = await index.rowsAt(user, [{ artifactId, ordinal: 0 }]);
  const left = randomUUID();
  const rows = row ? [{ ...row, artifactId: left, text: 'The car again.', terms: 'car' }] : [];
  await index.replace(user, [{ artifactId: left, rows }]);
  expect(await ask(opened, 'car')).toEqual([artifactId]);
  opened.service.lookAgain();
  await opened.service.settled();
  expect((await ask(opened, 'car')).toSorted()).toEqual([artifactId, left].toSorted());
  await opened.service.close();
});

test('nothing of a person who goes comes back, whatever is under way', async () => {
  const opened = await open();
  server.embeddings = { kind: 'hang' };
  const [row] = await index.rowsAt(user, [{ artifactId, ordinal: 0 }]);
  const before = server.requests.length;
  await index.replace(
    user,
    row ? [{ artifactId, rows: [{ ...row, text: 'The automobile.', terms: 'automobile' }] }] : [],
  );
  opened.service.changed(user);
  await asksMoreThan(before);
  await index.removeUser(user);
  opened.service.forget(user);
  server.embeddings = { kind: 'answer' };
  server.release();
  await opened.service.settled();
  expect(await index.users()).toEqual([]);
  await opened.service.close();
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeDatabases } from '../../../platform/database/tests/database-suite.test-setup.ts';
import { createManualClock } from '../../../platform/tests/clock.test-setup.ts';
import { createJobs, type Jobs } from '../../../platform/jobs/jobs.ts';
import { log as jobLog, useJobs } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import { createEmbedder } from '../../../platform/ai/encoders/embedder.ts';
import type { SearchIndex } from '../../../platform/index/search-index.ts';
import { openSqliteIndex } from '../../../platform/index/sqlite/sqlite-index.ts';
import {
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../tests/embedding-server.test-setup.ts';
import { createEmbeddingService } from '../embedding.service.ts';
import { embeddingSettled } from './embedding-settled.test-setup.ts';

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

const row = {
  artifactId,
  ordinal: 0,
  start: 0,
  end: 8,
  text: 'The car.',
  terms: 'car',
  location: {},
  places: [],
  headings: [],
};

/** The service on some jobs, with one person, who has one file. */
async function open(jobs: Jobs, makesVectors = true) {
  const clock = createManualClock();
  const log = { info: () => undefined, warn: () => undefined };
  const embedder = createEmbedder(
    {
      embeddings: 'openai:tiny',
      modelHub: server.url,
      fetchAllow: [],
      modelsDir: folder,
      ollamaBaseUrl: server.url,
      openaiBaseUrl: `${server.url}/v1`,
    },
    { log, clock, onReady: () => service.modelIsReady() },
  );
  const service = createEmbeddingService({
    embedder,
    openEmbedder: () => null,
    index,
    jobs,
    artifacts: {
      owners: async () => [user],
      fileNames: async () => new Map([[artifactId, 'garage.txt']]),
    },
    log,
    clock,
    timeLimitMs: 100,
    yieldToRequests: async () => undefined,
    makesVectors,
  });
  await jobs.start();
  service.start();
  await embeddingSettled(service, jobs);
  return { service, clock, embedder };
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
  return (await asked).map(({ row: { artifactId: found } }) => found);
}

describeDatabases('finding by meaning', (createStore, kind) => {
  const own = useJobs(createStore);
  beforeEach(() => index.replace(user, [{ artifactId, rows: [row] }]));

  test('a model that is silent is soon not asked any more, and asked again later', async () => {
    const opened = await open(own.jobs);
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

  test('the vectors made so far are searched before the last one is made', async () => {
    const opened = await open(own.jobs, false);
    expect(await ask(opened, 'car')).toEqual([]);
    const model = opened.embedder?.model();
    if (!model) throw new Error('The model is not ready.');
    const later = randomUUID();
    await index.replace(user, [{ artifactId: later, rows: [{ ...row, artifactId: later }] }]);
    const { rows } = await index.unembedded(user, model, { limit: 5, exclude: new Set([later]) });
    const vector = new Float32Array(model.dimensions).fill(1);
    await index.addVectors(
      user,
      model,
      rows.map(({ key }) => ({ key, vector })),
    );
    expect(await ask(opened, 'car')).toEqual([artifactId]);
    await opened.service.close();
  });

  test('what a server left that was killed is made by the next look', async () => {
    const opened = await open(own.jobs);
    const left = randomUUID();
    const rows = [{ ...row, artifactId: left, text: 'The car again.' }];
    await index.replace(user, [{ artifactId: left, rows }]);
    opened.service.checkAll();
    await embeddingSettled(opened.service, own.jobs);
    expect((await ask(opened, 'car')).toSorted()).toEqual([artifactId, left].toSorted());
    await opened.service.close();
  });

  test('what changed just before a stop is made by the next start', async () => {
    const opened = await open(own.jobs);
    await own.jobs.stop();
    const left = randomUUID();
    const rows = [{ ...row, artifactId: left, text: 'The car again.' }];
    await index.replace(user, [{ artifactId: left, rows }]);
    await own.database.transaction((tx) => opened.service.changed(tx, [user]));
    await opened.service.close();
    expect(await own.jobs.counts()).toContainEqual(
      expect.objectContaining({ queue: 'embed-library', state: 'waiting', count: 1 }),
    );
  });

  test.runIf(kind === 'server')('two servers make no vector twice', async () => {
    const rows = Array.from({ length: 40 }, (_, ordinal) => ({
      ...row,
      ordinal,
      text: `The car ${ordinal}.`,
    }));
    await index.replace(user, [{ artifactId, rows }]);
    const otherJobs = createJobs({ database: own.database, log: jobLog });
    const [one, two] = await Promise.all([open(own.jobs), open(otherJobs)]);
    const made = server.requests
      .flatMap(({ input }) => input)
      .filter((text) => /car \d/u.test(text));
    expect(made).toHaveLength(rows.length);
    await otherJobs.stop();
    for (const { service } of [one, two]) await service.close();
  });
});

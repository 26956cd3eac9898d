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

/** The service with fake jobs and one user with one file. */
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
      ownerIds: async () => [user],
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

/** Asks a question. If the server does not respond, the time limit ends once it has the question. */
async function ask({ service, clock }: Opened, question: string): Promise<string[]> {
  const before = server.requests.length;
  const limits = { exclude: new Set<string>() };
  const result = service.nearest(user, { question, limit: 5, limits, done: () => undefined });
  if (server.embeddings.kind === 'hang') {
    await vi.waitUntil(() => server.requests.length > before, { timeout: 120_000 });
    clock.pass(100);
  }
  return (await result).map(({ row: { artifactId: id } }) => id);
}

describeDatabases('semantic search', (createStore, kind) => {
  const ownJobs = useJobs(createStore);
  beforeEach(() => index.replace(user, [{ artifactId, rows: [row] }]));

  test('a model that does not respond is paused and called again later', async () => {
    const opened = await open(ownJobs.jobs);
    expect(await ask(opened, 'car')).toEqual([artifactId]);
    server.embeddings = { kind: 'hang' };
    for (const question of ['one', 'two', 'three']) expect(await ask(opened, question)).toEqual([]);
    const requestCount = server.requests.length;
    server.embeddings = { kind: 'answer' };
    expect(await ask(opened, 'vehicle')).toEqual([]);
    expect(server.requests).toHaveLength(requestCount);
    opened.clock.pass(1000);
    expect(await ask(opened, 'vehicle')).toEqual([artifactId]);
    await opened.service.close();
  });

  test('existing vectors are searched before all are created', async () => {
    const opened = await open(ownJobs.jobs, false);
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

  test('the next check creates vectors that a killed server did not create', async () => {
    const opened = await open(ownJobs.jobs);
    const changedId = randomUUID();
    const rows = [{ ...row, artifactId: changedId, text: 'The car again.' }];
    await index.replace(user, [{ artifactId: changedId, rows }]);
    opened.service.checkAll();
    await embeddingSettled(opened.service, ownJobs.jobs);
    expect((await ask(opened, 'car')).toSorted()).toEqual([artifactId, changedId].toSorted());
    await opened.service.close();
  });

  test('the next start creates vectors of files that changed just before a stop', async () => {
    const opened = await open(ownJobs.jobs);
    await ownJobs.jobs.stop();
    const changedId = randomUUID();
    const rows = [{ ...row, artifactId: changedId, text: 'The car again.' }];
    await index.replace(user, [{ artifactId: changedId, rows }]);
    await ownJobs.database.transaction((tx) => opened.service.changed(tx, [user]));
    await opened.service.close();
    expect(await ownJobs.jobs.counts()).toContainEqual(
      expect.objectContaining({ queue: 'embed-library', state: 'waiting', count: 1 }),
    );
  });

  test.runIf(kind === 'server')('two servers do not create a vector twice', async () => {
    const rows = Array.from({ length: 40 }, (_, ordinal) => ({
      ...row,
      ordinal,
      text: `The car ${ordinal}.`,
    }));
    await index.replace(user, [{ artifactId, rows }]);
    const otherJobs = createJobs({ database: ownJobs.database, log: jobLog });
    const [one, two] = await Promise.all([open(ownJobs.jobs), open(otherJobs)]);
    const created = server.requests
      .flatMap(({ input }) => input)
      .filter((text) => /car \d/u.test(text));
    expect(created).toHaveLength(rows.length);
    await otherJobs.stop();
    for (const { service } of [one, two]) await service.close();
  });
});

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { formOf, plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { buildTestApp } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

/** Longer than a response is cached. */
const A_WHILE_MS = 2000;

const READY = {
  status: 'ready',
  parts: [
    { name: 'database', ok: true, problem: null },
    { name: 'files', ok: true, problem: null },
    { name: 'index', ok: true, problem: null },
  ],
};

describe('readiness and liveness', () => {
  const engram = useTestApp({
    env: { ENGRAM_RATE_LIMITS: 'on', ENGRAM_CALLS_PER_SECOND: '0.001', ENGRAM_CALL_BURST: '1' },
  });
  const ask = async (name: 'live' | 'ready') => {
    const answer = await fetch(`${engram.baseUrl}/${name}`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const later = (): void => engram.advance(A_WHILE_MS);

  /** Runs something while a file replaces a folder of the data folder. */
  const withoutFolder = async (name: string, run: () => Promise<void>): Promise<void> => {
    const folder = path.join(engram.folder, name);
    await mkdir(folder, { recursive: true });
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    later();
    await run().finally(async () => {
      await rm(folder);
      await rename(`${folder}.away`, folder);
    });
  };

  afterEach(later);

  test('probes are answered without authentication, without a rate limit and without caching', async () => {
    for (let n = 0; n < 20; n += 1) {
      expect(await ask('live')).toEqual({ status: 200, message: 'OK', data: { status: 'ok' } });
      expect(await ask('ready')).toEqual({ status: 200, message: 'OK', data: READY });
    }
    const answer = await fetch(`${engram.baseUrl}/ready`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('the server is not ready without the database, and ready again once it responds', async () => {
    const client = await engram.deps.database.pool.connect();
    // The embedded database serves no other query during a transaction.
    await client.query('begin');
    later();
    const [first, second] = await Promise.all([ask('ready'), ask('ready')]);
    expect(first).toEqual({
      status: 503,
      message: 'The database does not respond.',
      code: 'not_ready',
    });
    expect(second).toEqual(first);
    expect(await ask('live')).toMatchObject({ status: 200 });
    await client.query('rollback');
    client.release();
    await expect
      .poll(() => {
        later();
        return ask('ready');
      })
      .toMatchObject({ status: 200, data: READY });
  });

  test('the server is not ready without the file store', async () => {
    await withoutFolder('files', async () => {
      expect(await ask('ready')).toMatchObject({
        status: 503,
        message: 'The file store does not respond.',
      });
    });
    later();
    expect(await ask('ready')).toMatchObject({ status: 200 });
  });

  test('the server is ready without the search index, and reports the problem', async () => {
    await withoutFolder('index', async () => {
      const [database, files] = READY.parts;
      const problem = 'The search index does not respond. Until it does, questions find nothing.';
      expect(await ask('ready')).toMatchObject({
        status: 200,
        data: {
          status: 'degraded',
          parts: [database, files, { name: 'index', ok: false, problem }],
        },
      });
    });
  });
});

test('a stopping server immediately reports that it is not ready, but continues to serve', async () => {
  const engram = await buildTestApp();
  const { baseUrl } = engram;
  engram.deps.drain();
  const answer = await fetch(`${baseUrl}/ready`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { message: 'The server is stopping.', code: 'not_ready' },
  ]);
  for (const path of ['live', 'health', 'settings']) {
    expect((await fetch(`${baseUrl}/${path}`)).status).toBe(200);
  }
  const { token } = await engram.signIn('ann@example.org');
  const body = formOf({ artifactText: 'Written down while the server stops.' });
  const sent = await plainCalls(engram).call('POST /artifacts/upload', { token, body });
  expect(sent.status).toBe(200);
  // The job waits for the next start.
  expect(await engram.deps.jobs.counts()).toContainEqual(
    expect.objectContaining({ queue: 'read-artifact', state: 'waiting', count: 1 }),
  );
  await engram.close();
});

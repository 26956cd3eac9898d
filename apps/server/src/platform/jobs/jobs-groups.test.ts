import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeDatabases, type TestStore } from '../database/database.test-suite.ts';
import { createJobs, type Job, type Jobs } from './jobs.ts';

const log = { info() {}, warn() {}, error() {} };
const settings = { concurrency: 2, timeoutSeconds: 20, retryLimit: 2, retryDelaySeconds: 0 };

describeDatabases('jobs of several groups', (createStore) => {
  let store: TestStore;
  let database: Database;
  let jobs: Jobs;
  let ran: string[];
  let count = 0;
  /** Each test has a queue of its own. */
  let queue: string;

  const note = async (job: Job<{ name: string }>) => {
    ran.push(job.data.name);
  };

  beforeAll(async () => {
    store = await createStore();
    database = await store.open();
  });
  afterAll(async () => {
    await database.close();
    await store.destroy();
  });
  beforeEach(async () => {
    ran = [];
    queue = `queue-${count++}`;
    jobs = await createJobs({ database, log });
  });
  afterEach(async () => {
    await jobs.stop({ graceful: false });
    await database.pool.query('delete from jobs.job');
  });

  test("one group's backlog does not hold up another's job", async () => {
    await jobs.define(queue, { ...settings, handler: note });
    await database.transaction(async (tx) => {
      for (let n = 0; n < 300; n++) {
        await jobs.enqueue(queue, { name: `a${n}` }, { tx, group: 'a' });
      }
    });
    await jobs.enqueue(queue, { name: 'b' }, { group: 'b' });
    for (const name of ['c0', 'c1', 'c2']) await jobs.enqueue(queue, { name }, { group: 'c' });
    await jobs.start();
    await jobs.onIdle();
    expect(ran).toHaveLength(304);
    expect(ran.indexOf('b')).toBeLessThan(10);
    expect(ran.indexOf('c2')).toBeLessThan(15);
    expect(ran.filter((name) => name.startsWith('a'))).toEqual(
      Array.from({ length: 300 }, (_, n) => `a${n}`),
    );
  });

  test('many enqueued at once run in their order, take turns, and wait once for each key', async () => {
    await jobs.define(queue, { ...settings, concurrency: 1, handler: note });
    const many = (group: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        data: { name: `${group}${n}` },
        key: `${group}${n}`,
      }));
    await jobs.enqueue(queue, { name: 'old' }, { key: 'a3', group: 'a' });
    await database.transaction(async (tx) => {
      await jobs.enqueueAll(queue, many('a', 700), { tx, group: 'a' });
    });
    await jobs.enqueueAll(queue, many('b', 3), { group: 'b' });
    await jobs.start();
    await jobs.onIdle();
    const of = (group: string) => ran.filter((name) => name.startsWith(group));
    expect(of('a').toSorted()).toEqual(
      many('a', 700)
        .map(({ key }) => key)
        .toSorted(),
    );
    expect(of('a').filter((name) => name !== 'a3')).toEqual(
      many('a', 700).flatMap(({ key }) => (key === 'a3' ? [] : [key])),
    );
    expect(of('b')).toEqual(['b0', 'b1', 'b2']);
    expect(ran.indexOf('b2')).toBeLessThan(20);
    expect(ran).toHaveLength(703);
  });

  test("a group's slow jobs leave room for another group's, and go on when they have ended", async () => {
    const gate = Promise.withResolvers<void>();
    const slowRunning = Promise.withResolvers<void>();
    let inside = 0;
    let most = 0;
    await jobs.define<{ name: string }>(queue, {
      ...settings,
      concurrency: 4,
      groupConcurrency: 2,
      handler: async ({ data: { name } }) => {
        if (name.startsWith('slow')) {
          most = Math.max(most, ++inside);
          if (inside === 2) slowRunning.resolve();
          await gate.promise;
          inside--;
        }
        ran.push(name);
        if (name === 'last other') gate.resolve();
      },
    });
    for (let n = 0; n < 9; n++) await jobs.enqueue(queue, { name: `slow ${n}` }, { group: 'a' });
    await jobs.start();
    await slowRunning.promise;
    for (let n = 0; n < 20; n++) await jobs.enqueue(queue, { name: `other ${n}` }, { group: 'b' });
    await jobs.enqueue(queue, { name: 'without a group' });
    await jobs.enqueue(queue, { name: 'last other' }, { group: 'b' });
    await jobs.onIdle();
    expect(most).toBe(2);
    expect(ran.slice(0, 22).filter((name) => name.startsWith('slow'))).toEqual([]);
    expect(ran.filter((name) => name.startsWith('slow'))).toEqual(
      Array.from({ length: 9 }, (_, n) => `slow ${n}`),
    );
  });

  test('however quick its jobs are, a group has no more running than it may', async () => {
    const inside = new Map<string, string[]>();
    let most = 0;
    await jobs.define<{ group: string }>(queue, {
      ...settings,
      concurrency: 5,
      groupConcurrency: 2,
      handler: async ({ data: { group } }) => {
        const running = inside.get(group) ?? [];
        inside.set(group, running);
        most = Math.max(most, running.push(group));
        await database.pool.query('select 1');
        running.pop();
        ran.push(group);
      },
    });
    await jobs.start();
    await database.transaction(async (tx) => {
      for (let n = 0; n < 120; n++) {
        const group = `group ${n % 4}`;
        await jobs.enqueue(queue, { group }, { tx, group });
      }
    });
    await jobs.onIdle();
    expect(ran).toHaveLength(120);
    expect(most).toBe(2);
  });
});

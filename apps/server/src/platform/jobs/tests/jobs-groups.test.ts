import { expect, test } from 'vitest';
import { describeDatabases } from '../../database/tests/database-suite.test-setup.ts';
import { settings, useJobs } from './jobs.test-setup.ts';

describeDatabases('jobs of several groups', (createStore) => {
  const fixture = useJobs(createStore);

  test("one group's backlog does not hold up another's job", async () => {
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    await fixture.database.transaction(async (tx) => {
      for (let n = 0; n < 300; n++) {
        await fixture.jobs.enqueue(fixture.queue, { name: `a${n}` }, { tx, group: 'a' });
      }
    });
    await fixture.jobs.enqueue(fixture.queue, { name: 'b' }, { group: 'b' });
    for (const name of ['c0', 'c1', 'c2'])
      await fixture.jobs.enqueue(fixture.queue, { name }, { group: 'c' });
    await fixture.jobs.start();
    await fixture.jobs.onIdle();
    expect(fixture.ran).toHaveLength(304);
    expect(fixture.ran.indexOf('b')).toBeLessThan(10);
    expect(fixture.ran.indexOf('c2')).toBeLessThan(15);
    expect(fixture.ran.filter((name) => name.startsWith('a'))).toEqual(
      Array.from({ length: 300 }, (_, n) => `a${n}`),
    );
  });

  test('many jobs enqueued together run in order, share the workers fairly, and wait once per key', async () => {
    fixture.jobs.define(fixture.queue, { ...settings, concurrency: 1, handler: fixture.note });
    const newJobs = (group: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        data: { name: `${group}${n}` },
        key: `${group}${n}`,
      }));
    await fixture.jobs.enqueue(fixture.queue, { name: 'old' }, { key: 'a3', group: 'a' });
    await fixture.database.transaction(async (tx) => {
      await fixture.jobs.enqueueAll(fixture.queue, newJobs('a', 700), { tx, group: 'a' });
    });
    await fixture.jobs.enqueueAll(fixture.queue, newJobs('b', 3), { group: 'b' });
    await fixture.jobs.start();
    await fixture.jobs.onIdle();
    const ranOf = (group: string) => fixture.ran.filter((name) => name.startsWith(group));
    expect(ranOf('a').toSorted()).toEqual(
      newJobs('a', 700)
        .map(({ key }) => key)
        .toSorted(),
    );
    expect(ranOf('a').filter((name) => name !== 'a3')).toEqual(
      newJobs('a', 700).flatMap(({ key }) => (key === 'a3' ? [] : [key])),
    );
    expect(ranOf('b')).toEqual(['b0', 'b1', 'b2']);
    expect(fixture.ran.indexOf('b2')).toBeLessThan(20);
    expect(fixture.ran).toHaveLength(703);
  });

  test("a group's slow jobs leave workers for another group, and continue when they have ended", async () => {
    const gate = Promise.withResolvers<void>();
    const slowRunning = Promise.withResolvers<void>();
    let inside = 0;
    let maxRunning = 0;
    fixture.jobs.define<{ name: string }>(fixture.queue, {
      ...settings,
      concurrency: 4,
      groupConcurrency: 2,
      handler: async ({ data: { name } }) => {
        if (name.startsWith('slow')) {
          maxRunning = Math.max(maxRunning, ++inside);
          if (inside === 2) slowRunning.resolve();
          await gate.promise;
          inside--;
        }
        fixture.ran.push(name);
        if (name === 'last other') gate.resolve();
      },
    });
    for (let n = 0; n < 9; n++)
      await fixture.jobs.enqueue(fixture.queue, { name: `slow ${n}` }, { group: 'a' });
    await fixture.jobs.start();
    await slowRunning.promise;
    for (let n = 0; n < 20; n++)
      await fixture.jobs.enqueue(fixture.queue, { name: `other ${n}` }, { group: 'b' });
    await fixture.jobs.enqueue(fixture.queue, { name: 'without a group' });
    await fixture.jobs.enqueue(fixture.queue, { name: 'last other' }, { group: 'b' });
    await fixture.jobs.onIdle();
    expect(maxRunning).toBe(2);
    expect(fixture.ran.slice(0, 22).filter((name) => name.startsWith('slow'))).toEqual([]);
    expect(fixture.ran.filter((name) => name.startsWith('slow'))).toEqual(
      Array.from({ length: 9 }, (_, n) => `slow ${n}`),
    );
  });

  test('a group never runs more jobs at a time than its limit, however quick they are', async () => {
    const inside = new Map<string, string[]>();
    let maxRunning = 0;
    fixture.jobs.define<{ group: string }>(fixture.queue, {
      ...settings,
      concurrency: 5,
      groupConcurrency: 2,
      handler: async ({ data: { group } }) => {
        const running = inside.get(group) ?? [];
        inside.set(group, running);
        maxRunning = Math.max(maxRunning, running.push(group));
        await fixture.database.pool.query('select 1');
        running.pop();
        fixture.ran.push(group);
      },
    });
    await fixture.jobs.start();
    await fixture.database.transaction(async (tx) => {
      for (let n = 0; n < 120; n++) {
        const group = `group ${n % 4}`;
        await fixture.jobs.enqueue(fixture.queue, { group }, { tx, group });
      }
    });
    await fixture.jobs.onIdle();
    expect(fixture.ran).toHaveLength(120);
    expect(maxRunning).toBe(2);
  });
});

import { expect, onTestFinished, test } from 'vitest';
import type { OddTask } from './odd-worker.test-setup.ts';
import { createThreads, ThreadEnded, type ThreadsOptions } from '../threads.ts';

const script = new URL('./odd-worker.test-setup.ts', import.meta.url);

function create(options: Partial<ThreadsOptions> = {}) {
  const threads = createThreads<OddTask>({
    script,
    max: 2,
    idleMs: 60_000,
    heapMb: 64,
    ...options,
  });
  onTestFinished(() => threads.close());
  const run = (task: OddTask, leftMs = 60_000) => threads.run(task, { leftMs });
  return { ...threads, run, runWithin: threads.run };
}

test('a thread runs tasks one after the other, and continues after a failed one', async () => {
  const { run, ids } = create({ max: 1 });
  const results = Promise.allSettled([run('say one'), run('fail'), run('say two')]);
  expect(
    (await results).map((result) => ('value' in result ? result.value : result.reason)),
  ).toEqual(['one', expect.objectContaining({ name: 'RangeError', message: 'It failed.' }), 'two']);
  expect(ids()).toHaveLength(1);
});

test.each<[OddTask, number]>([
  ['crash', 60_000],
  ['end', 60_000],
  ['fill', 60_000],
  ['forever', 50],
  ['hang', 50],
])('a thread that ends (%s) is replaced, and the others continue', async (task, leftMs) => {
  const { run, ids } = create();
  await Promise.all([run('say one'), run('say two')]);
  const before = ids();
  const ending = run(task, leftMs);
  const others = [run('say on'), run('say further')];
  await expect(ending).rejects.toBeInstanceOf(ThreadEnded);
  expect(await Promise.all(others)).toEqual(['on', 'further']);
  expect(ids()).not.toEqual(expect.arrayContaining(before));
  expect(await Promise.all([run('say three'), run('say four')])).toEqual(['three', 'four']);
});

test('several tasks share one time budget', async () => {
  const { run, runWithin } = create({ max: 1 });
  await run('say hello');
  const budget = { leftMs: 60_000 };
  await runWithin('say one', budget);
  expect(budget.leftMs).toBeLessThan(60_000);
  budget.leftMs = 0;
  await expect(runWithin('forever', budget)).rejects.toBeInstanceOf(ThreadEnded);
});

test('a spare thread is available under load, and idle threads end down to the minimum', async () => {
  const busy = create({ min: 1, max: 3, spare: 1 });
  busy.warmUp();
  expect(busy.ids()).toHaveLength(1);
  await busy.run('say hello');
  expect(busy.ids()).toHaveLength(2);

  const idle = create({ min: 1, max: 3, spare: 1, idleMs: 0 });
  await idle.run('say hello');
  await expect.poll(() => idle.ids().length).toBe(1);
});

test('a task for each thread runs once on every one, after its current task', async () => {
  const { run, runOnEach, ids } = create();
  const results = [run('say one'), run('say two'), run('hang', 100)];
  const each = runOnEach('say each', { leftMs: 60_000 });
  await expect(results[2]).rejects.toBeInstanceOf(ThreadEnded);
  expect(await Promise.all(results.slice(0, 2))).toEqual(['one', 'two']);
  await expect(each).resolves.toBeUndefined();
  expect(ids()).toHaveLength(1);
  expect(await run('say three')).toBe('three');
});

test('a program that cannot start fails its tasks, and is not restarted endlessly', async () => {
  const missing = create({ script: new URL('./missing.ts', import.meta.url), min: 1, spare: 1 });
  await expect(Promise.all([missing.run('say a'), missing.run('say b')])).rejects.toBeInstanceOf(
    ThreadEnded,
  );
  await expect.poll(() => missing.ids()).toEqual([]);
});

test('closing fails running and waiting tasks', async () => {
  const { run, close } = create({ max: 1 });
  await run('say hello');
  const results = Promise.allSettled([run('forever'), run('say late')]);
  await close();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(run('say later')).rejects.toBeInstanceOf(ThreadEnded);
});

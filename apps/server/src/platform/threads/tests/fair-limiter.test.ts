import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairLimiter } from '../fair-limiter.ts';

/** Tasks that end when the test ends them. */
function tasks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    task: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const whenFull = () => new Error('full');

test('a group runs no more tasks than its share, and other groups overtake it', async () => {
  const limiter = createFairLimiter({
    concurrency: 3,
    concurrencyPerGroup: 1,
    maxQueued: 10,
    maxQueuedPerGroup: 2,
    whenFull,
  });
  const { started, task, end } = tasks();
  const run = (name: string) => limiter.run(name.slice(0, 1), null, task(name));
  const tasksRun = ['a1', 'a2', 'a3', 'b1'].map(run);
  await expect(run('a4')).rejects.toThrow('full');
  expect(started).toEqual(['a1', 'b1']);
  end('a1');
  await tasksRun[0];
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2']);
  for (const name of ['a2', 'b1']) end(name);
  await expect.poll(() => started).toContain('a3');
  end('a3');
  expect(await Promise.all(tasksRun)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

const never = new AbortController().signal;

test('tasks start in order, never exceed the cost limit, and all of them run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 40 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 10 }),
      async (sizes, turns) => {
        const limiter = createFairLimiter({ concurrency: 100 });
        const began: number[] = [];
        let spent = 0;
        await Promise.all(
          sizes.map((size, index) =>
            limiter.run(
              'ann',
              never,
              async () => {
                began.push(index);
                spent += size;
                expect(spent).toBeLessThanOrEqual(100);
                for (let turn = turns[index % turns.length] ?? 0; turn > 0; turn -= 1)
                  await Promise.resolve();
                spent -= size;
              },
              size,
            ),
          ),
        );
        expect(began).toEqual(sizes.map((_, index) => index));
      },
    ),
  );
});

test('a task that fails releases its cost', async () => {
  const limiter = createFairLimiter({ concurrency: 10 });
  const failing = Array.from({ length: 5 }, () =>
    limiter.run('ann', never, () => Promise.reject(new Error('broken')), 10),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  await expect(limiter.run('ann', never, async () => 'done', 10)).resolves.toBe('done');
});

test('a task that is aborted in the queue makes room for those behind it', async () => {
  const limiter = createFairLimiter({ concurrency: 10 });
  const gate = Promise.withResolvers<void>();
  const first = limiter.run('ann', never, () => gate.promise, 4);
  const second = limiter.run('ann', never, () => gate.promise, 5);
  const controller = new AbortController();
  const large = limiter.run('ann', controller.signal, async () => 'begun', 5);
  const small = limiter.run('ann', never, async () => 'small', 1);
  controller.abort(new Error('deleted'));
  await expect(large).rejects.toThrow('deleted');
  await expect(small).resolves.toBe('small');
  gate.resolve();
  await Promise.all([first, second]);
});

test("a user's small file waits for one large file of another user, and not for all of them", async () => {
  const limiter = createFairLimiter({ concurrency: 10 });
  const began: string[] = [];
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const large = gates.map(({ promise }, index) =>
    limiter.run(
      'ann',
      never,
      () => {
        began.push(`ann ${index}`);
        return promise;
      },
      5,
    ),
  );
  const small = limiter.run('bob', never, async () => void began.push('bob'), 1);
  for (const { resolve } of gates.slice(0, 3)) resolve();
  await small;
  expect(began.indexOf('bob')).toBe(3);
  for (const { resolve } of gates) resolve();
  await Promise.all(large);
});

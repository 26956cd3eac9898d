import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurns } from '../turns.ts';

/** Tasks that end when the test says so. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    task: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const full = () => new Error('full');

test('no group has more than its share, and others pass it by', async () => {
  const turns = createTurns({ atOnce: 3, atOnceOfGroup: 1, waiting: 10, waitingOfGroup: 2, full });
  const { begun, task, end } = tasks();
  const run = (name: string) => turns.run(name.slice(0, 1), null, task(name));
  const all = ['a1', 'a2', 'a3', 'b1'].map(run);
  await expect(run('a4')).rejects.toThrow('full');
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await all[0];
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  for (const name of ['a2', 'b1']) end(name);
  await expect.poll(() => begun).toContain('a3');
  end('a3');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

const never = new AbortController().signal;

test('work begins in its order, never beyond its costs, and all of it is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 40 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 10 }),
      async (sizes, turns) => {
        const budget = createTurns({ atOnce: 100 });
        const began: number[] = [];
        let spent = 0;
        await Promise.all(
          sizes.map((size, index) =>
            budget.run(
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

test('work that fails gives its bytes back', async () => {
  const budget = createTurns({ atOnce: 10 });
  const failing = Array.from({ length: 5 }, () =>
    budget.run('ann', never, () => Promise.reject(new Error('broken')), 10),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  await expect(budget.run('ann', never, async () => 'done', 10)).resolves.toBe('done');
});

test('who is aborted while waiting makes room for those behind', async () => {
  const budget = createTurns({ atOnce: 10 });
  const gate = Promise.withResolvers<void>();
  const first = budget.run('ann', never, () => gate.promise, 4);
  const second = budget.run('ann', never, () => gate.promise, 5);
  const given = new AbortController();
  const large = budget.run('ann', given.signal, async () => 'begun', 5);
  const small = budget.run('ann', never, async () => 'small', 1);
  given.abort(new Error('deleted'));
  await expect(large).rejects.toThrow('deleted');
  await expect(small).resolves.toBe('small');
  gate.resolve();
  await Promise.all([first, second]);
});

test("one person's small file waits for one large file of another, and not for all of them", async () => {
  const budget = createTurns({ atOnce: 10 });
  const began: string[] = [];
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const large = gates.map(({ promise }, at) =>
    budget.run(
      'ann',
      never,
      () => {
        began.push(`ann ${at}`);
        return promise;
      },
      5,
    ),
  );
  const small = budget.run('bob', never, async () => void began.push('bob'), 1);
  for (const { resolve } of gates.slice(0, 3)) resolve();
  await small;
  expect(began.indexOf('bob')).toBe(3);
  for (const { resolve } of gates) resolve();
  await Promise.all(large);
});

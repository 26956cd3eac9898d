import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBudget } from '../byte-budget.ts';

const never = new AbortController().signal;

test('work begins in its order, never beyond the budget, and all of it is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 10 }),
      async (sizes, turns) => {
        const budget = createByteBudget(100);
        const began: number[] = [];
        let spent = 0;
        await Promise.all(
          sizes.map((size, index) =>
            budget.spend('ann', size, never, async () => {
              began.push(index);
              spent += Math.min(size, 50);
              expect(spent).toBeLessThanOrEqual(100);
              for (let turn = turns[index % turns.length] ?? 0; turn > 0; turn -= 1)
                await Promise.resolve();
              spent -= Math.min(size, 50);
            }),
          ),
        );
        expect(began).toEqual(sizes.map((_, index) => index));
      },
    ),
  );
});

test('work that fails gives its bytes back', async () => {
  const budget = createByteBudget(10);
  const failing = Array.from({ length: 5 }, () =>
    budget.spend('ann', 10, never, () => Promise.reject(new Error('broken'))),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  await expect(budget.spend('ann', 10, never, async () => 'done')).resolves.toBe('done');
});

test('who is aborted while waiting makes room for those behind', async () => {
  const budget = createByteBudget(10);
  const gate = Promise.withResolvers<void>();
  const first = budget.spend('ann', 4, never, () => gate.promise);
  const second = budget.spend('ann', 5, never, () => gate.promise);
  const given = new AbortController();
  const large = budget.spend('ann', 5, given.signal, async () => 'begun');
  const small = budget.spend('ann', 1, never, async () => 'small');
  given.abort(new Error('deleted'));
  await expect(large).rejects.toThrow('deleted');
  await expect(small).resolves.toBe('small');
  gate.resolve();
  await Promise.all([first, second]);
});

test("one person's small file waits for one large file of another, and not for all of them", async () => {
  const budget = createByteBudget(10);
  const began: string[] = [];
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const large = gates.map(({ promise }, at) =>
    budget.spend('ann', 5, never, () => {
      began.push(`ann ${at}`);
      return promise;
    }),
  );
  const small = budget.spend('bob', 1, never, async () => void began.push('bob'));
  for (const { resolve } of gates.slice(0, 3)) resolve();
  await small;
  expect(began.indexOf('bob')).toBe(4);
  for (const { resolve } of gates) resolve();
  await Promise.all(large);
});

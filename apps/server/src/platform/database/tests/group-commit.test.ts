import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGroupCommit } from '../group-commit.ts';

test('items that arrive during a commit are committed together, and each gets its own result', async () => {
  const groups: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const commit = createGroupCommit<number, number>({
    maxItems: 100,
    async commit(items) {
      groups.push(items);
      entered.resolve();
      await gate.promise;
      return items.map((item) => item * 10);
    },
  });
  const first = [1, 2].map((item) => commit(item));
  await entered.promise;
  const second = [3, 4, 5].map((item) => commit(item));
  gate.resolve();
  expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 50]);
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

test('items that arrive soon after a commit form a group, and a full group does not wait', async () => {
  const groups: number[][] = [];
  const gathered = Promise.withResolvers<void>();
  const commit = createGroupCommit<number, number>({
    maxItems: 2,
    gatherMs: 200,
    wait: () => gathered.promise,
    async commit(items) {
      groups.push(items);
      return items;
    },
  });
  await Promise.all([1, 2, 3].map((item) => commit(item)));
  const second = commit(4);
  await nextTurn();
  await nextTurn();
  expect(groups).toEqual([[1, 2], [3]]);
  const third = commit(5);
  gathered.resolve();
  await Promise.all([second, third]);
  expect(groups).toEqual([[1, 2], [3], [4, 5]]);
});

test('an item that fails does not affect the others', async () => {
  const commit = createGroupCommit<number, number>({
    maxItems: 100,
    async commit(items) {
      if (items.includes(3)) throw new Error('three');
      return items;
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => commit(item)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('groups keep their order and their size limit, and lose nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      async (sizes, maxItems) => {
        const groups: number[][] = [];
        const commit = createGroupCommit<number, number>({
          maxItems,
          maxSize: 15,
          sizeOf: (item) => item,
          async commit(items) {
            groups.push(items);
            return items;
          },
        });
        expect(await Promise.all(sizes.map((size) => commit(size)))).toEqual(sizes);
        expect(groups.flat()).toEqual(sizes);
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(maxItems);
          const total = group.reduce((sum, size) => sum + size, 0);
          expect(group.length === 1 || total <= 15).toBe(true);
        }
      },
    ),
  );
});

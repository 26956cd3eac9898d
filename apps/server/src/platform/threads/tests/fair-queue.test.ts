import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from '../fair-queue.ts';

function drainByTurns<Item>(queue: { take(): Item | undefined }): Item[] {
  const items: Item[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item);
  return items;
}

test('an item waits for one item of every other group, and not for their backlog', () => {
  const queue = createFairQueue<string>();
  for (let index = 1; index <= 5000; index += 1) queue.add('ann', `ann ${index}`);
  queue.add('bob', 'bob 1');
  queue.add('eve', 'eve 1');
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
    'ann 1',
    'bob 1',
    'eve 1',
    'ann 2',
  ]);
});

test('each group keeps its order, and no waiting group falls more than one item behind', () => {
  const work = fc.array(fc.record({ group: fc.constantFrom('a', 'b', 'c'), drop: fc.boolean() }));
  fc.assert(
    fc.property(work, (steps) => {
      const queue = createFairQueue<{ group: string; at: number }>();
      const items = steps.map(({ group, drop }, index) => ({ item: { group, at: index }, drop }));
      for (const { item } of items) queue.add(item.group, item);
      const dropped = items.filter(({ drop }) => drop);
      expect(dropped.every(({ item }) => queue.remove(item))).toBe(true);
      const remaining = items.filter(({ drop }) => !drop).map(({ item }) => item);
      expect(queue.size).toBe(remaining.length);
      const drained = drainByTurns(queue);
      for (const group of ['a', 'b', 'c']) {
        const itemsOf = (list: typeof drained) => list.filter((item) => item.group === group);
        expect(itemsOf(drained)).toEqual(itemsOf(remaining));
      }
      expect(queue.size).toBe(0);
      // While two groups have items, neither is two items ahead of the other.
      const count = (list: typeof drained, group: string) =>
        list.filter((item) => item.group === group).length;
      const ahead = drained.flatMap(({ group }, index) => {
        const taken = drained.slice(0, index + 1);
        return ['a', 'b', 'c']
          .filter((other) => count(taken, other) < count(remaining, other))
          .map((other) => count(taken, group) - count(taken, other));
      });
      expect(Math.max(0, ...ahead)).toBeLessThanOrEqual(1);
    }),
  );
});

test('removing an item that is not queued returns false, and draining empties the queue', () => {
  const queue = createFairQueue<number>();
  queue.add('a', 1);
  queue.add('b', 2);
  queue.add('a', 3);
  expect(queue.remove(4)).toBe(false);
  expect(queue.drain().toSorted()).toEqual([1, 2, 3]);
  expect(queue.take()).toBeUndefined();
  expect(queue.size).toBe(0);
});

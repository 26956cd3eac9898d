import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ahead } from '../ahead.ts';

/** Work that ends when it is told to, and tells what is under way. */
function createWork() {
  const underWay = new Map<number, PromiseWithResolvers<number>>();
  const work = (item: number): Promise<number> => {
    const end = Promise.withResolvers<number>();
    underWay.set(item, end);
    return end.promise.finally(() => underWay.delete(item));
  };
  return { underWay, work };
}

const items = Array.from({ length: 10 }, (_, at) => at);

test('a few items are under way at once, and come in their order', async () => {
  const { underWay, work } = createWork();
  const found: number[] = [];
  const all = (async () => {
    for await (const result of ahead(items, work)) found.push(result);
  })();
  await nextTurn();
  expect([...underWay.keys()]).toEqual([0, 1, 2, 3]);
  underWay.get(2)?.resolve(2);
  await nextTurn();
  expect(found).toEqual([]);
  underWay.get(0)?.resolve(0);
  await nextTurn();
  expect(found).toEqual([0]);
  for (let turns = 0; turns < items.length; turns += 1) {
    for (const [item, end] of underWay) end.resolve(item);
    await nextTurn();
  }
  await all;
  expect(found).toEqual(items);
});

test('a failure is told when it is its turn', async () => {
  const results = ahead(items, async (item) => {
    if (item === 1) throw new Error('No.');
    return item;
  });
  expect(await results.next()).toEqual({ done: false, value: 0 });
  await expect(results.next()).rejects.toThrow('No.');
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

test('whoever has enough waits for what is under way, and nothing more is begun', async () => {
  const { underWay, work } = createWork();
  const results = ahead(items, work);
  const first = results.next();
  await nextTurn();
  underWay.get(0)?.resolve(0);
  await first;
  let hasEnded = false;
  const ended = results.return(undefined).then(() => (hasEnded = true));
  await nextTurn();
  expect(hasEnded).toBe(false);
  for (const [item, end] of underWay) end.resolve(item);
  await ended;
  expect(underWay.size).toBe(0);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuse } from './fusion.ts';

describe('fuse', () => {
  test('an item that two rankings agree on is above one that only one of them puts first', () => {
    const order = fuse([
      ['a', 'b', 'c'],
      ['d', 'b', 'e'],
    ]).map(({ item }) => item);
    expect(order[0]).toBe('b');
  });

  test('a ranking with a greater weight decides', () => {
    expect(
      fuse(
        [
          ['a', 'b'],
          ['b', 'a'],
        ],
        [1, 3],
      )[0]?.item,
    ).toBe('b');
  });

  test('a score is the sum of weight over k plus rank', () => {
    expect(fuse([['a'], ['b', 'a']], [1, 0.5], 60)).toEqual([
      { item: 'a', score: 1 / 61 + 0.5 / 62 },
      { item: 'b', score: 0.5 / 61 },
    ]);
  });

  test('every item is returned once, and a single ranking keeps its order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (ranking) => {
        expect(fuse([ranking]).map(({ item }) => item)).toEqual([...new Set(ranking)]);
      }),
    );
  });
});

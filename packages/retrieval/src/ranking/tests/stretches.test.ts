import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseStretches } from '../stretches.ts';
import type { Piece, Stretch } from '../stretches.ts';

const lengthOf = (pieces: readonly Piece[], { first, last }: Stretch): number =>
  pieces
    .slice(first, last + 1)
    .reduce((sum, { length, gap }, i) => sum + length + (i === 0 ? 0 : (gap ?? Infinity)), 0);

const piece = fc.record({
  length: fc.integer({ min: 1, max: 30 }),
  gap: fc.option(fc.integer({ min: 0, max: 3 })),
  value: fc.integer({ min: 0, max: 50 }),
});

describe('chooseStretches', () => {
  test('at most so many, apart from each other, and no longer than the room', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 10, max: 100 }),
        (pieces, count, room) => {
          const chosen = chooseStretches(pieces, count, room);
          expect(chosen.length).toBeLessThanOrEqual(count);
          const taken = chosen.reduce((sum, stretch) => sum + lengthOf(pieces, stretch), 0);
          expect(taken).toBeLessThanOrEqual(room);
          const apart = chosen.every(({ first }, i) => first > (chosen[i - 1]?.last ?? -1));
          expect(apart).toBe(true);
        },
      ),
    );
  });

  test('neighbours are taken as one stretch where only one is allowed', () => {
    const row = [5, 1, 5].map((value, i) => ({ length: 10, gap: i === 0 ? null : 1, value }));
    expect(chooseStretches(row, 1, 100)).toEqual([{ first: 0, last: 2 }]);
    expect(chooseStretches(row, 2, 21)).toEqual([
      { first: 0, last: 0 },
      { first: 2, last: 2 },
    ]);
  });

  test('nothing where nothing fits', () => {
    expect(chooseStretches([{ length: 50, gap: null, value: 1 }], 5, 40)).toEqual([]);
    expect(chooseStretches([], 5, 40)).toEqual([]);
  });
});

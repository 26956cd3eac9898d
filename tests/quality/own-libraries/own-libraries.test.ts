import { expect, test } from 'vitest';
import { figuresOf, type LibraryName, markLibrary } from './measure.ts';

/**
 * No fewer right and refused, no larger a share wrong: they may only rise. (One refusal less than
 * once: since tables of Markdown have named columns, a serial number is found, of another thing.)
 */
const FLOORS: Record<LibraryName, { right: number; wrong: number; refused: number }> = {
  'piano-tuner': { right: 62, wrong: 0.465, refused: 3 },
  'guest-house': { right: 52, wrong: 0.58, refused: 7 },
};

test.each(Object.entries(FLOORS))(
  'a library that nothing was fitted on: %s',
  async (name, floor) => {
    const { right, wrong, answered, refused } = figuresOf(await markLibrary(name as LibraryName));
    expect(right).toBeGreaterThanOrEqual(floor.right);
    expect(wrong / answered).toBeLessThanOrEqual(floor.wrong);
    expect(refused).toBeGreaterThanOrEqual(floor.refused);
  },
);

import { expect, test } from 'vitest';
import { accused, growthOf, MOST_GROWTH } from '../growth.ts';

/** A machine on which work takes a millisecond for each of its steps, times what else is going on. */
function machine(load: (ms: number, measured: number) => number) {
  let steps = 0;
  let measured = 0;
  return {
    workOf: (costOf: (size: number) => number) => (size: number) => () => {
      steps += costOf(size);
    },
    measure: (work: () => unknown): number => {
      const before = steps;
      work();
      const ms = steps - before;
      measured += 1;
      return ms * load(ms, measured);
    },
  };
}

const LOADS: [string, (ms: number, measured: number) => number][] = [
  ['a quiet machine', () => 1],
  ['one that is busy at first', (_, measured) => (measured < 12 ? 1 + (measured % 3) : 1)],
  ['one that is busy every other moment', (_, measured) => 1 + 2 * (measured % 2)],
  ['one that leaves no long stretch alone', (ms) => (ms > 60 ? 2 : 1)],
  ['one that has no quiet moment', (_, measured) => 2 + ((measured * 7) % 5) / 5],
];

const grown = (costOf: (size: number) => number, load: (typeof LOADS)[number][1]) => {
  const { workOf, measure } = machine(load);
  return growthOf(workOf(costOf), { from: 250, to: 100_000, measure });
};

test.each(LOADS)('linear work is not taken for more on %s', (_, load) => {
  expect(grown((size) => size / 100, load)).toBeLessThanOrEqual(MOST_GROWTH);
  expect(grown((size) => (size * Math.log2(size)) / 1000, load)).toBeLessThanOrEqual(MOST_GROWTH);
});

test.each(LOADS)('quadratic work is found on %s', (_, load) => {
  expect(grown((size) => size ** 2 / 100_000, load)).toBeGreaterThan(MOST_GROWTH);
  expect(grown((size) => size ** 1.5 / 1000, load)).toBeGreaterThan(MOST_GROWTH);
});

test('what is accused was found wanting each time', () => {
  const looks: string[] = [];
  const found = accused(['slow', 'once', 'fine'], (item) => {
    looks.push(item);
    if (item === 'slow') return 'quadratic';
    return item === 'once' && looks.length < 4 ? 'busy' : undefined;
  });
  expect([...found]).toEqual([['slow', 'quadratic']]);
  expect(looks).toEqual(['slow', 'once', 'fine', 'slow', 'once', 'slow']);
});

test('what is no work to speak of is not judged', () => {
  expect(
    grown(
      (size) => size / 10_000,
      () => 1,
    ),
  ).toBeUndefined();
});

import { expect, test } from 'vitest';
import { growthOf, MAX_GROWTH } from './growth.test-setup.ts';

/** A clock that counts a millisecond for each step of the work, multiplied by the load. */
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
  ['an idle machine', () => 1],
  ['one that is busy at first', (_, measured) => (measured < 12 ? 1 + (measured % 3) : 1)],
  ['one with alternating load', (_, measured) => 1 + 2 * (measured % 2)],
  ['one that interrupts long work', (ms) => (ms > 60 ? 2 : 1)],
  ['one that is always busy', (_, measured) => 2 + ((measured * 7) % 5) / 5],
];

const growthUnder = (costOf: (size: number) => number, load: (typeof LOADS)[number][1]) => {
  const { workOf, measure } = machine(load);
  return growthOf(workOf(costOf), { from: 250, to: 100_000, measure });
};

test.each(LOADS)('linear work is recognized on %s', (_, load) => {
  expect(growthUnder((size) => size / 100, load)).toBeLessThanOrEqual(MAX_GROWTH);
  expect(growthUnder((size) => (size * Math.log2(size)) / 1000, load)).toBeLessThanOrEqual(
    MAX_GROWTH,
  );
});

test.each(LOADS)('quadratic work is recognized on %s', (_, load) => {
  expect(growthUnder((size) => size ** 2 / 100_000, load)).toBeGreaterThan(MAX_GROWTH);
  expect(growthUnder((size) => size ** 1.5 / 1000, load)).toBeGreaterThan(MAX_GROWTH);
});

test('too little work is not compared', () => {
  expect(
    growthUnder(
      (size) => size / 10_000,
      () => 1,
    ),
  ).toBeUndefined();
});

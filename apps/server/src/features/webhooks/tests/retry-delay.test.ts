import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from '../retry-delay.ts';

const HOUR_MS = 3_600_000;

test('retries come after 5 seconds, 5 and 30 minutes, and 2, 5 and 10 hours, and then no more', () => {
  const delays = Array.from({ length: 7 }, (_, n) => retryDelayMs(n + 1, 0.5));
  const hours = [2, 5, 10].map((count) => count * HOUR_MS);
  expect(delays).toEqual([5000, 300_000, 1_800_000, ...hours, null]);
});

test('a delay varies by at most a fifth, and is always longer than the previous one', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), random, random, (attempts, first, second) => {
      const delay = retryDelayMs(attempts, first) ?? 0;
      const middle = retryDelayMs(attempts, 0.5) ?? 0;
      expect(Math.abs(delay - middle)).toBeLessThanOrEqual(middle / 5);
      expect(retryDelayMs(attempts + 1, second) ?? Infinity).toBeGreaterThan(delay);
    }),
  );
});

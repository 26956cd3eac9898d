import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

test('a burst passes at once, then calls pass at the steady rate, for each key alone', () => {
  const clock = { at: 0 };
  const limit = createTokenBuckets({ perSecond: 2, burst: 3, now: () => clock.at });
  expect([limit('a'), limit('a'), limit('a')]).toEqual([0, 0, 0]);
  expect(limit('a')).toBeCloseTo(0.5);
  expect(limit('b')).toBe(0);
  clock.at = 500;
  // To ask costs nothing.
  expect([limit('a', 0), limit('a', 0)]).toEqual([0, 0]);
  expect(limit('a')).toBe(0);
  expect(limit('a', 0)).toBeGreaterThan(0);
  expect(limit('a')).toBeGreaterThan(0);
  clock.at = 60_000;
  expect([limit('a'), limit('a'), limit('a')]).toEqual([0, 0, 0]);
  expect(limit('a')).toBeGreaterThan(0);
});

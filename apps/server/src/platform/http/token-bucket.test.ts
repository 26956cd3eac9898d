import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

test('a burst passes at once, then calls pass at the steady rate, for each key alone', () => {
  const clock = { at: 0 };
  const limit = createTokenBuckets({ perSecond: 2, burst: 3, now: () => clock.at });
  expect([limit('a'), limit('a'), limit('a')]).toEqual([0, 0, 0]);
  expect(limit('a')).toBeCloseTo(0.5);
  expect(limit('b')).toBe(0);
  clock.at = 500;
  expect(limit('a')).toBe(0);
  expect(limit('a')).toBeGreaterThan(0);
  clock.at = 60_000;
  expect([limit('a'), limit('a'), limit('a')]).toEqual([0, 0, 0]);
  expect(limit('a')).toBeGreaterThan(0);
});

test('what is given back can be taken again, and no more than that', () => {
  const limit = createTokenBuckets({ perSecond: 0.1, burst: 2, now: () => 0 });
  expect([limit('a'), limit('a')]).toEqual([0, 0]);
  expect(limit('a')).toBeCloseTo(10);
  limit.giveBack('a');
  expect(limit('a')).toBe(0);
  expect(limit('a')).toBeGreaterThan(0);
  for (let n = 0; n < 5; n += 1) limit.giveBack('a');
  expect([limit('a'), limit('a'), limit('a') > 0]).toEqual([0, 0, true]);
});

test('a key may have several times the rate and the burst', () => {
  const clock = { at: 0 };
  const limit = createTokenBuckets({ perSecond: 1, burst: 2, now: () => clock.at });
  expect([1, 2, 3, 4, 5, 6].map(() => limit('a', 3))).toEqual([0, 0, 0, 0, 0, 0]);
  expect(limit('a', 3)).toBeCloseTo(1 / 3);
  clock.at = 1000;
  expect([1, 2, 3].map(() => limit('a', 3))).toEqual([0, 0, 0]);
  expect(limit('a', 3)).toBeGreaterThan(0);
});

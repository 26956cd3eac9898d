import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeLoudness } from '../loudness.ts';

const tone = (amplitude: number, seconds: number): number[] =>
  Array.from(
    { length: Math.round(seconds * 22_050) },
    (unused, index) => Math.sin((index / 22_050) * 200 * 2 * Math.PI) * amplitude,
  );

const decibels = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

test('quiet and loud speech have the same loudness', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), (amplitude) => {
      const samples = Float32Array.from(tone(amplitude, 1));
      expect(normalizeLoudness(samples)).toBe(true);
      expect(decibels(samples)).toBeCloseTo(-20, 1);
    }),
    { numRuns: 20 },
  );
});

test('pauses do not increase the loudness of speech', () => {
  const samples = Float32Array.from([...tone(0.2, 2), ...tone(0, 6)]);
  normalizeLoudness(samples);
  expect(decibels(samples.subarray(0, 2 * 22_050))).toBeCloseTo(-20, 0);
});

test('no sample is clipped, and silence stays silent', () => {
  const click = new Float32Array(22_050).fill(0.02);
  click[5000] = 1;
  normalizeLoudness(click);
  expect(Math.max(...click)).toBeLessThanOrEqual(10 ** (-1 / 20) + 1e-6);
  const silence = new Float32Array(22_050);
  expect(normalizeLoudness(silence)).toBe(false);
  expect(Math.max(...silence)).toBe(0);
  expect(normalizeLoudness(new Float32Array())).toBe(false);
});

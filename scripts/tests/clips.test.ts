import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BufferSource, Input, WEBM } from 'mediabunny';
import { describe, expect, test } from 'vitest';

const clips = ['wide', 'phone'].flatMap((size) =>
  ['light', 'dark'].map((scheme) => [size, scheme]),
);

describe.each(clips)('the clip for a %s window in %s', (size, scheme) => {
  const clip = path.resolve(
    import.meta.dirname,
    `../../apps/web/public/demo/engram-${size}-${scheme}`,
  );

  test('lasts 15 to 25 seconds', async () => {
    const source = new BufferSource(readFileSync(`${clip}.webm`));
    const seconds = await new Input({ formats: [WEBM], source }).computeDuration();
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(25);
  });

  test('is small, and so is its poster', () => {
    expect(statSync(`${clip}.webm`).size).toBeLessThan(1_200_000);
    expect(statSync(`${clip}.webp`).size).toBeLessThan(60_000);
  });
});

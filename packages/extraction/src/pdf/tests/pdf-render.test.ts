import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { renderPage, scaleFor } from '../render.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures');
const turned = readFileSync(join(fixtures, '064-pdf-turned-pages', 'turned.pdf'));
const maxPixels = 400_000;

test('pages are rendered one after the other within the pixel limit', async () => {
  const sizes = await Promise.all(
    [1, 2, 1].map(async (page) => sharp(await renderPage(turned, page, { maxPixels })).metadata()),
  );
  for (const { width, height, format } of sizes) {
    expect(format).toBe('jpeg');
    expect(width * height).toBeLessThanOrEqual(maxPixels);
  }
  const wide = sizes.map(({ width, height }) => width > height);
  expect(wide).toEqual([true, false, true]);
});

test('rendered text is dark on white where the page has it', async () => {
  const drawn = await renderPage(turned, 2, { maxPixels });
  const { data, info } = await sharp(drawn).greyscale().raw().toBuffer({ resolveWithObject: true });
  const darkest = (from: number, to: number): number => {
    const [first, last] = [from, to].map((part) => Math.floor(part * info.height) * info.width);
    return data.subarray(first, last).reduce((dark, value) => Math.min(dark, value), 255);
  };
  // The title is 700 of 792 points above the bottom, and nothing is above it.
  expect(darkest(0.09, 0.13)).toBeLessThan(120);
  expect(darkest(0, 0.08)).toBeGreaterThan(240);
});

test('missing pages and other files fail with a clear message', async () => {
  await expect(renderPage(turned, 3, { maxPixels })).rejects.toMatchObject({
    code: 'damaged',
    message: 'This PDF has no page 3.',
  });
  const bytes = Buffer.from('%PDF-1.4 nothing %%EOF');
  await expect(renderPage(bytes, 1, { maxPixels })).rejects.toMatchObject({ code: 'damaged' });
  expect((await renderPage(turned, 1, { maxPixels })).length).toBeGreaterThan(0);
});

test('the scale is limited to print resolution and to the pixel limit', () => {
  const points = fc.double({ min: 1, max: 2_000_000, noNaN: true });
  fc.assert(
    fc.property(points, points, fc.integer({ min: 1, max: 50_000_000 }), (width, height, max) => {
      const scale = scaleFor(width, height, max);
      expect(scale).toBeGreaterThan(0);
      expect(scale).toBeLessThanOrEqual(300 / 72);
      expect(scale * scale * width * height).toBeLessThanOrEqual(max * 1.000001);
    }),
  );
});

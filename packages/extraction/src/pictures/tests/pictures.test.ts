import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import {
  createRecognizer,
  extract,
  type FileType,
  pictureOf,
  type RecognizedLine,
  thumbnailOf,
} from '../../index.ts';
import { readWithPictures } from './read-with-pictures.test-setup.ts';

const recognizer = createRecognizer({ languages: ['eng'] });
afterAll(() => recognizer.close());

function fixture(path: string, type: FileType) {
  const bytes = readFileSync(join(import.meta.dirname, '..', '..', '..', 'fixtures', path));
  return { bytes, fileName: path, type };
}

const lighthouse = fixture('040-jpeg-date-and-place/lighthouse.jpg', 'jpeg');
const red = fixture('045-bmp/red.bmp', 'bmp');

const line = (block: number, ...texts: string[]): RecognizedLine => ({
  block,
  words: texts.map((text, index) => ({
    text,
    left: index / 10,
    top: 0.2,
    width: 0.1,
    height: 0.05,
  })),
});

test('a rotated picture is recognized, with boxes as displayed', async () => {
  const { text, words, requests } = await readWithPictures(lighthouse, recognizer);
  expect(text).toMatch(/^Ferry to Lindisfarne\ndeparts at 14:20\n\nLunch at the old lighthouse\n/);
  expect(requests).toEqual([{ kind: 'caption' }]);
  const ferry = words[0]?.words[0];
  expect(text.slice(ferry?.start, ferry?.end)).toBe('Ferry');
  // Upright, the picture is 420 by 150 pixels with the first line at the top left.
  expect(ferry?.left).toBeCloseTo(30 / 420, 1);
  expect(ferry?.top).toBeCloseTo(40 / 150, 1);
});

test('each picture of a multi-page scan is a page with its number', async () => {
  const fax = fixture('170-tiff-pages/fax.tif', 'tiff');
  const { text, segments, words, requests } = await readWithPictures(fax, recognizer);
  expect(text).toBe('Berth fourteen is free\n\nThe fee is 310 a year');
  expect(segments.map(({ location }) => location)).toEqual([{ page: 1 }, { page: 2 }]);
  expect(words.map(({ page }) => page)).toEqual([1, 2]);
  expect(requests).toEqual([]);
  const second = await sharp(await pictureOf(fax, { page: 2 }, { maxPixels: 30_000 })).metadata();
  expect(second).toMatchObject({ format: 'png', width: 300, height: 100 });
  expect(await thumbnailOf(fax)).not.toBeNull();
});

test('a HEIC is recognized, and its thumbnail and view are of types that browsers show', async () => {
  const sign = fixture('260-heic/sign.heic', 'heic');
  const { text } = await readWithPictures(sign, recognizer);
  expect(text).toContain('Berth fourteen is free');
  expect(text).toContain('Taken on 14 July 2025 at 18:30.');
  const thumbnail = await sharp((await thumbnailOf(sign)) ?? new Uint8Array()).metadata();
  expect(thumbnail).toMatchObject({ format: 'webp', width: 480, height: 160 });
  const picture = await sharp(await pictureOf(sign, { page: 1 }, { maxPixels: 30_000 })).metadata();
  expect(picture).toMatchObject({ format: 'jpeg', width: 300, height: 100 });
});

test('a WebP is read like other pictures', async () => {
  const sign = fixture('172-webp/sign.webp', 'webp');
  const { text } = await readWithPictures(sign, recognizer);
  expect(text).toBe('Berth fourteen is free');
  expect(await thumbnailOf(sign)).not.toBeNull();
});

test('the text of a picture is its caption, then a paragraph per block', async () => {
  const { text, segments, requests, notes } = await extract({
    ...red,
    supplements: {
      pages: [
        { page: 1, lines: [line(1, 'Open', 'daily'), line(1, 'from', 'nine'), line(2, 'Welcome')] },
      ],
      captions: [{ text: 'A red door.' }],
    },
  });
  expect(text).toBe('Picture: A red door.\n\nOpen daily\nfrom nine\n\nWelcome');
  expect(segments.map(({ location }) => location)).toEqual([{ line: 1 }, { line: 3 }, { line: 6 }]);
  expect({ requests, notes }).toEqual({ requests: [], notes: [] });
});

test('a missing supplement of a picture is noted and not requested again', async () => {
  const missing = 'No text recognition is set up.';
  const { text, requests, notes } = await extract({
    ...red,
    supplements: { pages: [{ page: 1, missing }], captions: [{ missing: 'No model is set up.' }] },
  });
  expect({ text, requests }).toEqual({ text: '', requests: [] });
  expect(notes).toEqual(['No model is set up.', missing]);
});

test('a picture is returned upright within the requested size', async () => {
  const full = await sharp(await pictureOf(lighthouse, { page: 1 }, { maxPixels: 1e6 })).metadata();
  expect([full.format, full.width, full.height]).toEqual(['jpeg', 420, 150]);
  const small = await sharp(
    await pictureOf(lighthouse, { page: 1 }, { maxPixels: 7000 }),
  ).metadata();
  expect((small.width ?? 0) * (small.height ?? 0)).toBeLessThanOrEqual(7100);
});

test('a bitmap keeps its colors and orientation', async () => {
  const { data } = await sharp(await pictureOf(red, { page: 1 }, { maxPixels: 1e6 }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([0xc0, 0x10, 0x20]);
});

test('a truncated bitmap is read in part, with a note', async () => {
  const cut = { ...red, bytes: red.bytes.subarray(0, red.bytes.length - 100) };
  expect((await extract(cut)).notes).toEqual([
    'This picture is damaged or incomplete. Engram read what it could.',
  ]);
});

test('thumbnails are small upright WebP pictures of pictures and PDFs', async () => {
  for (const source of [lighthouse, fixture('012-pdf-columns-and-table/guide.pdf', 'pdf')]) {
    const bytes = await thumbnailOf(source);
    if (bytes === null) throw new Error('There is no thumbnail.');
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(format).toBe('webp');
    expect(Math.max(width, height)).toBeLessThanOrEqual(480);
    expect(width > height).toBe(source === lighthouse);
  }
  expect(await thumbnailOf(fixture('001-plain-text/letter.txt', 'txt'))).toBeNull();
});

test('other files and damaged pictures fail with a clear message', async () => {
  const text = fixture('001-plain-text/letter.txt', 'txt');
  await expect(pictureOf(text, { page: 1 }, { maxPixels: 1e6 })).rejects.toThrow(
    'This file is not a picture.',
  );
  const torn = fixture('044-png-damaged/torn.png', 'png');
  await expect(thumbnailOf(torn)).rejects.toThrow('This picture is damaged and cannot be opened.');
});

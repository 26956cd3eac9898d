import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extract } from '../../extract.ts';
import { ExtractionError } from '../../errors.ts';
import { read as readPdf } from '../pdf.ts';
import { pdfEngine } from '../engine.ts';
import { createKeyring } from '../../keyring.ts';
import { newBudget } from '../../archives/members.ts';
import { TextBuilder } from '../../text-builder.ts';
import type { Extraction, RecognizedPage, Supplements } from '../../types.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures');
const evaldata = join(import.meta.dirname, '../../../../../../shared/evaldata/files');

function read(path: string, supplements: Supplements = {}): Promise<Extraction> {
  return readBytes(readFileSync(path), supplements);
}

async function readBytes(bytes: Uint8Array, supplements: Supplements = {}): Promise<Extraction> {
  const limits = { maxLength: 1_000_000, maxSegments: 10_000 };
  const builder = new TextBuilder(limits);
  const onProgress = (): void => undefined;
  const keyring = createKeyring();
  const input = { bytes, ownBytes: false, fileName: 'a.pdf', supplements, limits, builder };
  return readPdf({ ...input, type: 'pdf', extract, budget: newBudget(), keyring, onProgress });
}

/** Only letters, because line breaks and hyphens change. Ligatures are split. */
const squeeze = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Pd}\0]+/gu, '');

/** The text layer that a viewer adds to each page. */
async function textLayers(bytes: Uint8Array): Promise<string[]> {
  const { getDocument } = await pdfEngine();
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  const layers: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    layers.push(squeeze(items.map((entry) => ('str' in entry ? entry.str : '')).join('')));
  }
  await task.destroy();
  return layers;
}

test.each([
  join(fixtures, '015-pdf-owner-password-only', 'protected.pdf'),
  join(fixtures, '016-pdf-broken-page', 'broken-page.pdf'),
  join(fixtures, '062-pdf-headers-and-hyphens', 'report.pdf'),
  join(fixtures, '064-pdf-turned-pages', 'turned.pdf'),
  ...['multi_page.pdf', 'movie-theater-booking-2024.pdf']
    .map((file) => join(evaldata, 'pdf', file))
    .filter((path) => existsSync(path)),
])('every segment of %s is in the text layer of its page', async (path) => {
  const layers = await textLayers(readFileSync(path));
  const { text, segments } = await read(path);
  const missing = segments.filter(({ start, end, location }) => {
    const layer = 'page' in location ? layers[location.page - 1] : undefined;
    return layer?.includes(squeeze(text.slice(start, end))) !== true;
  });
  expect(segments.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

const mixed = join(fixtures, '061-pdf-some-pages-scanned', 'mixed.pdf');

/** Recognized lines of words. Each line belongs to the given block. */
function recognized(
  page: number,
  lines: [text: string, height: number, block: number][],
): RecognizedPage {
  return {
    page,
    lines: lines.map(([text, height, block], index) => ({
      block,
      words: text.split(' ').map((word, place) => ({
        text: word,
        left: 0.1 + place * 0.1,
        top: 0.1 + index * 0.05,
        width: 0.09,
        height,
      })),
    })),
  };
}

test('recognized text has its page, headings and boxes, without repeated stamps', async () => {
  const page = recognized(2, [
    ['Minutes of Meeting', 0.04, 0],
    ['The council met at', 0.02, 1],
    ['noon on Friday.', 0.02, 1],
    ['Scanned by Northern Copy Service', 0.02, 2],
  ]);
  const { text, segments, words, requests } = await read(mixed, { pages: [page] });
  expect(requests).toEqual([]);
  const pageSegments = segments.filter(({ location }) => 'page' in location && location.page === 2);
  expect(pageSegments.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
    ['heading', 'Minutes of Meeting'],
    ['prose', 'The council met at\nnoon on Friday.'],
    ['prose', 'Scanned by Northern Copy Service'],
  ]);
  expect(text.indexOf('Minutes')).toBeLessThan(text.indexOf('A logo is no scan.'));
  const [first] = words[0]?.words ?? [];
  expect(first && text.slice(first.start, first.end)).toBe('Minutes');
  expect(first).toMatchObject({ left: 0.1, top: 0.1, height: 0.04 });
});

test('pages that could not be recognized are listed in one note per reason', async () => {
  const missing = 'Reading it took too long.';
  const scan = join(fixtures, '060-pdf-scanned', 'scan.pdf');
  const result = await read(scan, { pages: [{ page: 1, missing }] });
  expect(result).toMatchObject({ text: '', requests: [] });
  expect(result.notes).toEqual([`Page 1 is an image that could not be read: ${missing}`]);
  const mixedResult = await read(mixed, {
    pages: [
      { page: 2, missing },
      { page: 4, missing },
    ],
  });
  expect(mixedResult.notes).toEqual([`Pages 2, 4 are images that could not be read: ${missing}`]);
  expect(mixedResult.text).toContain('Scanned by Northern Copy Service');
});

test('a recognized picture without text needs no further request and no note', async () => {
  const scan = join(fixtures, '060-pdf-scanned', 'scan.pdf');
  const result = await read(scan, { pages: [{ page: 1, lines: [] }] });
  expect(result).toMatchObject({ text: '', requests: [], notes: [] });
});

test('supplements of other archive members are ignored', async () => {
  const page = { ...recognized(2, [['Somebody else', 0.02, 0]]), path: 'other.pdf' };
  expect((await read(mixed, { pages: [page] })).requests).toEqual([{ kind: 'page', page: 2 }]);
});

test('a truncated file gives its remaining pages or fails', async () => {
  const complete = readFileSync(mixed);
  for (let part = 0.05; part < 1; part += 0.05) {
    const cut = complete.subarray(0, Math.floor(complete.length * part));
    const outcome = await readBytes(cut).then(
      ({ notes }) => notes[0],
      (error: unknown) => (error instanceof ExtractionError && part < 0.6 ? 'refused' : error),
    );
    expect(outcome, `${part}`).toMatch(/incomplete|^refused$/);
  }
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocumentProxy } from 'unpdf';
import { expect, test, vi } from 'vitest';
import { extract } from './index.ts';
import { blocksOf } from './pdf-blocks.ts';
import { linesOf, untangleColumns } from './pdf-lines.ts';
import type { PdfItem } from './pdf-lines.ts';

// A busy machine must not fail a test that is only slow.
vi.setConfig({ testTimeout: 60_000 });

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const evaldata = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'evaldata', 'files');
const style = { bodySize: 10, outline: new Map<string, number>() };

const item = (str: string, x: number, y: number, size = 10, fontName = 'body'): PdfItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: str.length * size * 0.5,
  fontName,
});

const squeeze = (text: string): string => text.replace(/\s+/gu, '');

/** The text layer that a viewer lays over each page, white space left out. */
async function textLayers(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const layers: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    layers.push(squeeze(items.map((entry) => ('str' in entry ? entry.str : '')).join('')));
  }
  return layers;
}

test.each([
  join(fixtures, '015-pdf-owner-password-only', 'protected.pdf'),
  join(fixtures, '016-pdf-broken-page', 'broken-page.pdf'),
  ...['multi_page.pdf', 'right_to_left_01.pdf', 'movie-theater-booking-2024.pdf']
    .map((file) => join(evaldata, 'pdf', file))
    .filter((path) => existsSync(path)),
])('every segment of %s stands in the text layer of its page', async (path) => {
  const bytes = readFileSync(path);
  const layers = await textLayers(bytes);
  const { text, segments } = await extract({ bytes, fileName: 'a.pdf', type: 'pdf' });
  const missing = segments.filter(({ start, end, location }) => {
    const layer = 'page' in location ? layers[location.page - 1] : undefined;
    return layer?.includes(squeeze(text.slice(start, end))) !== true;
  });
  expect(segments.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('pieces on one base line are one line, and wide gaps part its cells', () => {
  const lines = linesOf([
    item('Net', 50, 700),
    item('sales', 70, 700),
    item('3,909', 300, 700),
    item('2', 325, 704, 6),
    item('Cost of sales', 50, 686),
  ]);
  expect(lines.map((line) => line.text)).toEqual(['Net sales\t3,9092', 'Cost of sales']);
});

test('text from right to left keeps its order, and foreign words their spaces', () => {
  const lines = linesOf([item('שלום', 180, 700), item('Python', 150, 700), item('עולם', 120, 700)]);
  expect(lines.map((line) => line.text)).toEqual(['שלום Python עולם']);
});

test('a paragraph ends at a gap, an indent and a short last line', () => {
  const full = 'This line is filled with words up to its right edge,';
  const lines = linesOf([
    item(full, 50, 700),
    item('and ends.', 50, 688),
    item(full, 50, 676),
    item(full.replace(',', '.'), 50, 664),
    item(full, 65, 652),
    item(full, 50, 640),
    item('Far below.', 50, 600),
  ]);
  const texts = blocksOf(lines, style).map((block) => block.text.split('\n').length);
  expect(texts).toEqual([2, 2, 2, 1]);
});

test('a sentence that runs on in the next column stays one paragraph', () => {
  const lines = linesOf([
    item('At the foot of the first column it', 50, 100),
    item('goes on at the head of the second.', 320, 700),
    item('Another column begins anew.', 320, 688),
  ]);
  expect(blocksOf(untangleColumns(lines), style)[0]?.text).toContain('it\ngoes on');
});

test('headings show by size, by font and by the outline', () => {
  const outline = new Map([['2method', 1]]);
  const lines = linesOf([
    item('A Large Title', 50, 740, 18, 'bold'),
    item('Summary', 50, 700, 10, 'bold'),
    item('The body of the text is much longer than its title is.', 50, 688),
    item('2 Method', 50, 650),
    item('More of the body of the text, and quite long as well.', 50, 638),
  ]);
  const headings = blocksOf(lines, { ...style, outline }).filter(({ kind }) => kind === 'heading');
  expect(headings.map(({ text }) => text)).toEqual(['A Large Title', 'Summary', '2 Method']);
  expect(headings.map(({ level }) => level)).toEqual([964, 2000, 1]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNK_MAX, chunk } from '../chunk.ts';
import type { SourceDocument, SourceSegment } from '../types.ts';

type Block = Omit<SourceSegment, 'start' | 'end'> & { text: string };

function documentOf(blocks: readonly Block[]): SourceDocument {
  let text = '';
  const segments = blocks.map(({ text: blockText, ...rest }): SourceSegment => {
    if (text !== '') text += '\n\n';
    const start = text.length;
    text += blockText;
    return { start, end: text.length, ...rest };
  });
  return { text, segments };
}

const prose = (text: string, page: number, headings: string[] = []): Block => ({
  text,
  location: { page },
  headings,
  kind: 'prose',
});

const sentences = (count: number, word: string): string =>
  Array.from({ length: count }, (_, i) => `The ${word} number ${i} was counted on that day.`).join(
    ' ',
  );

describe('chunk', () => {
  test('a short file is one chunk, with its location and headings', () => {
    const [only, ...rest] = chunk(documentOf([prose('One. Two.', 3, ['Intro'])]));
    expect(rest).toEqual([]);
    expect(only).toMatchObject({
      ordinal: 0,
      text: 'One. Two.',
      location: { page: 3 },
      headings: ['Intro'],
      places: [],
    });
  });

  test('a text without segments is one segment, and an empty text has none', () => {
    expect(chunk({ text: 'Hello there.', segments: [] })).toHaveLength(1);
    expect(chunk({ text: '  \n', segments: [] })).toEqual([]);
  });

  test('long prose is split between sentences into chunks of similar length', () => {
    const chunks = chunk(documentOf([prose(sentences(60, 'apple'), 1)]));
    const lengths = chunks.map(({ text }) => text.length);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(200);
    for (const { text } of chunks) expect(text).toMatch(/^The .*day\.$/su);
  });

  test('a heading is in the same chunk as the text after it', () => {
    const heading: Block = { text: 'Fees', location: { page: 1 }, headings: [], kind: 'heading' };
    const chunks = chunk(
      documentOf([
        prose(sentences(18, 'apple'), 1),
        heading,
        prose(sentences(18, 'pear'), 1, ['Fees']),
      ]),
    );
    const withHeading = chunks.find(({ text }) => text.includes('Fees'));
    expect(withHeading?.text.startsWith('Fees')).toBe(true);
    expect(withHeading?.headings).toEqual(['Fees']);
  });

  test('rows are not split, and each has its location', () => {
    const rows = Array.from({ length: 80 }, (_, i): Block => ({
      text: `Item: thing ${i} · Price: ${i}.50 · Note: bought in the shop at the corner`,
      location: { sheet: 'Prices', row: i + 1 },
      headings: ['Prices'],
      kind: 'table',
    }));
    const chunks = chunk(documentOf(rows));
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text, places, location } of chunks) {
      expect(text).toMatch(/^Item: .*corner$/su);
      const first = Number(location['row']);
      places.forEach((place, i) => {
        expect(place.location).toEqual({ sheet: 'Prices', row: first + i + 1 });
        expect(text.slice(place.offset)).toMatch(/^Item: /u);
      });
    }
  });

  test('chunks cover all segments once, are slices of the text, and never span pages', () => {
    const block = fc.record({
      text: fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }).map((count) => sentences(count, 'word')),
        fc.integer({ min: 1, max: 4000 }).map((count) => 'x'.repeat(count)),
      ),
      location: fc.integer({ min: 1, max: 3 }).map((page) => ({ page })),
      headings: fc.constantFrom<string[]>([], ['A'], ['A', 'B']),
      kind: fc.constantFrom<SourceSegment['kind']>('prose', 'heading', 'list', 'table', 'code'),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const document = documentOf(blocks);
        const chunks = chunk(document);
        let offset = 0;
        let missed = '';
        chunks.forEach((piece, i) => {
          expect(piece.ordinal).toBe(i);
          expect(piece.start).toBeGreaterThanOrEqual(offset);
          expect(piece.text).toBe(document.text.slice(piece.start, piece.end));
          expect(piece.text.length).toBeLessThanOrEqual(CHUNK_MAX);
          const pages = document.segments
            .filter((segment) => segment.start < piece.end && segment.end > piece.start)
            .map(({ location }) => location['page']);
          expect(new Set(pages).size).toBeLessThanOrEqual(1);
          missed += document.text.slice(offset, piece.start);
          offset = piece.end;
        });
        expect((missed + document.text.slice(offset)).trim()).toBe('');
      }),
      { numRuns: 60 },
    );
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { locateQuote } from '../locate-quote.ts';

const collapse = (text: string): string => text.replace(/\s+/gu, ' ');
const lettersOf = (text: string): string =>
  text.replace(/[\s\p{Cf}\p{Pd}]/gu, '').normalize('NFKD');

const word = fc.stringMatching(/^[a-zA-Z0-9äöüé東京]{1,8}$/u);
const words = fc.array(word, { minLength: 1, maxLength: 30 });

test('a quote is found over several lines', () => {
  const items = ['§ 14 Notice. Either party may', '', 'end the lease with three', ' months.'];
  expect(locateQuote(items, 'Either party may end the lease')).toEqual([
    { item: 0, start: 13, end: 29, text: 'Either party may ' },
    { item: 2, start: 0, end: 13, text: 'end the lease' },
  ]);
});

test('a word cut by a hyphen at the end of a line is the same word', () => {
  expect(locateQuote(['the termi-', 'nation of it'], 'the termination')).toEqual([
    { item: 0, start: 0, end: 9, text: 'the termi' },
    { item: 1, start: 0, end: 6, text: 'nation' },
  ]);
});

test('ligatures match their letters', () => {
  expect(locateQuote(['a ﬁne day'], 'fine')).toEqual([{ item: 0, start: 2, end: 5, text: 'fine' }]);
});

test('a letter is not found within another one', () => {
  expect(locateQuote(['ä a'], 'a')).toEqual([{ item: 0, start: 2, end: 3, text: 'a' }]);
});

test('missing text is not found', () => {
  expect(locateQuote(['one two'], 'two one')).toEqual([]);
  expect(locateQuote(['one two'], ' - ')).toEqual([]);
  expect(locateQuote([], 'one')).toEqual([]);
});

test('any range of words is found, however the page splits it into items', () => {
  fc.assert(
    fc.property(
      words,
      fc.nat(),
      fc.nat(),
      fc.array(fc.nat({ max: 12 }), { maxLength: 60 }),
      fc.constantFrom(' ', '\n', ' \n ', '\u00a0', ' - '),
      (page, first, length, partLengths, separator) => {
        const from = first % page.length;
        const quote = page.slice(from, from + 1 + (length % (page.length - from))).join(' ');
        const text = page.join(separator);
        const items: string[] = [];
        let offset = 0;
        for (const partLength of partLengths) {
          // Splits only between characters, as a page does.
          items.push(text.slice(offset, offset + partLength));
          offset += partLength;
        }
        items.push(text.slice(offset));

        const ranges = locateQuote(items, quote);

        expect(ranges.map((range) => range.text).join('')).toBe(collapse(quote));
        const marked = ranges.map(({ item, start, end }) => items[item]!.slice(start, end));
        expect(lettersOf(marked.join(''))).toBe(lettersOf(quote));
        for (let index = 1; index < ranges.length; index += 1) {
          expect(ranges[index]!.item).toBeGreaterThan(ranges[index - 1]!.item);
        }
      },
    ),
  );
});

test('a quote is found even if another column is drawn between its lines', () => {
  const items = [
    'We ask whether',
    'Right one.',
    'a better model',
    'Right two.',
    'can be had. Yes.',
  ];
  expect(locateQuote(items, 'whether a better model can be had.')).toEqual([
    { item: 0, start: 7, end: 14, text: 'whether ' },
    { item: 2, start: 0, end: 14, text: 'a better model ' },
    { item: 4, start: 0, end: 11, text: 'can be had.' },
  ]);
});

test('a quote is found even if the lines of two columns alternate', () => {
  const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));
  const lines = fc.array(fc.tuple(line, line), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), (lines, first, length) => {
      const leftColumn = lines.map(([text]) => text);
      const from = first % leftColumn.length;
      const quote = leftColumn
        .slice(from, from + 1 + (length % (leftColumn.length - from)))
        .join('\n');
      const ranges = locateQuote(lines.flat(), quote);
      expect(ranges.map((range) => range.text).join('')).toBe(collapse(quote));
    }),
  );
});

test('for any page and quote, ranges are within their items', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.string({ unit: 'grapheme' }),
      (items, quote) => {
        for (const { item, start, end } of locateQuote(items, quote)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(items[item]!.length);
        }
      },
    ),
  );
});

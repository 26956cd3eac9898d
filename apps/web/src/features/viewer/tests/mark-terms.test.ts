import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markFromFirstTerm, markTerms } from '../mark-terms.ts';

const marked = (text: string, terms: string[]) =>
  markTerms(text, terms)
    .filter(({ isTerm }) => isTerm)
    .map((part) => part.text);

it.each([
  ['The Lease and leases, not released.', ['lease'], ['Lease', 'leases']],
  ['lease at the start', ['lease'], ['lease']],
  ['ISO-9001 and ISO 9001', ['iso-9001'], ['ISO-9001']],
  ['東京の人口', ['東京'], ['東京']],
  ['a.b c+ (c)', ['a.b', 'c+', '(c)'], ['a.b', 'c+', '(c)']],
  ['nothing', [], []],
  ['deposit of the boathouse', ['boathouse', 'deposit', ''], ['deposit', 'boathouse']],
])('%j with %j marks %j', (text, terms, expected) => expect(marked(text, terms)).toEqual(expected));

it('the text stays complete and unchanged', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 6 });
  fc.assert(
    fc.property(fc.array(word), fc.array(word), (words, terms) => {
      const text = words.join(' ');
      const parts = markTerms(text, terms);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      for (const { at, text: part } of parts) expect(text.startsWith(part, at)).toBe(true);
    }),
  );
});

it('the excerpt begins shortly before the first marked word', () => {
  const intro = 'One of many words. '.repeat(20);
  const shown = (text: string) =>
    markFromFirstTerm(text, ['lease'])
      .map((part) => part.text)
      .join('');
  expect(shown(`${intro}The lease ends.`)).toMatch(/^… .{20,60}The lease ends\.$/u);
  expect(shown('The lease ends.')).toBe('The lease ends.');
  expect(shown(intro)).toBe(intro);
});

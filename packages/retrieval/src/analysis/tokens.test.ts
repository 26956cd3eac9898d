import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addInitial, addTerm, createHeadFilter, mayBe } from './heads.ts';
import { ENGLISH_BASES } from '../languages/en-forms.ts';
import { tokensOf, wordAt } from './tokens.ts';
import { termsOf, wordsOf } from './words.ts';

const sign = fc.constantFrom(
  ...`abcXYZ019 .,'-_/:&@+#()\n`,
  'é',
  '’',
  '—',
  '\u00a0',
  '東',
  'ท',
  '😀',
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: sign, maxLength: 60 }),
);

test('tokens are the words of the text, at their places', () => {
  fc.assert(
    fc.property(text, (source) => {
      const tokens = tokensOf(source);
      const { words, starts, ends } = wordsOf(source);
      expect(words.map((_, i) => wordAt(tokens, i))).toEqual(words);
      expect([...tokens.starts]).toEqual(starts);
      expect([...tokens.ends]).toEqual(ends);
    }),
    { numRuns: 500 },
  );
});

const LANGUAGES =
  `ar hy eu ca cs da nl en fi fr de hu it ga no pt ro ru es sl sv ta tr he ja xx`.split(' ');

/** The terms of a word whose filters would not let it pass. */
function missedTerms(word: string, language: string): string[] {
  const tokens = tokensOf(word);
  return [...tokens.heads].flatMap((head, i) =>
    termsOf(wordAt(tokens, i), language).filter((term) => {
      const filter = createHeadFilter();
      addTerm(filter, term, ['en', language]);
      const initial = createHeadFilter();
      addInitial(initial, term, ['en', language]);
      return !mayBe(filter, head) || !mayBe(initial, head);
    }),
  );
}

test('a word passes the filter of each of its terms, in every language', () => {
  const letters = fc.stringMatching(/^[A-Za-z][a-z]{0,14}$/u);
  const code = fc.stringMatching(/^[A-Za-z]{0,3}[0-9]{1,5}[a-z]{0,3}$/u);
  const word = fc.oneof({ weight: 4, arbitrary: letters }, code, text);
  fc.assert(
    fc.property(word, fc.constantFrom(...LANGUAGES), (form, language) => {
      expect(missedTerms(form, language)).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('irregular English forms pass the filter of their base', () => {
  for (const form of ENGLISH_BASES.keys()) expect(missedTerms(form, 'en')).toEqual([]);
});

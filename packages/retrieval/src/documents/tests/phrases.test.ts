import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phrasesOf } from '../phrases.ts';
import type { SourceSegment } from '../../types.ts';

const phrases = (text: string, language = 'en', kind: SourceSegment['kind'] = 'prose'): string[] =>
  phrasesOf(
    { text, segments: [{ start: 0, end: text.length, location: { line: 1 }, headings: [], kind }] },
    language,
  );

describe('phrasesOf', () => {
  test('names and repeated terms are phrases', () => {
    const text = `Olga Petrenko met the Bank of England in New York. Carbon capture is dear. She knows
carbon capture well, but carbon capture needs money from Summit Roofing, as everybody there has been told for many years.`;
    expect(phrases(text)).toEqual(
      expect.arrayContaining(['Olga Petrenko', 'Bank of England', 'New York', 'carbon capture']),
    );
  });

  test('a phrase that occurs only within a longer one is left out', () => {
    const text = 'The annual energy report is here. Read the annual energy report. '.repeat(2);
    expect(phrases(text)).toEqual(['annual energy report']);
  });

  test.each([
    [
      'de',
      'Die fristlose Kündigung ist möglich. Eine fristlose Kündigung braucht einen Grund.',
      'fristlose Kündigung',
    ],
    [
      'fr',
      'Le dépôt de garantie est rendu. Nathalie Perrin garde le dépôt de garantie.',
      'dépôt de garantie',
    ],
    [
      'es',
      'La fecha de vencimiento es el lunes. Falta la fecha de vencimiento.',
      'fecha de vencimiento',
    ],
    ['ru', 'Срок действия договора: год. Это срок действия договора.', 'срок действия договора'],
    ['ja', '電気料金は毎月払います。電気料金の通知は営業会議で話します。', '電気料金'],
    ['zh', '劳动合同已经签了。劳动合同在这里。劳动合同很重要。', '劳动合同'],
  ])('phrases are found in %s', (language, text, phrase) => {
    const result = phrases(text, language).map((phrase) => phrase.toLowerCase());
    expect(result).toContain(phrase.toLowerCase());
  });

  test('secrets, codes, addresses and figures are not phrases', () => {
    const text = `The password: Blue Falcon Harbour
IBAN: Blue Falcon Meadow
Recovery phrase: Blue Falcon Orchard
Write to blue.falcon@example.org or see https://example.org/Blue/Falcon and C:\\Blue\\Falcon.
The key is deadBEEF12 xKqZpT 4f3a9c Blue77 Falcon88.`;
    expect(phrases(text).join('\n')).not.toMatch(/falcon/iu);
  });

  test('code has no phrases', () => {
    expect(phrases('Blue Falcon Blue Falcon', 'en', 'code')).toEqual([]);
  });

  test('any text gives up to twelve short phrases of letters, none twice', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(
        'the',
        'Annual',
        'report',
        'of',
        'Petrenko',
        'Kündigung',
        '東京都庁',
        '\u0000',
        '.',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 200 }).map((words) => words.join(' ')),
        fc.constantFrom('en', 'de', 'fr', 'ja', 'zh', 'th', 'ar', 'xx'),
        (text, language) => {
          const result = phrases(text, language);
          expect(result.length).toBeLessThanOrEqual(12);
          expect(new Set(result).size).toBe(result.length);
          for (const phrase of result) {
            expect(phrase.length).toBeLessThanOrEqual(80);
            expect(phrase).toMatch(/^[\p{L}\p{M}][\p{L}\p{M}'’\-‐‑ ]*$/u);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

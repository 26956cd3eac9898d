import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze, wordsOf } from '../words.ts';

describe('analyze', () => {
  test('words are stemmed in the language of the text', () => {
    expect(analyze('Häuser, Hauses, HAUS', 'de')).toEqual(['haus', 'haus', 'haus']);
    expect(analyze('договор договора', 'ru')).toEqual(['договор', 'договор']);
    expect(analyze('connected connections', 'en')).toEqual(['connect', 'connect']);
  });

  test('irregular English forms are mapped to their base', () => {
    expect(analyze('wrote began children', 'en')).toEqual(analyze('write begin child', 'en'));
  });

  test('a word in another script is stemmed by that script', () => {
    expect(analyze('the московский договора', 'en').at(-1)).toBe('договор');
    expect(analyze('о contracts', 'ru').at(-1)).toBe('contract');
  });

  test.each([
    ['INV-2024-001', ['inv-2024-001', 'inv', '2024', '001']],
    ['3.14', ['3.14']],
    ['3,14', ['3,14', '3.14']],
    ['2,340.00', ['2,340.00', '2340']],
    ['2.340,00', ['2.340,00', '2340']],
    ['FY2017', ['fy2017', 'fy', '2017']],
    ['19th', ['19th']],
    ['2024-03-15', ['2024-03-15', '2024', '03', '15']],
    ['C++', ['c++']],
    ['U.S.', ['us']],
  ])('%s stays whole and can be found', (text, terms) => {
    expect(analyze(text, 'en')).toEqual(terms);
  });

  test('email addresses and file names are indexed whole and in parts', () => {
    expect(analyze('anna.smith@example.org', 'en')).toEqual(
      expect.arrayContaining(['anna.smith@example.org', 'anna', 'smith', 'org']),
    );
    expect(analyze('report_final-2024.pdf', 'en')).toEqual(
      expect.arrayContaining(['report_final-2024.pdf', 'report', 'final', '2024', 'pdf']),
    );
  });

  test('accents, ligatures and full-width letters are folded', () => {
    expect(analyze('Café ﬁle ＡＢＣ', 'en')).toEqual(['cafe', 'file', 'abc']);
    expect(analyze('Café', 'en')).toEqual(analyze('cafe', 'en'));
  });

  test('scripts without spaces are split into pairs of characters', () => {
    expect(analyze('東京都', 'ja')).toEqual(['東京', '京都']);
    expect(analyze('서울은', 'ko')).toEqual(['서울', '울은']);
    expect(analyze('水', 'zh')).toEqual(['水']);
  });

  test('Arabic vowel marks are ignored, and Hebrew words are found without their prefixes', () => {
    expect(analyze('كِتَاب', 'ar')).toEqual(analyze('كتاب', 'ar'));
    expect(analyze('בשלום', 'he')).toContain('שלום');
  });

  test('elided French articles and pronouns are removed', () => {
    expect(analyze("l'eau d’été", 'fr')).toEqual(['eau', 'ete']);
  });

  test('terms are never empty and contain no white space', () => {
    const languages = fc.constantFrom('en', 'de', 'ru', 'ar', 'ja', 'he', 'xx', '__proto__');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), languages, (text, language) => {
        for (const term of analyze(text, language)) {
          expect(term).not.toBe('');
          expect(term).not.toMatch(/\s/u);
        }
      }),
    );
  });

  test('codes, numbers and pairs stay the same in a second analysis', () => {
    const code = fc.stringMatching(/^[a-z]{2,4}-[0-9]{2,5}$/);
    const number = fc.integer({ min: 0, max: 1e6 }).map(String);
    const pair = fc.stringMatching(/^[一-龥]{2}$/u);
    fc.assert(
      fc.property(fc.oneof(code, number, pair), (text) => {
        const [term = ''] = analyze(text, 'en');
        expect(analyze(term, 'en')[0]).toBe(term);
      }),
    );
  });
});

test('every word has its offsets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const { words, starts, ends } = wordsOf(text);
      words.forEach((word, i) => expect(text.slice(starts[i], ends[i])).toBe(word.surface));
    }),
  );
});

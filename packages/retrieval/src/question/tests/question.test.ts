import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeQuestion } from '../question.ts';

describe('analyzeQuestion', () => {
  test('stop words are removed, and other words keep their order', () => {
    const { terms, query } = analyzeQuestion('Who wrote the first Huguenot history?', ['en']);
    expect(terms.map(({ surface }) => surface)).toEqual(['wrote', 'first', 'Huguenot', 'history']);
    expect(query).toBe('write first huguenot histori');
  });

  test.each(['what is it', 'Who are you?', 'the'])(
    'a question never loses all its words: %s',
    (text) => {
      expect(analyzeQuestion(text, ['en']).terms.length).toBeGreaterThan(0);
    },
  );

  test('an acronym is not a stop word unless everything is in capitals', () => {
    expect(analyzeQuestion('What does WHO say?', ['en']).query).toContain('who');
    expect(analyzeQuestion('WHO WROTE THE REPORT', ['en']).query).toBe('write report');
  });

  test('a question is analyzed for every language of the library, and answered in one of them', () => {
    const question = analyzeQuestion('Wie hoch ist die Miete der Häuser?', ['en', 'de']);
    expect(question.language).toBe('de');
    const houses = question.terms.find(({ surface }) => surface === 'Häuser');
    expect(houses?.variants).toEqual(['hauser', 'haus']);
    expect(question.terms.map(({ surface }) => surface)).not.toContain('die');
  });

  test('a stop word of another language is not removed', () => {
    const { terms } = analyzeQuestion('How is a die cast?', ['en', 'de']);
    expect(terms.map(({ surface }) => surface)).toContain('die');
  });

  test('codes have full weight, and their parts less', () => {
    const { terms } = analyzeQuestion('What is the total of INV-2024-001?', ['en']);
    const code = terms.find(({ surface }) => surface === 'INV-2024-001');
    const part = terms.find(({ surface }) => surface === '2024');
    expect(code).toMatchObject({ name: true, variants: ['inv-2024-001'] });
    expect(part?.weight).toBeLessThan(code?.weight ?? 0);
  });

  test('a repeated word counts once', () => {
    const { terms } = analyzeQuestion('rent rent rent', ['en']);
    expect(terms).toHaveLength(1);
  });

  test('Japanese particles are removed, and words are not', () => {
    const { query } = analyzeQuestion('東京の人口は何人ですか', ['ja']);
    expect(query.split(' ')).toEqual(expect.arrayContaining(['東京', '人口']));
    expect(query.split(' ')).not.toContain('です');
  });

  test('any text is analyzed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { query } = analyzeQuestion(text, ['en', 'ja']);
        expect(query.split(' ').every((term) => term !== '' || query === '')).toBe(true);
      }),
    );
  });
});

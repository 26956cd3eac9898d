import { SUGGESTION_BYTES, SUGGESTION_LIMIT } from '@engram/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mixSuggestions } from '../suggestions.service.ts';

const texts = (kind: string, count: number, length: number): string[] =>
  Array.from({ length: count }, (_, i) => `${kind} ${i} ${'ä'.repeat(length)}`);

describe('mixSuggestions', () => {
  test('suggestions are ordered by kind, each text once regardless of case', () => {
    const kinds = {
      questions: ['Who owns Heron?', 'who owns heron?'],
      keywords: ['Heron'],
      titles: ['heron', 'Plan'],
      phrases: ['', 'Project Heron'],
    };
    expect(mixSuggestions(kinds)).toEqual(['Who owns Heron?', 'Heron', 'Plan', 'Project Heron']);
  });

  test('unused shares of a kind are filled with other kinds', () => {
    const phrases = texts('p', 3000, 1);
    expect(mixSuggestions({ questions: [], keywords: [], titles: [], phrases })).toHaveLength(
      SUGGESTION_LIMIT,
    );
  });

  test('long questions leave room for the other kinds', () => {
    const mixed = mixSuggestions({
      questions: texts('q', 2000, 140),
      keywords: ['Work'],
      titles: ['Plan'],
      phrases: texts('p', 50, 10),
    });
    expect(mixed).toEqual(expect.arrayContaining(['Work', 'Plan', ...texts('p', 50, 10)]));
  });

  test('the limits on strings and bytes of a response are respected', () => {
    const kind = fc.record({ count: fc.nat(2500), length: fc.nat(150) });
    fc.assert(
      fc.property(kind, kind, kind, (questions, titles, phrases) => {
        const mixed = mixSuggestions({
          questions: texts('q', questions.count, questions.length),
          keywords: texts('k', 10, 5),
          titles: texts('t', titles.count, titles.length),
          phrases: texts('p', phrases.count, phrases.length),
        });
        expect(mixed.length).toBeLessThanOrEqual(SUGGESTION_LIMIT);
        expect(Buffer.byteLength(JSON.stringify(mixed))).toBeLessThanOrEqual(SUGGESTION_BYTES);
      }),
      { numRuns: 30 },
    );
  });
});

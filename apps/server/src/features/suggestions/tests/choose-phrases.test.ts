import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choosePhrases } from '../suggestions.service.ts';

const phrase = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz').map((letter) => `phrase ${letter}`);
const subjects = fc.array(fc.record({ phrases: fc.uniqueArray(phrase, { maxLength: 6 }) }), {
  maxLength: 12,
});

describe('choosePhrases', () => {
  test('phrases of several files are first, then those of the newest files', () => {
    const files = [
      { phrases: ['New York'] },
      { phrases: ['car tax', 'oak tree'] },
      { phrases: ['Car tax'] },
    ];
    expect(choosePhrases(files, 10)).toEqual(['car tax', 'New York', 'oak tree']);
  });

  test('with enough room every phrase is chosen once', () => {
    fc.assert(
      fc.property(subjects, (files) => {
        const chosen = choosePhrases(files, 1000);
        expect(chosen.toSorted()).toEqual(
          [...new Set(files.flatMap(({ phrases }) => phrases))].sort(),
        );
      }),
    );
  });

  test('the first 3n phrases of n files include one of every file', () => {
    fc.assert(
      fc.property(subjects, (files) => {
        const first = new Set(choosePhrases(files, 3 * files.length));
        const withPhrases = files.filter(({ phrases }) => phrases.length > 0);
        expect(withPhrases.every(({ phrases }) => phrases.some((text) => first.has(text)))).toBe(
          true,
        );
      }),
    );
  });

  test('no more than the limit are chosen', () => {
    fc.assert(
      fc.property(subjects, fc.nat(10), (files, limit) => {
        expect(choosePhrases(files, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

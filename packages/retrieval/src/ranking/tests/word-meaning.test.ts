import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzePassage } from '../../analysis/passage-analysis.ts';
import { analyzeQuestion } from '../../question/question.ts';
import { rankPassages } from '../rank.ts';
import { findPassages } from '../../testing.ts';
import { createMeaning } from '../word-meaning.ts';
import { meanVector, product, wordVectors } from '../../analysis/word-vectors.ts';

/** What each sentence of a text means for a question; null where meaning does not count. */
function meaningOf(question: string, text: string, languages: string[] = ['en']): number[] | null {
  return createMeaning(analyzeQuestion(question, languages))?.(analyzePassage(text)) ?? null;
}

describe('word vectors', () => {
  test('words of one subject are nearer than others', () => {
    const vectors = wordVectors();
    const vectorOf = (word: string) =>
      meanVector(vectors, [vectors.rows.get(word) ?? -1]) ?? new Float32Array(vectors.dimensions);
    const between = (a: string, b: string): number => product(vectorOf(a), vectorOf(b));
    expect(between('doctor', 'physician')).toBeGreaterThan(0.6);
    expect(between('mortgage', 'loan')).toBeGreaterThan(between('mortgage', 'forest') + 0.2);
    expect(between('buy', 'buy')).toBeCloseTo(1);
  });

  test('frequent words weigh less', () => {
    const { rows, weights } = wordVectors();
    expect(weights[rows.get('the') ?? -1]).toBeLessThan(0.1);
    expect(weights[rows.get('mortgage') ?? -1]).toBeGreaterThan(0.9);
  });
});

describe('meaning beside words', () => {
  test('a sentence in other words is nearer than one on something else', () => {
    const [near, far] =
      meaningOf(
        'Which doctor did she consult?',
        'Her physician was asked for advice. The tram stops at the old harbour.',
      ) ?? [];
    expect(near).toBeGreaterThan((far ?? 1) + 0.2);
  });

  test('a sentence of unknown words is neither near nor far', () => {
    expect(meaningOf('Which doctor did she consult?', 'Zxqv 4711 Łódź.')).toEqual([0]);
  });

  test.each([
    ['Welcher Arzt hat sie behandelt?', ['de', 'en']],
    ['Welcher Arzt hat sie behandelt?', ['en']],
    ['彼女はどの医者に診てもらいましたか', ['en', 'ja']],
  ])('does not count for %s', (question, languages) => {
    expect(meaningOf(question, 'Her physician was asked for advice.', languages)).toBeNull();
  });

  test('tells passages apart whose words say the same', () => {
    const { question, passages } = findPassages(
      [
        { name: 'a.txt', blocks: ['The new hospital, painted white, stands by the river.'] },
        { name: 'b.txt', blocks: ['The new hospital, cheaply built, stands by the river.'] },
      ],
      'How expensive was the new hospital?',
    );
    expect(rankPassages(question, passages)[0]?.fileName).toBe('b.txt');
  });

  test('stays within its bounds whatever is asked and said', () => {
    const words = fc.array(
      fc.constantFrom(
        'doctor',
        'long-term',
        'the',
        'İ',
        '東京',
        "o'clock",
        'bill',
        '3.5',
        '-',
        '\n',
      ),
    );
    fc.assert(
      fc.property(words, words, (asked, said) => {
        for (const closeness of meaningOf(asked.join(' '), said.join(' ')) ?? []) {
          expect(Math.abs(closeness)).toBeLessThanOrEqual(1.5);
        }
      }),
    );
  });
});

import { analyzePassage, type PassageAnalysis } from '../text/passage-analysis.ts';
import { type Word, wordsOf } from '../text/words.ts';
import type { Question } from '../question/question.ts';
import { foldersOf } from '../scope/names.ts';
import type { Passage } from '../types.ts';
import { createMatcher, type Matcher, SOFT } from './matching.ts';

/** How strongly each question term matches a passage: 1 for the word itself, less for a similar one. */
export interface Hits {
  analysis: PassageAnalysis;
  sentences: Float64Array[];
  context: Float64Array;
  whole: Float64Array;
}

export function strongest([first, ...others]: readonly [
  Float64Array,
  ...Float64Array[],
]): Float64Array {
  const maxima = Float64Array.from(first);
  for (const strengths of others) {
    for (let term = 0; term < maxima.length; term += 1) {
      maxima[term] = Math.max(maxima[term] ?? 0, strengths[term] ?? 0);
    }
  }
  return maxima;
}

export function matchPassages(question: Question, passages: readonly Passage[]): Hits[] {
  const matcher = createMatcher(question);
  return passages.map((passage) => {
    const analysis = analyzePassage(passage.text);
    const lines = [passage.fileName, foldersOf(passage.path), ...passage.headings];
    const count = question.terms.length;
    // Capitals in file names are arbitrary.
    const context = strengthsOf(
      lines.flatMap((line) => wordsOf(line).words),
      count,
      matcher,
      1,
    );
    const lowered = analysis.cased ? SOFT : 1;
    const sentences = analysis.sentences.map(({ firstWord, endWord }) =>
      strengthsOf(analysis.tokens.words.slice(firstWord, endWord), count, matcher, lowered),
    );
    return { analysis, sentences, context, whole: strongest([context, ...sentences]) };
  });
}

/** @param lowered the strength of a name that is written in lower case */
function strengthsOf(
  words: readonly Word[],
  count: number,
  match: Matcher,
  lowered: number,
): Float64Array {
  const strengths = new Float64Array(count);
  const add = (terms: readonly number[], strength: number): void => {
    for (const term of terms) strengths[term] = Math.max(strengths[term] ?? 0, strength);
  };
  for (const word of words) {
    const result = match(word);
    if (result === null) continue;
    add(result.exact, 1);
    add(result.lowered, lowered);
    add(result.soft, SOFT);
  }
  return strengths;
}

const RARITY_FLOOR = 0.5;

/**
 * A term's share in the question times its inverse document frequency (Spärck Jones 1972) among the
 * passages. It never reaches 0, because these terms found the passages.
 */
export function termWeights(question: Question, hits: readonly Hits[]): Float64Array {
  return Float64Array.from(question.terms, ({ weight }, term) => {
    const frequency = hits.reduce((sum, { whole }) => sum + (whole[term] ?? 0), 0);
    return weight * Math.log(1 + (hits.length + 1) / (frequency + RARITY_FLOOR));
  });
}

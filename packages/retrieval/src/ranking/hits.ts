import { createMatcher } from './matching.ts';
import { foldersOf } from '../scope/folders.ts';
import type { Matcher } from './matching.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import type { PassageAnalysis } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { MATCHING } from './weights.ts';
import { wordsOf } from '../analysis/words.ts';

/** Where a question's words stand in a passage. */
export interface Hits {
  analysis: PassageAnalysis;
  /** Strength of each term in each sentence: `cover[sentence * terms + term]`. */
  cover: Float64Array;
  /** Strength of each term in the file name and headings. */
  context: Float64Array;
  /** Strength of each term in the passage, its context included. */
  whole: Float64Array;
}

/** Finds the question's words in the passages. */
export function matchPassages(
  question: Question,
  passages: readonly Passage[],
): { matcher: Matcher; hits: Hits[] } {
  const matcher = createMatcher(question);
  return { matcher, hits: passages.map((passage) => findHits(question, passage, matcher)) };
}

const NONE: readonly number[] = [];
function findHits(question: Question, passage: Passage, matcher: Matcher): Hits {
  const analysis = analyzePassage(passage.text);
  const count = question.terms.length;
  const cover = new Float64Array(analysis.sentences.length * count);
  const context = contextHits(passage, count, matcher);
  const whole = Float64Array.from(context);
  analysis.sentences.forEach((sentence, s) => {
    for (const word of analysis.tokens.words.slice(sentence.firstWord, sentence.endWord)) {
      const match = matcher.match(word);
      if (match === null) continue;
      const isTerm = (term: number): void => {
        cover[s * count + term] = 1;
        whole[term] = 1;
      };
      const isLike = (term: number): void => {
        cover[s * count + term] = Math.max(cover[s * count + term] ?? 0, MATCHING.soft);
        whole[term] = Math.max(whole[term] ?? 0, MATCHING.soft);
      };
      match.exact.forEach(isTerm);
      // Where nothing is written with capitals, names are not either.
      match.lowered.forEach(analysis.cased ? isLike : isTerm);
      match.soft.forEach(isLike);
    }
  });
  return { analysis, cover, context, whole };
}

function contextHits(passage: Passage, count: number, matcher: Matcher): Float64Array {
  const context = new Float64Array(count);
  for (const line of [passage.fileName, foldersOf(passage.path), ...passage.headings]) {
    for (const word of wordsOf(line).words) {
      const match = matcher.match(word);
      for (const term of match?.exact ?? NONE) context[term] = 1;
      // File names keep to no spelling.
      for (const term of match?.lowered ?? NONE) context[term] = 1;
      for (const term of match?.soft ?? NONE) {
        context[term] = Math.max(context[term] ?? 0, MATCHING.soft);
      }
    }
  }
  return context;
}

/**
 * A term's weight: its share in the question times its rarity among the passages handed in. The
 * rarity is an inverse document frequency (Spärck Jones 1972) that never falls to nothing, as all of
 * these passages were found by some of the terms.
 */
export function termWeights(question: Question, hits: readonly Hits[]): Float64Array {
  return Float64Array.from(question.terms, ({ weight }, term) => {
    let frequency = 0;
    for (const { whole } of hits) frequency += whole[term] ?? 0;
    return weight * Math.log(1 + (hits.length + 1) / (frequency + MATCHING.rarityFloor));
  });
}

import { askedOf } from '../question/asked.ts';
import type { Asked } from '../question/asked.ts';
import { mayBe } from '../analysis/heads.ts';
import type { HeadFilter } from '../analysis/heads.ts';
import { stopWords } from '../analysis/languages.ts';
import { createMatcher, forgiveTypos } from './matching.ts';
import type { Matcher } from './matching.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { wordAt } from '../analysis/tokens.ts';
import { REPLY } from './weights.ts';
import { DIGIT } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

/** How strongly each of a question's terms is said, between 0 and 1. */
export type Strengths = Float64Array;

/** A question's words and their other words, and what they count. */
export interface Vocabulary {
  asked: Asked;
  /** The words that may be one of them letter for stem. */
  filter: HeadFilter;
  none(): Strengths;
  /** Raises the terms that a word says; false when it says none. */
  mark(into: Strengths, word: Word): boolean;
  /** Whether a word names, letter for stem, what is wanted. */
  isWanted(word: Word): boolean;
  /** Whether a word is too common to be news. */
  isPlain(word: Word): boolean;
  /** The share of what was asked that the strengths say. */
  share(strengthOf: (at: number) => number): number;
  /** … of what is wanted of it. */
  wantedShare(strengthOf: (at: number) => number): number;
}

/** The vocabulary of a question over the passages found, which tell what is misspelt in it. */
export function createVocabulary(question: Question, passages: readonly Passage[]): Vocabulary {
  const asked = askedOf(question);
  const matcher = forgiving(question, passages);
  const wanted = asked.demands.map((demand, at) => demand * (asked.focus[at] ?? 0));
  const common = stopWords(question.language);
  return {
    asked,
    filter: matcher.filter,
    none: () => new Float64Array(asked.demands.length),
    mark(into, word) {
      const match = matcher.match(word);
      const aliases = asked.aliases.get(word.lower);
      if (match === null && aliases === undefined) return false;
      raise(into, match?.exact, 1);
      raise(into, match?.lowered, 1);
      raise(into, match?.soft, REPLY.soft);
      raise(into, aliases, REPLY.alias);
      return true;
    },
    isWanted(word) {
      const match = matcher.match(word);
      const isOf = (at: number): boolean => (wanted[at] ?? 0) > 0;
      return match !== null && (match.exact.some(isOf) || match.lowered.some(isOf));
    },
    isPlain: (word) =>
      common.has(word.lower) || (word.lower.length < 2 && (word.shape & DIGIT) === 0),
    share: (strengthOf) => weighted(asked.demands, strengthOf),
    wantedShare: (strengthOf) => weighted(wanted, strengthOf),
  };
}

function raise(into: Strengths, terms: readonly number[] | undefined, strength: number): void {
  for (const at of terms ?? []) into[at] = Math.max(into[at] ?? 0, strength);
}

function weighted(weights: readonly number[], strengthOf: (at: number) => number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sum = weights.reduce((said, weight, at) => said + weight * strengthOf(at), 0);
  return total === 0 ? 0 : sum / total;
}

/** A matcher that forgives typos in words that none of the passages has. */
function forgiving(question: Question, passages: readonly Passage[]): Matcher {
  const strict = createMatcher(question);
  const analyses = passages.map(({ text }) => analyzePassage(text));
  const found = new Set<number>();
  for (const { tokens } of analyses) {
    for (let i = 0; i < tokens.heads.length; i += 1) {
      if (!mayBe(strict.filter, tokens.heads[i] ?? 0)) continue;
      const match = strict.match(wordAt(tokens, i));
      for (const at of match?.exact ?? []) found.add(at);
      for (const at of match?.soft ?? []) found.add(at);
      for (const at of match?.lowered ?? []) found.add(at);
    }
  }
  const missing = question.terms.flatMap((_, at) => (found.has(at) ? [] : [at]));
  return forgiveTypos(question, missing, analyses, strict) ?? strict;
}

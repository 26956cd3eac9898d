import { askedOf } from '../question/asked.ts';
import type { Asked } from '../question/asked.ts';
import type { Question } from '../question/question.ts';
import type { Word } from '../analysis/words.ts';
import { createMatcher } from './matching.ts';
import { REPLY } from './weights.ts';

/** How strongly each of a question's terms is said, between 0 and 1. */
export type Strengths = Float64Array;

/** A question's words and their other words, and what they count. */
export interface Vocabulary {
  asked: Asked;
  none(): Strengths;
  /** Raises the terms that a word says; false when it says none. */
  mark(into: Strengths, word: Word): boolean;
  /** The share of what was asked that the strengths say. */
  share(strengthOf: (at: number) => number): number;
}

/** The vocabulary of a question. */
export function createVocabulary(question: Question): Vocabulary {
  const asked = askedOf(question);
  const { demands, aliases } = asked;
  const matcher = createMatcher(question);
  return {
    asked,
    none: () => new Float64Array(demands.length),
    mark(into, word) {
      const match = matcher.match(word);
      const others = aliases.get(word.lower);
      if (match === null && others === undefined) return false;
      raise(into, match?.exact, 1);
      raise(into, match?.lowered, 1);
      raise(into, match?.soft, REPLY.soft);
      raise(into, others, REPLY.alias);
      return true;
    },
    share: (strengthOf) => weighted(demands, strengthOf),
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

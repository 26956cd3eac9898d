import type { PassageAnalysis } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import { MEANING } from './weights.ts';
import { meanVector, product, wordVectors } from '../analysis/word-vectors.ts';
import type { WordVectors } from '../analysis/word-vectors.ts';
import { wordsOf } from '../analysis/words.ts';

/**
 * Tells for each sentence of a passage how near its words are in meaning to the question's: the
 * cosine of their mean word vectors, less the usual one; 0 for unknown.
 */
export type Meaning = (analysis: PassageAnalysis) => number[];

/**
 * Compares what sentences mean with what is asked. Null for a question that is not English, or of
 * whose words the table knows less than half: then meaning counts neither for nor against any.
 */
export function createMeaning(question: Question): Meaning | null {
  if (question.language !== 'en') return null;
  const { words } = wordsOf(question.text);
  const vectors = wordVectors();
  const rows = words.flatMap(({ lower }) => rowsOf(vectors, lower));
  const asked = meanVector(vectors, rows);
  const letters = words.filter(({ lower }) => /^\p{L}{3,}$/u.test(lower));
  if (asked === null || rows.length < MEANING.leastKnown * letters.length) return null;
  return (analysis) =>
    vectorsOf(vectors, analysis).map((vector) =>
      vector === null ? 0 : product(asked, vector) - MEANING.usual,
    );
}

type SentenceVector = Float32Array | null;
const kept = new WeakMap<PassageAnalysis, readonly SentenceVector[]>();

/** The mean vector of each sentence; null where the table knows none of its words. */
function vectorsOf(vectors: WordVectors, analysis: PassageAnalysis): readonly SentenceVector[] {
  const known = kept.get(analysis);
  if (known !== undefined) return known;
  const made = analysis.sentences.map(({ firstWord, endWord }) => {
    const words = analysis.tokens.words.slice(firstWord, endWord);
    return meanVector(
      vectors,
      words.flatMap(({ lower }) => rowsOf(vectors, lower)),
    );
  });
  kept.set(analysis, made);
  return made;
}

const NONE: readonly number[] = [];

/** The row of a word, or those of its parts: 'long-term' is in no table. */
function rowsOf({ rows }: WordVectors, lower: string): readonly number[] {
  const row = rows.get(lower);
  if (row !== undefined) return [row];
  const parts = lower.split(/['’\-/]/u);
  return parts.length === 1 ? NONE : parts.flatMap((part) => rows.get(part) ?? NONE);
}

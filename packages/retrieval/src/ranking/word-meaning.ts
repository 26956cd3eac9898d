import type { PassageAnalysis, Sentence } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Tokens } from '../analysis/tokens.ts';
import { MEANING } from './weights.ts';
import { meanVector, product, wordSimilarity, wordVectors } from '../analysis/word-vectors.ts';
import type { WordVectors } from '../analysis/word-vectors.ts';
import { termsOf, wordOf, wordsOf } from '../analysis/words.ts';

/** What speaks for a sentence that says in other words what the question asks; 0 for unknown. */
export interface MeaningFeatures {
  /** The cosine of the question's and the sentence's mean word vectors, less the usual one. */
  closeness: number;
  /** Share of the question's words that are not said but a word like them is, times its likeness. */
  akin: number;
}

/** A sentence as far as the table of word vectors knows it. */
interface KnownSentence {
  /** Its words, each once, but for frequent ones such as 'with': nothing is like them. */
  rows: Uint16Array;
  /** Their mean; null when there are none. */
  vector: Float32Array | null;
}

/** Tells what the sentences of a passage mean beside what they say. */
export type Meaning = (analysis: PassageAnalysis) => MeaningFeatures[];

const UNKNOWN: MeaningFeatures = { closeness: 0, akin: 0 };

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
  const akinTo = createAkin(vectors, question);
  return (analysis) =>
    knownSentences(vectors, analysis).map(({ rows: own, vector }) =>
      vector === null
        ? UNKNOWN
        : { closeness: product(asked, vector) - MEANING.usual, akin: akinTo(own) },
    );
}

const kept = new WeakMap<PassageAnalysis, readonly KnownSentence[]>();

function knownSentences(vectors: WordVectors, analysis: PassageAnalysis): readonly KnownSentence[] {
  const known = kept.get(analysis);
  if (known !== undefined) return known;
  const sentences = analysis.sentences.map((sentence): KnownSentence => {
    const rows = rowsIn(vectors, analysis.tokens, sentence);
    const telling = rows.filter((row) => (vectors.weights[row] ?? 0) >= MEANING.leastWeight);
    return { rows: Uint16Array.from(new Set(telling)), vector: meanVector(vectors, rows) };
  });
  kept.set(analysis, sentences);
  return sentences;
}

function rowsIn(
  vectors: WordVectors,
  { text, starts, ends }: Tokens,
  { firstWord, endWord }: Sentence,
): number[] {
  const found: number[] = [];
  for (let i = firstWord; i < endWord; i += 1) {
    found.push(...rowsOf(vectors, text.slice(starts[i], ends[i]).toLowerCase()));
  }
  return found;
}

const NONE: readonly number[] = [];

/** The row of a word, or those of its parts: 'long-term' is in no table. */
function rowsOf({ rows }: WordVectors, lower: string): readonly number[] {
  const row = rows.get(lower);
  if (row !== undefined) return [row];
  const parts = lower.split(/['’\-/]/u);
  return parts.length === 1 ? NONE : parts.flatMap((part) => rows.get(part) ?? NONE);
}

/** A word of the question that another may stand for. */
interface Wanted {
  row: number;
  /** Its share of the question. */
  share: number;
  variants: readonly string[];
}

/** More than any cosine: the word itself, and no other like it. */
const SAID = 2;

/** How like a word of the question a word is, -1 to 1; SAID when it is the same one. */
function likeness(vectors: WordVectors, row: number, { row: other, variants }: Wanted): number {
  const cosine = wordSimilarity(vectors, row, other);
  if (cosine < MEANING.leastLikeness) return 0;
  const [stem = ''] = termsOf(wordOf(vectors.words[row] ?? ''), 'en');
  return variants.includes(stem) ? SAID : cosine;
}

/** Tells how much of the question words alike say. Names have nothing like them. */
function createAkin(vectors: WordVectors, { terms }: Question): (rows: Uint16Array) => number {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const wanted = terms.flatMap(({ surface, weight, name, variants }): Wanted[] => {
    const row = name ? undefined : vectors.rows.get(surface.toLowerCase());
    return row === undefined ? [] : [{ row, share: weight / total, variants }];
  });
  // Likenesses of each word compared so far with all that are wanted, one word after the other.
  const compared = new Map<number, number>();
  const likenesses: number[] = [];
  const compare = (row: number): number => {
    const known = compared.get(row);
    if (known !== undefined) return known;
    const at = likenesses.length;
    for (const other of wanted) likenesses.push(likeness(vectors, row, other));
    compared.set(row, at);
    return at;
  };
  const best = wanted.map(() => 0);
  return (rows) => {
    best.fill(0);
    for (let i = 0; i < rows.length; i += 1) {
      const at = compare(rows[i] ?? 0);
      for (let j = 0; j < best.length; j += 1) {
        const own = likenesses[at + j] ?? 0;
        if (own > (best[j] ?? 0)) best[j] = own;
      }
    }
    let sum = 0;
    for (let j = 0; j < best.length; j += 1) {
      const most = best[j] ?? 0;
      if (most < SAID) sum += (wanted[j]?.share ?? 0) * most;
    }
    return sum;
  };
}

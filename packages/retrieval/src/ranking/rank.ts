import type { Span } from '../text/sentences.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { type Hits, matchPassages, strongest, termWeights } from './hits.ts';

export interface TermMatch {
  /** Share of the terms that it contains, each weighted by its rarity in the whole library. */
  share: number;
  terms: number;
  missingNames: number;
}

/** A score of a passage as a number from 0 to 1, as it is shown: a score of 5 is 0.5. */
export const scoreShare = (score: number): number => Math.max(0, score / (score + 5));

export interface RankedPassage extends Passage {
  /** Greater is better, at least 0. Comparable over all passages of one question. */
  score: number;
  scores: Record<string, number>;
  match: TermMatch;
  /** UTF-16 offsets in its text of its best sentences, best first. */
  sentences: Span[];
}

/** Features between 0 and 1. A share is of the question's terms, weighted by rarity. */
export interface PassageFeatures {
  /** The index's score divided by the best passage's. */
  index: number;
  coverage: number;
  /** Share that its best three neighbouring sentences contain, its headings and file name at 0.7. */
  window: number;
  context: number;
  /** Cosine of passage and question, scaled from the lowest one found to 1. */
  meaning: number;
  /** 1 for the user's own document where the question says 'I', 'my' or 'our'. */
  own: number;
  opening: number;
}

/**
 * Weights of a linear model, fitted as ListNet (Cao et al., ICML 2007) with all question sets counting
 * alike. `npm run quality -- ranking` fits them again. `meaning` was then chosen alone, so that the
 * others hold without an embedding model.
 */
export const WEIGHTS: Readonly<PassageFeatures> = {
  index: 6.3,
  coverage: 1.9,
  window: 2.9,
  context: 15.6,
  meaning: 13,
  own: 0.8,
  opening: 1.3,
};

const FEATURES = Object.keys(WEIGHTS) as (keyof PassageFeatures)[];

/**
 * Terms up to which a question asks for one fact. Beyond it some features count less, by
 * (terms / n) ** 1.5, and headings and file name more.
 */
const SHORT_QUESTION = 5;
const FOR_SHORT: ReadonlySet<string> = new Set(['coverage', 'window', 'opening']);
const FOR_LONG: ReadonlySet<string> = new Set(['context']);
const CONTEXT_SHARE = 0.7;
const WINDOW_RADIUS = 1;
const SENTENCES_KEPT = 6;

export interface RankOptions {
  /** Whether a file is the user's own document. Only asked where the question says 'my' or 'our'. */
  isOwn?: (artifactId: string) => boolean;
}

export function rankPassages(
  question: Question,
  passages: readonly Passage[],
  options: RankOptions = {},
): RankedPassage[] {
  return passageFeatures(question, passages, options)
    .map(({ passage, features, sentences, match }) => ({
      ...passage,
      match,
      score: scoreOf(features, question.terms.length),
      scores: { ...features },
      sentences,
    }))
    .sort((a, b) => b.score - a.score);
}

export function termsShare(feature: keyof PassageFeatures, terms: number): number {
  const short = Math.min(1, (SHORT_QUESTION / terms) ** 1.5);
  if (FOR_SHORT.has(feature)) return short;
  return FOR_LONG.has(feature) ? 1 - short : 1;
}

function scoreOf(features: PassageFeatures, terms: number): number {
  let sum = 0;
  for (const name of FEATURES) sum += WEIGHTS[name] * termsShare(name, terms) * features[name];
  return sum;
}

export interface FeaturedPassage extends Pick<RankedPassage, 'sentences' | 'match'> {
  passage: Passage;
  features: PassageFeatures;
}

export function passageFeatures(
  question: Question,
  passages: readonly Passage[],
  { isOwn = () => false }: RankOptions = {},
): FeaturedPassage[] {
  const hits = matchPassages(question, passages);
  const weights = termWeights(question, hits);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const shareOf = (strengths: ArrayLike<number>): number =>
    weights.reduce((sum, weight, term) => sum + weight * (strengths[term] ?? 0), 0) / total;
  const bestIndex = Math.max(...passages.map(({ score }) => score), 1e-9);
  const similarities = passages.flatMap(({ similarity }) => similarity ?? []);
  const lowest = Math.min(...similarities);
  return passages.map((passage, i) => {
    const hit = hits[i] as Hits;
    const { similarity = lowest } = passage;
    return {
      passage,
      match: termMatch(question, hit),
      features: {
        index: passage.score / bestIndex,
        coverage: shareOf(hit.whole),
        window: bestWindow(hit, shareOf),
        context: shareOf(hit.context),
        meaning: similarities.length > 0 && lowest < 1 ? (similarity - lowest) / (1 - lowest) : 0,
        own: Number(isOwn(passage.artifactId)),
        opening: Number(passage.ordinal === 0),
      },
      sentences: bestSentences(hit, shareOf),
    };
  });
}

/** Terms of less weight only say what kind of answer or which files are meant, or are parts of others. */
const LEAST_WEIGHT = 0.5;

function termMatch({ terms }: Question, { whole }: Hits): TermMatch {
  const weights = terms.map(({ weight, rarity }) => (weight < LEAST_WEIGHT ? 0 : weight * rarity));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const isIn = (at: number): boolean => (whole[at] ?? 0) >= 0.5;
  return {
    share: weights.reduce((sum, weight, at) => sum + weight * (whole[at] ?? 0), 0) / total,
    terms: weights.filter((weight, at) => weight > 0 && isIn(at)).length,
    missingNames: terms.filter(({ name }, at) => name && !isIn(at)).length,
  };
}

type ShareOf = (strengths: ArrayLike<number>) => number;

const NEIGHBOURS = 0.3;
const FULL = { words: 10, gain: 0.1 } as const;

function bestSentences({ analysis, sentences }: Hits, shareOf: ShareOf): Span[] {
  const shares = sentences.map(shareOf);
  const scored = analysis.sentences.map(({ start, end, firstWord, endWord }, at) => {
    const around = Math.max(shares[at - 1] ?? 0, shares[at + 1] ?? 0);
    const full = Math.min(1, (endWord - firstWord) / FULL.words);
    return { start, end, score: (shares[at] ?? 0) + NEIGHBOURS * around + FULL.gain * full };
  });
  return scored
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, SENTENCES_KEPT)
    .map(({ start, end }) => ({ start, end }));
}

function bestWindow({ sentences, context }: Hits, shareOf: ShareOf): number {
  const around = context.map((strength) => strength * CONTEXT_SHARE);
  const shares = sentences.map((_, middle) => {
    const near = sentences.slice(Math.max(0, middle - WINDOW_RADIUS), middle + WINDOW_RADIUS + 1);
    return shareOf(strongest([around, ...near]));
  });
  return Math.max(0, ...shares);
}

/** Text for comparing: two copies that differ in case, spacing or punctuation are the same. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

import type { Passage, Span } from '../types.ts';
import type { Question } from '../question/question.ts';
import { type Hits, matchPassages, strongest, termWeights } from './hits.ts';
import { anyWord, wholeWords } from '../languages/index.ts';

interface TermMatch {
  /** Weighted share of terms in the passage. */
  share: number;
  terms: number;
  missingNames: number;
}

/** A score as shown, from 0 to 1. A score of 5 is 0.5. */
export const scoreShare = (score: number): number => Math.max(0, score / (score + 5));

export interface RankedPassage extends Passage {
  /** At least 0, higher is better. Comparable within one question. */
  score: number;
  scores: Record<string, number>;
  match: TermMatch;
  /** Offsets of its best sentences, best first. */
  sentences: Span[];
}

/** Features from 0 to 1. Shares are of the question's terms, weighted by rarity. */
export interface PassageFeatures {
  /** Index score relative to the best passage. */
  index: number;
  coverage: number;
  window: number;
  context: number;
  /** Cosine with the question, scaled from the lowest found to 1. */
  meaning: number;
  /** 1 for an own document if the question says 'I', 'my' or 'our'. */
  own: number;
  opening: number;
}

/**
 * Weights of a linear model, fitted as ListNet (Cao et al., ICML 2007) with all question sets weighted equally. `npm run quality -- ranking` fits them again. `meaning` was then chosen alone, so that the
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
const MAX_SENTENCES = 6;

interface RankOptions {
  /** Whether a file is the user's own document. Only used if the question says 'my' or 'our'. */
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

/** Terms with less weight are kinds of answers, asides or parts of codes. */
const MIN_WEIGHT = 0.5;

function termMatch({ terms }: Question, { whole }: Hits): TermMatch {
  const weights = terms.map(({ weight, rarity }) => (weight < MIN_WEIGHT ? 0 : weight * rarity));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const isIn = (index: number): boolean => (whole[index] ?? 0) >= 0.5;
  return {
    share: weights.reduce((sum, weight, index) => sum + weight * (whole[index] ?? 0), 0) / total,
    terms: weights.filter((weight, index) => weight > 0 && isIn(index)).length,
    missingNames: terms.filter(({ name }, index) => name && !isIn(index)).length,
  };
}

type ShareOf = (strengths: ArrayLike<number>) => number;

const NEIGHBORS = 0.3;
const FULL = { words: 10, gain: 0.1 } as const;

function bestSentences({ analysis, sentences }: Hits, shareOf: ShareOf): Span[] {
  const shares = sentences.map(shareOf);
  const scored = analysis.sentences.map(({ start, end, firstWord, endWord }, index) => {
    const around = Math.max(shares[index - 1] ?? 0, shares[index + 1] ?? 0);
    const full = Math.min(1, (endWord - firstWord) / FULL.words);
    return { start, end, score: (shares[index] ?? 0) + NEIGHBORS * around + FULL.gain * full };
  });
  return scored
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, MAX_SENTENCES)
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

/** Text to compare regardless of case, spacing and punctuation. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * A logistic model of whether a passage answers a question. `npm run quality -- relevance` fits it
 * again and prints each library's figures when it is left out.
 */
const MODEL = { bias: -3.4, share: 2, terms: 1.75, missingName: -1.7, meaning: 1.6 } as const;

/** Minimum relevance of a found answer. A tenth of answerable questions is below. */
export const RELEVANCE_THRESHOLD = 0.31;

/** Probability that a passage answers the question. */
export function relevanceOf({ match, scores }: Pick<RankedPassage, 'match' | 'scores'>): number {
  const z =
    MODEL.bias +
    MODEL.share * match.share +
    MODEL.terms * Math.log(1 + match.terms) +
    MODEL.missingName * match.missingNames +
    MODEL.meaning * (scores['meaning'] ?? 0);
  return 1 / (1 + Math.exp(-z));
}

export const MAX_RERANKED = 30;

/**
 * Orders the best passages by a cross-encoder's logits (Nogueira and Cho, 'Passage Re-ranking with
 * BERT', 2019). The ranking's scores are assigned again in the new order.
 */
export function rerankPassages(
  ranked: readonly RankedPassage[],
  logits: readonly number[],
): RankedPassage[] {
  const reranked = logits
    .flatMap((logit, index) => {
      const passage = ranked[index];
      return passage ? [{ passage, logit }] : [];
    })
    .toSorted((a, b) => b.logit - a.logit)
    .map(({ passage, logit }, index) => ({
      ...passage,
      score: ranked[index]?.score ?? 0,
      scores: { ...passage.scores, reranker: 1 / (1 + Math.exp(-logit)) },
    }));
  return [...reranked, ...ranked.slice(reranked.length)];
}

/** Takes the first of each list, then the second, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** Interleaves the passages of several searches without duplicates. */
export function mergePassages<T extends { artifactId: string; start: number }>(
  lists: readonly (readonly T[])[],
): T[] {
  const byPlace = Map.groupBy(
    interleave(lists),
    ({ artifactId, start }) => `${artifactId}:${start}`,
  );
  return [...byPlace.values()].flatMap(([first]) => first ?? []);
}

/** Web pages and books were written by others, like manuals. */
const PUBLISHED = /\.(?:html?|epub)$/iu;

export const isOwnDocument = ({
  kind,
  fileName,
}: {
  kind: string | null;
  fileName: string;
}): boolean => kind !== 'manual' && !PUBLISHED.test(fileName);

/** 'I', 'my', 'our' in all languages, because one word does not identify the language. */
const FIRST_PERSON = new RegExp(wholeWords(anyWord(({ firstPerson }) => firstPerson)), 'iu');

export const hasFirstPerson = ({ text }: Pick<Question, 'text'>): boolean =>
  FIRST_PERSON.test(text);

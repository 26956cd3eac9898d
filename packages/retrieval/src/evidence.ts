import { hasAnswerOfType } from './answer-types.ts';
import { mayBe } from './heads.ts';
import { createMatcher, forgiveTypos } from './matching.ts';
import type { Matcher } from './matching.ts';
import { analyzePassage } from './passage-analysis.ts';
import type { PassageAnalysis, Sentence } from './passage-analysis.ts';
import type { Question } from './question.ts';
import { wordAt } from './tokens.ts';
import type { Passage } from './types.ts';
import { MATCHING } from './weights.ts';
import { wordsOf } from './words.ts';

/** What speaks for one sentence as the answer; all shares are between 0 and 1. */
export interface SentenceFeatures {
  /** Share of the question's weight that the sentence itself names. */
  coverage: number;
  /** … the sentence and its file name and headings. */
  inContext: number;
  /** … these and the sentences before and after. */
  nearby: number;
  /** Share of the question's neighbouring words that stand side by side. */
  adjacent: number;
  /** Share of the phrases in quotation marks that stand in it letter for letter. */
  phrases: number;
  /** 1 when something of the asked kind is in it, 0 when not, 0.5 when the kind is open. */
  type: number;
  /** 0 for a sentence of a few words, rising to 1. */
  substance: number;
  /** The index's score as a share of the best one's. */
  index: number;
  /** Share of the names and numbers among the question's words that are nowhere near. */
  missingNames: number;
}

/** A passage with the evidence of each of its sentences. */
export interface PassageEvidence {
  passage: Passage;
  analysis: PassageAnalysis;
  features: SentenceFeatures[];
  /** What speaks for the passage when it has no sentence: its file name and headings alone. */
  bare: SentenceFeatures;
}

interface Hits {
  analysis: PassageAnalysis;
  /** Strength of each term in each sentence: `cover[sentence * terms + term]`. */
  cover: Float64Array;
  /** Strength of each term in the file name and headings. */
  context: Float64Array;
  /** Strength of each term in the passage, its context included. */
  whole: Float64Array;
  /** Positions of the words that are a term letter for stem, in pairs: word, term. */
  exact: number[];
}

/** How the question's words weigh in the passages handed in, and where each stands. */
export interface EvidenceSet {
  items: PassageEvidence[];
  /** Weight of each of the question's terms, rarity included. */
  weights: Float64Array;
}

/** Gathers, for every sentence of every passage, what speaks for it. */
export function gatherEvidence(question: Question, passages: readonly Passage[]): EvidenceSet {
  const { matcher, hits } = matchPassages(question, passages);
  const weights = termWeights(question, hits);
  const bestScore = passages.reduce((best, { score }) => Math.max(best, score), 0) || 1;
  const items = passages.map((passage, i): PassageEvidence => {
    const hit = hits[i];
    if (hit === undefined) throw new Error('Every passage has its hits.');
    const index = passage.score / bestScore;
    const features = sentenceFeatures(question, passage, hit, weights, index, matcher);
    const bare = bareFeatures(hit, weights, index);
    return { passage, analysis: hit.analysis, features, bare };
  });
  return { items, weights };
}

function matchPassages(
  question: Question,
  passages: readonly Passage[],
): { matcher: Matcher; hits: Hits[] } {
  const strict = createMatcher(question);
  const hits = passages.map((passage) => findHits(question, passage, strict));
  const missing = question.terms.flatMap((_, at) =>
    hits.every(({ whole }) => whole[at] === 0) ? [at] : [],
  );
  const analyses = hits.map(({ analysis }) => analysis);
  const forgiving = forgiveTypos(question, missing, analyses, strict);
  if (forgiving === null) return { matcher: strict, hits };
  return {
    matcher: forgiving,
    hits: passages.map((passage) => findHits(question, passage, forgiving)),
  };
}

const NONE: readonly number[] = [];
function findHits(question: Question, passage: Passage, matcher: Matcher): Hits {
  const analysis = analyzePassage(passage.text);
  const { heads } = analysis.tokens;
  const count = question.terms.length;
  const cover = new Float64Array(analysis.sentences.length * count);
  const context = contextHits(passage, count, matcher);
  const whole = Float64Array.from(context);
  const exact: number[] = [];
  analysis.sentences.forEach((sentence, s) => {
    for (let i = sentence.firstWord; i < sentence.endWord; i += 1) {
      if (!mayBe(matcher.filter, heads[i] ?? 0)) continue;
      const match = matcher.match(wordAt(analysis.tokens, i));
      if (match === null) continue;
      const isTerm = (term: number): void => {
        cover[s * count + term] = 1;
        whole[term] = 1;
        exact.push(i, term);
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
  return { analysis, cover, context, whole, exact };
}

function contextHits(passage: Passage, count: number, matcher: Matcher): Float64Array {
  const context = new Float64Array(count);
  for (const line of [passage.fileName, ...passage.headings]) {
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
function termWeights(question: Question, hits: readonly Hits[]): Float64Array {
  return Float64Array.from(question.terms, ({ weight }, term) => {
    let frequency = 0;
    for (const { whole } of hits) frequency += whole[term] ?? 0;
    return weight * Math.log(1 + (hits.length + 1) / (frequency + MATCHING.rarityFloor));
  });
}

/** The weighted share of the question's terms, each counted by its strength. */
function share(weights: Float64Array, strengthOf: (term: number) => number): number {
  let sum = 0;
  let total = 0;
  for (let term = 0; term < weights.length; term += 1) {
    const weight = weights[term] ?? 0;
    total += weight;
    sum += weight * strengthOf(term);
  }
  return total === 0 ? 0 : sum / total;
}

function bareFeatures({ context }: Hits, weights: Float64Array, index: number): SentenceFeatures {
  const title = share(weights, (term) => context[term] ?? 0);
  return {
    coverage: 0,
    inContext: title,
    nearby: title,
    adjacent: 0,
    phrases: 0,
    type: 0,
    substance: 0,
    index,
    missingNames: 0,
  };
}

function sentenceFeatures(
  question: Question,
  passage: Passage,
  { analysis, cover, context, exact }: Hits,
  weights: Float64Array,
  index: number,
  matcher: Matcher,
): SentenceFeatures[] {
  const count = weights.length;
  const { sentences } = analysis;
  const names = weights.map((weight, term) => (question.terms[term]?.name === true ? weight : 0));
  const phrases = question.phrases.map((phrase) => phrase.toLowerCase());
  const adjacency = adjacentPairs(question, analysis, exact, weights);
  const at = (s: number, term: number): number =>
    s < 0 || s >= sentences.length ? 0 : (cover[s * count + term] ?? 0);
  return sentences.map((sentence, s) => {
    const typed = hasAnswerOfType(question.type, analysis, sentence, matcher);
    const near = (term: number): number =>
      Math.max(at(s, term), context[term] ?? 0, at(s - 1, term), at(s + 1, term));
    return {
      coverage: share(weights, (term) => at(s, term)),
      inContext: share(weights, (term) => Math.max(at(s, term), context[term] ?? 0)),
      nearby: share(weights, near),
      adjacent: adjacency[s] ?? 0,
      phrases: phraseShare(phrases, passage.text, sentence),
      type: typed === null ? 0.5 : Number(typed),
      substance: Math.min(1, (sentence.endWord - sentence.firstWord) / MATCHING.fullSentence),
      index,
      missingNames: share(names, (term) => 1 - near(term)),
    };
  });
}

function phraseShare(phrases: readonly string[], text: string, sentence: Sentence): number {
  if (phrases.length === 0) return 0;
  const said = text.slice(sentence.start, sentence.end).toLowerCase().replace(/\s+/gu, ' ');
  return phrases.filter((phrase) => said.includes(phrase)).length / phrases.length;
}

/** For each sentence, the weighted share of the question's pairs that stand at most a word apart. */
function adjacentPairs(
  question: Question,
  analysis: PassageAnalysis,
  exact: readonly number[],
  weights: Float64Array,
): Float64Array {
  const result = new Float64Array(analysis.sentences.length);
  if (question.pairs.length === 0) return result;
  const pairWeight = ([a, b]: [number, number]): number => (weights[a] ?? 0) + (weights[b] ?? 0);
  const total = question.pairs.reduce((sum, pair) => sum + pairWeight(pair), 0) || 1;
  let hit = 0;
  analysis.sentences.forEach((sentence, s) => {
    const from = hit;
    while (hit < exact.length && (exact[hit] ?? 0) < sentence.endWord) hit += 2;
    for (const pair of question.pairs) {
      if (standTogether(exact, from, hit, pair))
        result[s] = (result[s] ?? 0) + pairWeight(pair) / total;
    }
  });
  return result;
}

function standTogether(
  exact: readonly number[],
  from: number,
  to: number,
  [a, b]: [number, number],
): boolean {
  for (let i = from; i < to; i += 2) {
    if (exact[i + 1] !== a) continue;
    for (let j = from; j < to; j += 2) {
      if (exact[j + 1] !== b) continue;
      const distance = (exact[j] ?? 0) - (exact[i] ?? 0);
      if (distance > 0 ? distance <= MATCHING.pairDistance : -distance <= 1 && distance !== 0)
        return true;
    }
  }
  return false;
}

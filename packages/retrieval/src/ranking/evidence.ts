import { answerIn } from '../question/answer-types.ts';
import { matchPassages, termWeights } from './hits.ts';
import type { Hits } from './hits.ts';
import type { Matcher } from './matching.ts';
import type { PassageAnalysis, Sentence } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { MATCHING } from './weights.ts';

/** What speaks for one sentence as the answer; all but counts and ranks are between 0 and 1. */
export interface SentenceFeatures {
  /** Share of the question's weight that the sentence itself names. */
  coverage: number;
  /** … the sentence and its file name and headings. */
  inContext: number;
  /** … these and the sentences before and after. */
  nearby: number;
  /** … the sentence and, a little less, the one before: 'it' and 'they' stand for words there. */
  before: number;
  /** … the best of the passage's other sentences. */
  others: number;
  /** … the passage with its file name and headings. */
  whole: number;
  /** Share of the question's words that are no names. */
  plain: number;
  /** How many of the question's words stand in it letter for stem. */
  named: number;
  /** Share of the question's words that follow one another as they do in the question. */
  order: number;
  /** Share of the question's neighbouring words that stand side by side. */
  adjacent: number;
  /** Share of the phrases in quotation marks that stand in it letter for letter. */
  phrases: number;
  /** 1 when something of the asked kind is in it, 0 when not, 0.5 when the kind is open. */
  type: number;
  /** How near that stands to a word of the question: 1 / (1 + words between). */
  nearness: number;
  /** 0 for a sentence of a few words, rising to 1. */
  substance: number;
  /** The index's score as a share of the best one's. */
  index: number;
  /** ln(1 + the passage's place in the index's order, counted from 0). */
  rank: number;
  /** Share of the names and numbers among the question's words that are nowhere near. */
  missingNames: number;
  /** How near its words are in meaning to the question's; see MeaningFeatures. */
  closeness: number;
  /** Share of the question that only words alike say; see MeaningFeatures. */
  akin: number;
}

/** A passage with the evidence of each of its sentences. */
export interface PassageEvidence {
  passage: Passage;
  analysis: PassageAnalysis;
  features: SentenceFeatures[];
  /** What speaks for the passage when it has no sentence: its file name and headings alone. */
  bare: SentenceFeatures;
}

/** What all sentences of a question are judged by. */
interface Judging {
  question: Question;
  matcher: Matcher;
  /** Weight of each of the question's terms, rarity included. */
  weights: Float64Array;
  /** Their sum. */
  total: number;
  names: number;
  plain: number;
  pairs: number;
  phrases: readonly string[];
}

/** Where a passage stands in the index's order. */
type Standing = Pick<SentenceFeatures, 'index' | 'rank'>;

/** Gathers, for every sentence of every passage, what speaks for it. */
export function gatherEvidence(
  question: Question,
  passages: readonly Passage[],
): PassageEvidence[] {
  const { matcher, hits } = matchPassages(question, passages);
  const judging = judgingOf(question, matcher, termWeights(question, hits));
  const scores = passages.map(({ score }) => score).sort((a, b) => b - a);
  const best = Math.max(scores[0] ?? 0, 0) || 1;
  return passages.map((passage, i): PassageEvidence => {
    const hit = hits[i];
    if (hit === undefined) throw new Error('Every passage has its hits.');
    const standing = {
      index: passage.score / best,
      rank: Math.log(1 + scores.indexOf(passage.score)),
    };
    const features = sentenceFeatures(judging, passage, hit, standing);
    return {
      passage,
      analysis: hit.analysis,
      features,
      bare: bareFeatures(judging, hit, standing),
    };
  });
}

function judgingOf(question: Question, matcher: Matcher, weights: Float64Array): Judging {
  let total = 0;
  let names = 0;
  weights.forEach((weight, term) => {
    total += weight;
    if (question.terms[term]?.name === true) names += weight;
  });
  const pairs = question.pairs.reduce(
    (sum, [a, b]) => sum + (weights[a] ?? 0) + (weights[b] ?? 0),
    0,
  );
  const phrases = question.phrases.map((phrase) => phrase.toLowerCase());
  return { question, matcher, weights, total, names, plain: total - names, pairs, phrases };
}

const NOTHING: SentenceFeatures = {
  coverage: 0,
  inContext: 0,
  nearby: 0,
  before: 0,
  others: 0,
  whole: 0,
  plain: 0,
  named: 0,
  order: 0,
  adjacent: 0,
  phrases: 0,
  type: 0,
  nearness: 0,
  substance: 0,
  index: 0,
  rank: 0,
  missingNames: 0,
  closeness: 0,
  akin: 0,
};

const part = (sum: number, total: number): number => (total === 0 ? 0 : sum / total);

function bareFeatures(
  { weights, total }: Judging,
  { context, whole }: Hits,
  standing: Standing,
): SentenceFeatures {
  const shareOf = (strengths: Float64Array): number =>
    part(
      weights.reduce((sum, weight, term) => sum + weight * (strengths[term] ?? 0), 0),
      total,
    );
  const title = shareOf(context);
  return { ...NOTHING, ...standing, inContext: title, nearby: title, whole: shareOf(whole) };
}

function sentenceFeatures(
  judging: Judging,
  passage: Passage,
  hits: Hits,
  standing: Standing,
): SentenceFeatures[] {
  const { sentences } = hits.analysis;
  const { whole } = bareFeatures(judging, hits, standing);
  let hit = 0;
  const features = sentences.map((sentence, s): SentenceFeatures => {
    const from = hit;
    while (hit < hits.exact.length && (hits.exact[hit] ?? 0) < sentence.endWord) hit += 2;
    const found = hits.exact.slice(from, hit);
    return {
      ...NOTHING,
      ...standing,
      whole,
      ...shares(judging, hits, s),
      ...togetherness(judging, found),
      ...answerIn(judging.question.type, hits.analysis, sentence, judging.matcher, found),
      phrases: phraseShare(judging.phrases, passage.text, sentence),
      substance: Math.min(1, (sentence.endWord - sentence.firstWord) / MATCHING.fullSentence),
    };
  });
  addOthers(features);
  return features;
}

type Shares = Pick<
  SentenceFeatures,
  'coverage' | 'inContext' | 'nearby' | 'before' | 'plain' | 'named' | 'missingNames'
>;

/** The weighted shares of the question's terms, each counted by its strength. */
function shares(
  { question, weights, total, names, plain }: Judging,
  { analysis, cover, context }: Hits,
  s: number,
): Shares {
  const count = weights.length;
  const own = s * count;
  const last = analysis.sentences.length - 1;
  // What stands in the row above is said of something else.
  const carried = analysis.sentences[s]?.kind === 'prose' ? MATCHING.before : 0;
  const sums = { coverage: 0, inContext: 0, nearby: 0, before: 0, plain: 0, missing: 0, named: 0 };
  for (let term = 0; term < count; term += 1) {
    const weight = weights[term] ?? 0;
    const here = cover[own + term] ?? 0;
    const back = s > 0 ? (cover[own - count + term] ?? 0) : 0;
    const next = s < last ? (cover[own + count + term] ?? 0) : 0;
    const around = Math.max(here, context[term] ?? 0);
    const near = Math.max(around, back, next);
    const isName = question.terms[term]?.name === true;
    sums.coverage += weight * here;
    sums.inContext += weight * around;
    sums.nearby += weight * near;
    sums.before += weight * Math.max(here, carried * back);
    if (isName) sums.missing += weight * (1 - near);
    else sums.plain += weight * here;
    if (here === 1) sums.named += 1;
  }
  return {
    coverage: part(sums.coverage, total),
    inContext: part(sums.inContext, total),
    nearby: part(sums.nearby, total),
    before: part(sums.before, total),
    plain: part(sums.plain, plain),
    named: sums.named,
    missingNames: part(sums.missing, names),
  };
}

/** How far the words found, in pairs of word and term, stand as they do in the question. */
function togetherness(
  { question, weights, pairs }: Judging,
  found: readonly number[],
): Pick<SentenceFeatures, 'adjacent' | 'order'> {
  if (found.length < 4)
    return {
      adjacent: 0,
      order: question.terms.length === 0 ? 0 : found.length / 2 / question.terms.length,
    };
  let adjacent = 0;
  for (const pair of question.pairs) {
    if (standTogether(found, pair)) adjacent += (weights[pair[0]] ?? 0) + (weights[pair[1]] ?? 0);
  }
  return { adjacent: part(adjacent, pairs), order: longestRise(found) / question.terms.length };
}

function standTogether(found: readonly number[], [a, b]: [number, number]): boolean {
  for (let i = 0; i < found.length; i += 2) {
    if (found[i + 1] !== a) continue;
    for (let j = 0; j < found.length; j += 2) {
      if (found[j + 1] !== b) continue;
      const distance = (found[j] ?? 0) - (found[i] ?? 0);
      if (distance > 0 ? distance <= MATCHING.pairDistance : -distance <= 1 && distance !== 0)
        return true;
    }
  }
  return false;
}

/** The longest row of terms, each counted where it is first found, that rises as in the question. */
function longestRise(found: readonly number[]): number {
  const terms: number[] = [];
  for (let i = 1; i < found.length; i += 2) {
    const term = found[i] ?? 0;
    if (!terms.includes(term)) terms.push(term);
  }
  const lengths: number[] = [];
  terms.forEach((term, i) => {
    let length = 1;
    for (let j = 0; j < i; j += 1) {
      if ((terms[j] ?? 0) < term) length = Math.max(length, (lengths[j] ?? 0) + 1);
    }
    lengths.push(length);
  });
  return Math.max(0, ...lengths);
}

function phraseShare(phrases: readonly string[], text: string, sentence: Sentence): number {
  if (phrases.length === 0) return 0;
  const said = text.slice(sentence.start, sentence.end).toLowerCase().replace(/\s+/gu, ' ');
  return phrases.filter((phrase) => said.includes(phrase)).length / phrases.length;
}

/** Tells each sentence how much the others name. */
function addOthers(features: SentenceFeatures[]): void {
  let best = 0;
  let second = 0;
  for (const { coverage } of features) {
    if (coverage > best) [best, second] = [coverage, best];
    else if (coverage > second) second = coverage;
  }
  features.forEach((feature) => {
    feature.others = feature.coverage === best ? second : best;
  });
}

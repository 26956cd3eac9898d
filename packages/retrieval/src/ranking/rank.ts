import { gatherEvidence } from './evidence.ts';
import type { PassageEvidence, SentenceFeatures } from './evidence.ts';
import type { Sentence } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { LONG_QUESTION, LONG_QUESTION_PASSAGES, MEANING, PASSAGES, SENTENCES } from './weights.ts';
import { createMeaning } from './word-meaning.ts';

/** A sentence of a passage with what it is worth as the answer. */
export interface RankedSentence {
  /** Offsets in the passage's text. */
  start: number;
  end: number;
  kind: Sentence['kind'];
  /** Comparable over all sentences of one question. */
  score: number;
  features: SentenceFeatures;
}

/** A passage after rescoring. */
export interface RankedPassage extends Passage {
  /** Greater is better, at least 0; comparable over all passages of one question. */
  score: number;
  /** What the score is made of, the index's own score as `index`. */
  scores: Record<string, number>;
  /** Its best sentences, best first. */
  sentences: RankedSentence[];
}

export interface RankOptions {
  /** Sentences kept of each passage. */
  sentences?: number;
}

const SENTENCES_KEPT = 6;

/**
 * Orders what the index found by how well single sentences answer the question, best first. The
 * idea is Tellex et al. (SIGIR 2003, 'Quantitative evaluation of passage retrieval algorithms'):
 * passages are told apart by how densely they hold the question's rare words. A passage that says
 * the same as two others before it, word for word, is put behind those that say something else.
 */
export function rankPassages(
  question: Question,
  passages: readonly Passage[],
  options: RankOptions = {},
): RankedPassage[] {
  const kept = options.sentences ?? SENTENCES_KEPT;
  const ranked = weighEvidence(question, passages, kept).map((weighed) => weighed.ranked);
  return demoteRepeats(ranked.sort(byScore));
}

/** A passage with its evidence and what that makes of it. */
interface WeighedPassage {
  item: PassageEvidence;
  ranked: RankedPassage;
}

/**
 * The evidence of all passages, in the order they are handed in; that of meaning, which takes longer
 * to gather than that of words, only for those that are best by their words.
 *
 * @param kept sentences kept of each passage
 */
export function weighEvidence(
  question: Question,
  passages: readonly Passage[],
  kept = SENTENCES_KEPT,
): WeighedPassage[] {
  const mass = questionMass(question);
  const weighed = gatherEvidence(question, passages).map((item): WeighedPassage => ({
    item,
    ranked: rankOne(item, mass, kept),
  }));
  const meaningOf = createMeaning(question);
  if (meaningOf === null) return weighed;
  const best = weighed.toSorted((a, b) => byScore(a.ranked, b.ranked));
  for (const one of best.slice(0, MEANING.passages)) {
    meaningOf(one.item.analysis).forEach((meaning, i) => {
      const own = one.item.features[i];
      if (own !== undefined) Object.assign(own, meaning);
    });
    one.ranked = rankOne(one.item, mass, kept);
  }
  return weighed;
}

/** The question's weight in words. */
export function questionMass({ terms }: Question): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
}

const byScore = (a: RankedPassage, b: RankedPassage): number => b.score - a.score;

const SENTENCE_WEIGHTS = Object.entries(SENTENCES) as [keyof typeof SENTENCES, number][];
const PASSAGE_WEIGHTS = Object.entries(PASSAGES) as [keyof typeof PASSAGES, number][];

/** The weighted sum of a sentence's evidence. */
function sentenceScore(features: SentenceFeatures, mass: number): number {
  let score = 0;
  for (const [name, weight] of SENTENCE_WEIGHTS) {
    score += weight * (name === 'indexByMass' ? features.index * mass : features[name]);
  }
  return score;
}

/** What speaks for a passage, beyond its sentences one by one. */
export interface PassageFeatures {
  /** The score of its best sentence. */
  best: number;
  /** … of all together: ln Σ exp(score). */
  all: number;
  /** See SentenceFeatures. */
  index: number;
  rank: number;
  whole: number;
  /** The most that any of its sentences has of it; see SentenceFeatures. */
  adjacent: number;
  order: number;
  nearness: number;
  coverage: number;
  /** The mean of their coverage. */
  mean: number;
  /** The index's score itself for each word of the question. */
  scoreByMass: number;
}

/** 0 for a question that one sentence may answer, rising to 1 for one that describes a subject. */
export function lengthOf(mass: number): number {
  return Math.min(
    1,
    Math.max(0, (mass - LONG_QUESTION.from) / (LONG_QUESTION.to - LONG_QUESTION.from)),
  );
}

/**
 * What speaks for a passage whose sentences have these scores and features, best first.
 *
 * @param score the index's
 */
export function passageFeatures(
  sentences: readonly Pick<RankedSentence, 'score' | 'features'>[],
  mass: number,
  score: number,
): PassageFeatures {
  const best = sentences[0];
  if (best === undefined) throw new Error('A passage is judged by a sentence at least.');
  const { index, rank, whole } = best.features;
  const result: PassageFeatures = {
    best: best.score,
    all: 0,
    index,
    rank,
    whole,
    adjacent: 0,
    order: 0,
    nearness: 0,
    coverage: 0,
    mean: 0,
    scoreByMass: score / mass,
  };
  for (const { score, features } of sentences) {
    result.all += Math.exp(score - best.score);
    result.mean += features.coverage / sentences.length;
    result.coverage = Math.max(result.coverage, features.coverage);

    result.adjacent = Math.max(result.adjacent, features.adjacent);
    result.order = Math.max(result.order, features.order);
    result.nearness = Math.max(result.nearness, features.nearness);
  }
  result.all = best.score + Math.log(result.all);
  return result;
}

/** A passage's sentences, best first; what its file name and headings say where it has none. */
export function rankSentences(
  { analysis, features }: PassageEvidence,
  mass: number,
): RankedSentence[] {
  const sentences = analysis.sentences.flatMap(({ start, end, kind }, i): RankedSentence[] => {
    const own = features[i];
    return own === undefined
      ? []
      : [{ start, end, kind, score: sentenceScore(own, mass), features: own }];
  });
  return sentences.sort((a, b) => b.score - a.score || a.start - b.start);
}

function rankOne(item: PassageEvidence, mass: number, kept: number): RankedPassage {
  const { passage, bare } = item;
  const sentences = rankSentences(item, mass);
  const judged =
    sentences.length > 0 ? sentences : [{ score: sentenceScore(bare, mass), features: bare }];
  const features = passageFeatures(judged, mass, passage.score);
  const best = judged[0]?.features ?? bare;
  let score = 0;
  const length = lengthOf(mass);
  for (const [name, weight] of PASSAGE_WEIGHTS) {
    score += (weight + length * LONG_QUESTION_PASSAGES[name]) * features[name];
  }
  return {
    ...passage,
    score: Math.max(0, score),
    scores: {
      index: passage.score,
      coverage: best.coverage,
      nearby: best.nearby,
      adjacent: best.adjacent,
      answerType: best.type,
    },
    sentences: sentences.slice(0, kept),
  };
}

/** The most passages whose best sentence reads the same, before others come first. */
const MAX_REPEATS = 2;
const REPEAT_SHARE = 0.5;

function demoteRepeats(ranked: readonly RankedPassage[]): RankedPassage[] {
  const beginnings = ranked.map((passage) => bestText(passage, BEGINNING).slice(0, BEGINNING / 4));
  const alike = new Map<string, number>();
  for (const key of beginnings) alike.set(key, (alike.get(key) ?? 0) + 1);
  const seen = new Map<string, number>();
  let demoted = false;
  const result = ranked.map((passage, i) => {
    // Hardly any sentences begin alike: the others need not be read to their ends.
    if ((alike.get(beginnings[i] ?? '') ?? 0) <= MAX_REPEATS) return passage;
    const key = bestText(passage);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (key === '' || count <= MAX_REPEATS) return passage;
    demoted = true;
    return { ...passage, score: passage.score * REPEAT_SHARE };
  });
  return demoted ? result.sort(byScore) : result;
}

/** Units of a sentence's beginning; a quarter of it is compared, as copies differ in spacing. */
const BEGINNING = 80;

function bestText({ text, sentences }: RankedPassage, length = Infinity): string {
  const best = sentences[0];
  if (best === undefined) return '';
  return plainText(text.slice(best.start, Math.min(best.end, best.start + length)));
}

/** Text for comparing: two copies of a sentence that differ in case or spacing are the same. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

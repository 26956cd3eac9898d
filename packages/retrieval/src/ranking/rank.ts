import { addMeaning, gatherEvidence } from './evidence.ts';
import type { PassageEvidence, SentenceFeatures } from './evidence.ts';
import type { Sentence } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { LONG_QUESTION, MEANING, PASSAGES, SENTENCES } from './weights.ts';

/** A sentence of a passage with what it is worth as the answer. */
export interface RankedSentence {
  /** Offsets in the passage's text. */
  start: number;
  end: number;
  kind: Sentence['kind'];
  /** Comparable over all sentences of one question. */
  score: number;
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

/** Sentences kept of each passage. */
const SENTENCES_KEPT = 6;

/**
 * Orders what the index found by how well single sentences answer the question, best first. The
 * idea is Tellex et al. (SIGIR 2003, 'Quantitative evaluation of passage retrieval algorithms'):
 * passages are told apart by how densely they hold the question's rare words. A passage that says
 * the same as two others before it, word for word, is put behind those that say something else.
 */
export function rankPassages(question: Question, passages: readonly Passage[]): RankedPassage[] {
  const mass = questionMass(question);
  const ranked = weighEvidence(question, passages).map((one) => rankOne(one, mass));
  return demoteRepeats(ranked.sort(byScore));
}

/**
 * The evidence of all passages; that of meaning, which takes longer to gather than that of words,
 * only for those that are best by their words.
 */
export function weighEvidence(question: Question, passages: readonly Passage[]): PassageEvidence[] {
  const mass = questionMass(question);
  const evidence = gatherEvidence(question, passages);
  const best = evidence
    .map((one) => ({ one, score: passageScore(passageFeatures(one, mass)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MEANING.passages);
  addMeaning(
    question,
    best.map(({ one }) => one),
  );
  return evidence;
}

/** The question's weight in words. */
export function questionMass({ terms }: Question): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
}

const byScore = (a: { score: number }, b: { score: number }): number => b.score - a.score;

export type SentenceWeights = Readonly<Record<keyof SentenceFeatures, number>>;

function sentenceScore(features: SentenceFeatures, weights: SentenceWeights): number {
  const { said, type, closeness, index } = weights;
  return (
    said * features.said +
    type * features.type +
    closeness * features.closeness +
    index * features.index
  );
}

/** What speaks for a passage. */
export interface PassageFeatures {
  /** The index's score. */
  index: number;
  /** Its sentences' scores together, ln Σ exp(score), less for a long question. */
  sentences: number;
  /** Share of the question that file name and headings say, for a long question. */
  context: number;
}

/** What speaks for a passage whose sentences are worth what these weights make of them. */
export function passageFeatures(
  { passage, features, context }: Pick<PassageEvidence, 'passage' | 'features' | 'context'>,
  mass: number,
  weights: SentenceWeights = SENTENCES,
): PassageFeatures {
  const bare: SentenceFeatures = { said: 0, type: 0, closeness: 0, index: passage.score };
  const scores = (features.length > 0 ? features : [bare]).map((own) =>
    sentenceScore(own, weights),
  );
  const best = Math.max(...scores);
  const sum = scores.reduce((all, score) => all + Math.exp(score - best), 0);
  const { from, to, power } = LONG_QUESTION;
  return {
    index: passage.score,
    sentences: Math.min(1, from / mass) ** power * (best + Math.log(sum)),
    context: Math.min(1, Math.max(0, (mass - from) / (to - from))) * context,
  };
}

const passageScore = ({ index, sentences, context }: PassageFeatures): number =>
  PASSAGES.index * index + PASSAGES.sentences * sentences + PASSAGES.context * context;

function rankOne(evidence: PassageEvidence, mass: number): RankedPassage {
  const { passage, analysis } = evidence;
  const sentences = analysis.sentences
    .flatMap(({ start, end, kind }, i) => {
      const features = evidence.features[i];
      return features === undefined
        ? []
        : [{ start, end, kind, score: sentenceScore(features, SENTENCES), features }];
    })
    .sort((a, b) => b.score - a.score || a.start - b.start);
  const best = sentences[0]?.features;
  return {
    ...passage,
    score: Math.max(0, passageScore(passageFeatures(evidence, mass))),
    scores: {
      index: passage.score,
      coverage: best?.said ?? 0,
      context: evidence.context,
      answerType: best?.type ?? 0,
    },
    sentences: sentences
      .slice(0, SENTENCES_KEPT)
      .map(({ start, end, kind, score }) => ({ start, end, kind, score })),
  };
}

/** The most passages whose best sentence reads the same, before others come first. */
const MAX_REPEATS = 2;
const REPEAT_SHARE = 0.5;

function demoteRepeats(ranked: readonly RankedPassage[]): RankedPassage[] {
  const seen = new Map<string, number>();
  return ranked
    .map((passage) => {
      const key = bestText(passage);
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      const repeats = key !== '' && count > MAX_REPEATS;
      return repeats ? { ...passage, score: passage.score * REPEAT_SHARE } : passage;
    })
    .sort(byScore);
}

function bestText({ text, sentences: [best] }: RankedPassage): string {
  return best === undefined ? '' : plainText(text.slice(best.start, best.end));
}

/** Text for comparing: two copies of a sentence that differ in case or spacing are the same. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

import { meaningEvidence } from '../ranking/blend.ts';
import type { Question } from '../question/question.ts';
import { candidatesOf } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { questionMass } from '../ranking/rank.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import { CONFIDENCE, CONFIDENCE_WEIGHTS } from '../ranking/weights.ts';

/** Passages the index hands over at most; with fewer of them the library has no more. */
const USUAL_LIMIT = 50;

/**
 * How likely it is that the files answer a question, between 0 and 1: a logistic model over the
 * evidence of the best sentence.
 *
 * @param librarySize chunks in the library; without it, guessed from how many passages were found.
 *   In a large library more is found by accident, so more is asked of an answer.
 */
export function answerConfidence(
  question: Question,
  ranked: readonly RankedPassage[],
  librarySize: number = guessLibrarySize(ranked.length),
): number {
  return confidenceIn(question, candidatesOf(question, ranked)[0], librarySize);
}

/** What speaks for a question being answered by the files; each is multiplied by its weight. */
export interface ConfidenceFeatures {
  /** Always 1. */
  bias: number;
  /** Of the best sentence: see SentenceFeatures. */
  coverage: number;
  inContext: number;
  nearby: number;
  before: number;
  whole: number;
  plain: number;
  order: number;
  adjacent: number;
  type: number;
  nearness: number;
  missingNames: number;
  /** Share of what was asked that is said nowhere in the file; see ReplyFeatures. */
  missing: number;
  /** ReplyFeatures.terse: in a form, a list or a table facts stand under their names. */
  terse: number;
  /** … times what is missing: it is hardly paraphrased there. */
  terseMissing: number;
  /** … times how well a field's name fits. */
  terseLabel: number;
  /** … times whether a figure stands before what was to be counted. */
  terseCounted: number;
  /** ln(1 + the question's weight in words). */
  questionMass: number;
  /** BM25 for each word of the question over ln(1 + chunks), the rarest word's worth. */
  rarity: number;
  /** ln(1 + chunks), no more than of a large library. */
  librarySize: number;
}

/**
 * What a candidate says of whether the files answer.
 *
 * @param librarySize chunks in the library
 */
export function confidenceFeatures(
  question: Question,
  { sentence: { features }, reply, passage }: Candidate,
  librarySize: number,
): ConfidenceFeatures {
  const mass = questionMass(question);
  const chunks = Math.max(librarySize, 1);
  return {
    bias: 1,
    coverage: features.coverage,
    inContext: features.inContext,
    nearby: features.nearby,
    before: features.before,
    whole: features.whole,
    plain: features.plain,
    order: features.order,
    adjacent: features.adjacent,
    type: features.type,
    nearness: features.nearness,
    missingNames: features.missingNames,
    missing: reply.missing,
    terse: reply.terse,
    terseMissing: reply.terse * reply.missing,
    terseLabel: reply.terse * reply.label,
    terseCounted: reply.terse * reply.counted,
    questionMass: Math.log(1 + mass),
    rarity: (passage.scores['index'] ?? 0) / mass / Math.log(1 + chunks),
    librarySize: Math.log(1 + Math.min(chunks, CONFIDENCE.largeLibrary)),
  };
}

const WEIGHTS = Object.entries(CONFIDENCE_WEIGHTS) as [keyof ConfidenceFeatures, number][];

/** How likely it is that this, the best candidate, answers. */
export function confidenceIn(
  question: Question,
  best: Candidate | undefined,
  librarySize: number,
): number {
  if (best === undefined) return 0;
  const features = confidenceFeatures(question, best, librarySize);
  let z = meaningEvidence(best.passage);
  for (const [name, weight] of WEIGHTS) z += weight * features[name];
  return 1 / (1 + Math.exp(-z));
}

/** The library's size in chunks as far as the passages found tell it. */
export function guessLibrarySize(found: number): number {
  return found < USUAL_LIMIT ? Math.max(CONFIDENCE.smallLibrary, found) : CONFIDENCE.usualLibrary;
}

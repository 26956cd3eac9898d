import type { Question } from './question.ts';
import { candidatesOf } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { questionMass } from './rank.ts';
import type { RankedPassage } from './rank.ts';
import { CONFIDENCE } from './weights.ts';

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

/** How likely it is that this, the best candidate, answers. */
export function confidenceIn(
  question: Question,
  best: Candidate | undefined,
  librarySize: number,
): number {
  if (best === undefined) return 0;
  const { sentence, reply } = best;
  const { features } = sentence;
  const mass = questionMass(question);
  const chunks = Math.max(librarySize, 1);
  const size = Math.log(1 + Math.min(chunks, CONFIDENCE.largeLibrary));
  const rarity = (best.passage.scores['index'] ?? 0) / mass / Math.log(1 + chunks);
  const z =
    CONFIDENCE.bias +
    CONFIDENCE.inContext * features.inContext +
    CONFIDENCE.nearby * features.nearby +
    CONFIDENCE.adjacent * features.adjacent +
    CONFIDENCE.missingNames * features.missingNames +
    reply.terse *
      (CONFIDENCE.terse +
        CONFIDENCE.terseMissing * reply.missing +
        CONFIDENCE.terseLabel * reply.label +
        CONFIDENCE.terseCounted * reply.counted) +
    CONFIDENCE.questionMass * Math.log(1 + mass) +
    CONFIDENCE.rarity * rarity +
    CONFIDENCE.librarySize * size;
  return 1 / (1 + Math.exp(-z));
}

/** The library's size in chunks as far as the passages found tell it. */
export function guessLibrarySize(found: number): number {
  return found < USUAL_LIMIT ? Math.max(CONFIDENCE.smallLibrary, found) : CONFIDENCE.usualLibrary;
}

import type { Question } from '../question/question.ts';
import type { RankedPassage } from './rank.ts';

/**
 * A logistic model of whether a passage answers a question, fitted on questions with and without an
 * answer in their files. `npm run quality -- ranking` fits it again and prints each set's figures
 * when it is left out of the fit.
 */
const MODEL = { bias: -2, coverage: 3, window: 1, terms: 0.8 } as const;

/** The relevance from which on a section counts as found. */
export const RELEVANCE_THRESHOLD = 0.5;

/** How likely it is, between 0 and 1, that a ranked passage answers a question. */
export function relevanceOf(question: Question, { scores }: Pick<RankedPassage, 'scores'>): number {
  const z =
    MODEL.bias +
    MODEL.coverage * (scores['coverage'] ?? 0) +
    MODEL.window * (scores['window'] ?? 0) +
    MODEL.terms * Math.log(Math.max(1, question.terms.length));
  return 1 / (1 + Math.exp(-z));
}

import type { Question } from '../question/question.ts';
import type { RankedPassage } from './rank.ts';

/**
 * A logistic model of whether a passage answers a question, fitted on questions with and without an
 * answer in their files. The features are those of the ranking, and the logarithm of the question's
 * terms: a share of a longer question is worth more. docs/performance.md has the figures of each
 * library when it is left out of the fit.
 */
const MODEL = { bias: -4.2, coverage: 2.6, window: 0.5, terms: 1.5, meaning: 0.9 } as const;

/** Terms that a single keyword counts as. */
const LEAST_TERMS = 2;

/** The relevance from which on a section counts as found: a tenth of answerable questions is below. */
export const RELEVANCE_THRESHOLD = 0.3;

/** How likely it is, between 0 and 1, that a ranked passage answers a question. */
export function relevanceOf(question: Question, { scores }: Pick<RankedPassage, 'scores'>): number {
  const z =
    MODEL.bias +
    MODEL.coverage * (scores['coverage'] ?? 0) +
    MODEL.window * (scores['window'] ?? 0) +
    MODEL.terms * Math.log(Math.max(LEAST_TERMS, question.terms.length)) +
    MODEL.meaning * (scores['meaning'] ?? 0);
  return 1 / (1 + Math.exp(-z));
}

import type { RankedPassage } from './rank.ts';

/**
 * A logistic model of whether a passage answers a question. `npm run quality -- relevance` fits it
 * again and prints each library's figures when it is left out.
 */
const MODEL = { bias: -3.4, share: 2, terms: 1.75, missingName: -1.7, meaning: 1.6 } as const;

/** The relevance from which on a section counts as found: a tenth of answerable questions is below. */
export const RELEVANCE_THRESHOLD = 0.31;

/** How likely it is, between 0 and 1, that a ranked passage answers the question. */
export function relevanceOf({ match, scores }: Pick<RankedPassage, 'match' | 'scores'>): number {
  const z =
    MODEL.bias +
    MODEL.share * match.share +
    MODEL.terms * Math.log(1 + match.terms) +
    MODEL.missingName * match.missingNames +
    MODEL.meaning * (scores['meaning'] ?? 0);
  return 1 / (1 + Math.exp(-z));
}

import type { Citation } from '../types.ts';
import type { RankedPassage, RankedSentence } from './rank.ts';

/** What a passage of a file that the earlier answer cites counts more. */
const FAVOUR = 1.1;
/** What the sentence counts that answered before: a follow-up asks for something new. */
const KNOWN = 0.9;

/**
 * Orders passages for a question that follows up on an answer: those of the files it cites come a
 * little higher, and the sentence it quotes first a little lower.
 */
export function rankFollowUp(
  ranked: readonly RankedPassage[],
  cited: readonly Pick<Citation, 'artifactId' | 'start' | 'end'>[],
): RankedPassage[] {
  return ranked
    .map((passage) => {
      const quotes = cited.filter(({ artifactId }) => artifactId === passage.artifactId);
      if (quotes.length === 0) return passage;
      const direct = quotes.find((quote) => quote === cited[0]);
      const isKnown = ({ start, end }: RankedSentence): boolean =>
        direct !== undefined &&
        direct.start < passage.start + end &&
        passage.start + start < direct.end;
      const sentences = passage.sentences
        .map((each) => ({ ...each, score: each.score * FAVOUR * (isKnown(each) ? KNOWN : 1) }))
        .sort((a, b) => b.score - a.score);
      return { ...passage, score: passage.score * FAVOUR, sentences };
    })
    .sort((a, b) => b.score - a.score);
}

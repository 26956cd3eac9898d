import type { Question } from '../question/question.ts';
import { questionMass } from './rank.ts';
import type { RankedPassage } from './rank.ts';

/**
 * What closeness is worth beside the evidence of words, which is at most about the question's weight
 * in words. Picked by hand from seven values by their figures on three collections: 4 is best or
 * nearly so on two of them, and 1 on the third. The halves of each collection agree, but
 * all of them were looked at: how far this carries to other files is not known.
 */
const BLEND = {
  /** Times the question's weight in words and the closeness. */
  passage: 4,
  /** The share of that which goes to each sentence of the passage. */
  sentence: 0.3,
};

/**
 * How close a passage's meaning is to the question's, 0 to 1: its similarity on the way from the
 * least one found to 1. Cosines alone do not compare from one model to the next: what is foreign to
 * a question has 0.1 with some, 0.7 with others.
 */
const closenessOf = (similarity: number, least: number): number =>
  least < 1 ? Math.max(0, (similarity - least) / (1 - least)) : 0;

/**
 * Joins the order by words with the similarity of question and passage in meaning: a weighted sum,
 * which kept more of both than a fusion of ranks did. Passages that came without a similarity were
 * not among the nearest, and get what the farthest of these gets.
 */
export function blendByMeaning(
  question: Question,
  ranked: readonly RankedPassage[],
): RankedPassage[] {
  const known = ranked.flatMap(({ similarity }) => similarity ?? []);
  if (known.length === 0) return [...ranked];
  const least = Math.min(...known);
  const mass = questionMass(question);
  return ranked
    .map((passage): RankedPassage => {
      const closeness = closenessOf(passage.similarity ?? least, least);
      const bonus = BLEND.passage * mass * closeness;
      return {
        ...passage,
        score: passage.score + bonus,
        scores: { ...passage.scores, closeness },
        sentences: passage.sentences.map((sentence) => ({
          ...sentence,
          score: sentence.score + BLEND.sentence * bonus,
        })),
      };
    })
    .sort((a, b) => b.score - a.score);
}

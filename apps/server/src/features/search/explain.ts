import type { SearchData } from '@engram/contract';
import {
  type PassageLimits,
  type Question,
  type RankedPassage,
  selectPassages,
} from '@engram/retrieval';

/** The most that an explanation answers of the files. */
const EXPLAINED: PassageLimits = { passages: 5, characters: 5000 };

/** What an answer rests on: its best passages, the question's terms, and how long each stage took. */
export function explain(
  ranked: readonly RankedPassage[],
  question: Question,
  stages: { name: string; ms: number }[],
): NonNullable<SearchData['explain']> {
  const passages = selectPassages(question, ranked, EXPLAINED);
  return { passages, terms: question.terms.map(({ surface }) => surface), stages };
}

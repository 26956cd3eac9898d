import { anyWord, wholeWords } from '../languages/index.ts';
import type { Question } from '../question/question.ts';
import type { RankedPassage } from './rank.ts';

/** What is known of a file: its kind as its own text tells, null where that is open. */
export interface DescribedFile {
  artifactId: string;
  fileName: string;
  kind: string | null;
}

/** Saved pages and books are no papers of one's own, as manuals are none. */
const PUBLISHED = /\.(?:html?|epub)$/iu;

/** Whether a file is a person's own paper, as far as its kind and its name tell. */
export const isOwnPaper = ({ kind, fileName }: Omit<DescribedFile, 'artifactId'>): boolean =>
  kind !== 'manual' && !PUBLISHED.test(fileName);

/** 'I', 'my', 'our', in all languages, as they are not told apart by one word. */
const FIRST_PERSON = new RegExp(wholeWords(anyWord(({ small }) => small?.firstPerson)), 'iu');

/** Whether somebody asks of what is their own. */
export const asksOfOwn = ({ text }: Pick<Question, 'text'>): boolean => FIRST_PERSON.test(text);

/** What a passage's score loses that is none of one's own papers, where these are asked for. */
const LOSS = 1.5;

/**
 * Puts one's own papers before manuals, saved pages and books where a question speaks of 'I', 'my' or
 * 'our'. What a manual alone speaks of still comes first.
 *
 * @param files what every file says of itself
 */
export function preferOwn(
  question: Question,
  ranked: readonly RankedPassage[],
  files: readonly DescribedFile[],
): RankedPassage[] {
  if (!asksOfOwn(question)) return [...ranked];
  const published = new Set(
    files.filter((file) => !isOwnPaper(file)).map(({ artifactId }) => artifactId),
  );
  return ranked
    .map((passage) =>
      published.has(passage.artifactId)
        ? { ...passage, score: Math.max(0, passage.score - LOSS) }
        : passage,
    )
    .sort((a, b) => b.score - a.score);
}

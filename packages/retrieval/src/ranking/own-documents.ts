import { anyWord, wholeWords } from '../languages/index.ts';
import type { Question } from '../question/question.ts';

/** Saved web pages and books, which like manuals were written by somebody else. */
const PUBLISHED = /\.(?:html?|epub)$/iu;

export const isOwnDocument = ({
  kind,
  fileName,
}: {
  kind: string | null;
  fileName: string;
}): boolean => kind !== 'manual' && !PUBLISHED.test(fileName);

/** 'I', 'my', 'our', in all languages: a single word does not tell them apart. */
const FIRST_PERSON = new RegExp(wholeWords(anyWord(({ firstPerson }) => firstPerson)), 'iu');

export const asksOfOwn = ({ text }: Pick<Question, 'text'>): boolean => FIRST_PERSON.test(text);

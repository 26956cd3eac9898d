import { anyWord, wholeWords } from '../languages/index.ts';
import type { Question } from '../question/question.ts';

/** What decides whether a file is the user's own document. */
export interface DescribedFile {
  fileName: string;
  /** Null where the file does not say what it is. */
  kind: string | null;
}

/** Saved web pages and books, which like manuals were written by somebody else. */
const PUBLISHED = /\.(?:html?|epub)$/iu;

/** Whether a file is the user's own document, by its kind and its name. */
export const isOwnDocument = ({ kind, fileName }: DescribedFile): boolean =>
  kind !== 'manual' && !PUBLISHED.test(fileName);

/** 'I', 'my', 'our', in all languages: a single word does not tell them apart. */
const FIRST_PERSON = new RegExp(wholeWords(anyWord(({ firstPerson }) => firstPerson)), 'iu');

/** Whether a question asks about the user's own things. */
export const asksOfOwn = ({ text }: Pick<Question, 'text'>): boolean => FIRST_PERSON.test(text);

import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { wordsOf } from '../analysis/words.ts';
import { DIALOGUE } from '../languages/index.ts';
import type { LanguagePack } from '../languages/language.ts';

/** A question that was asked before, with its answer. */
export interface EarlierTurn {
  question: string;
  /** Markdown; empty where there is none. */
  answer: string;
}

/** A question with fewer content words leaves out what was said before. */
const FEW_WORDS = 3;
/** Maximum length of a question with those before it, in UTF-16 units. */
const MAX_LENGTH = 400;

const word = (list = '(?!)'): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${list})(?![\\p{L}\\p{N}'’-])`, 'iu');

/** Whether a text has a word that refers to something said before, or opens as a continuation. */
const REFERS = new Map(
  DIALOGUE.map(({ code, references }: LanguagePack) => {
    const pronouns = word(references?.pronouns);
    const possessives = word(references?.possessives);
    const opening = references?.opening;
    const refers = (text: string): boolean =>
      pronouns.test(text) || possessives.test(text) || opening?.test(text) === true;
    return [code, refers] as const;
  }),
);

/** Whether a question needs the one before it to be understood. */
export function isFollowUp(text: string, earlier: readonly EarlierTurn[]): boolean {
  if (earlier.length === 0) return false;
  const language = detectLanguage(text);
  const content = wordsOf(text).words.filter(
    ({ lower }) => !stopWords(language).has(lower) && !stopWords('en').has(lower),
  );
  return content.length < FEW_WORDS || REFERS.get(language)?.(text) === true;
}

/**
 * A question with the terms of the one that it follows up on, for the search. One that stands on its
 * own is returned as it is.
 * @param earlier oldest first
 */
export function withEarlierTerms(text: string, earlier: readonly EarlierTurn[]): string {
  const last = earlier.at(-1);
  if (last === undefined || !isFollowUp(text, earlier)) return text;
  const before = withEarlierTerms(last.question, earlier.slice(0, -1));
  const joined = `${text} ${before}`;
  return joined.length > MAX_LENGTH ? text : joined;
}

import { packOf } from '../languages/index.ts';
import { stopWords } from './languages.ts';

/** A text as it stands within a sentence that it began. */
export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Whether only the text around it gives a text its meaning: 'it', 'the same'. */
export function points(text: string, language: string): boolean {
  const pointing = packOf(language).recommended?.pointing;
  return (
    pointing !== undefined &&
    text.split(' ').some((word) => ` ${pointing} `.includes(` ${word.toLowerCase()} `))
  );
}

/** The subject of a sentence as it stands within a question; null where it says too little. */
export function subjectWithin(text: string, language: string): string | null {
  const { small, phrases, capitalNouns, recommended } = packOf(language);
  const listed = (words = '') => new Set(words.split(' '));
  const determiners = listed(small?.determiners);
  const joins = listed(
    `${phrases?.joins ?? ''} ${small?.determiners ?? ''} ${recommended?.joins ?? ''}`,
  );
  const words = text.split(' ');
  const first = (words[0] ?? '').toLowerCase();
  const determined = determiners.has(first) || listed(phrases?.joins).has(first);
  const bare = determined ? words.slice(1) : words;
  const content = bare.filter((word) => !joins.has(word));
  const isName = content.every((word) => /^[\p{Lu}\p{N}]/u.test(word));
  if (content.join('').length < 4 || joins.has(bare.at(-1) ?? '')) return null;
  if (!determined && joins.has(first)) return null;
  if (points(text, language) || content.some((word) => stopWords(language).has(word.toLowerCase())))
    return null;
  // 'Duck', 'Monthly fees' need an article where there are such, unless they are names.
  const needsArticle = determiners.size > 1 && !determined;
  if (needsArticle && (!isName || content.length < 2)) return null;
  return isName && !determined && !(capitalNouns && content.length < 2) ? text : lowered(text);
}

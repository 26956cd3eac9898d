import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { DocumentKind, DocumentWords } from '../languages/language.ts';
import { memoize } from '../memoize.ts';

type WordField = Exclude<keyof DocumentWords, 'kinds'>;

/** Expressions of whole words by a key of a name and languages (ISO 639-1), separated by spaces. */
const patternsOf = (wordsOf: (words: DocumentWords, name: string) => string | undefined) =>
  memoize((key: string) => {
    const [name = '', ...languages] = key.split(' ');
    const packs = LANGUAGES.filter(({ code }) => code === 'en' || languages.includes(code));
    const source = alternatives(({ documents }) => documents && wordsOf(documents, name), packs);
    return new RegExp(wholeWords(source), 'iu');
  }, 1000);

const wordPatterns = patternsOf((words, name) => words[name as WordField]);
const kindPatterns = patternsOf((words, kind) => words.kinds[kind as DocumentKind]);

/** The words of a field in some languages and English. */
export const wordPattern = (languages: readonly string[], name: WordField): RegExp =>
  wordPatterns([name, ...languages].join(' '));

export const kindPattern = (languages: readonly string[], kind: DocumentKind): RegExp =>
  kindPatterns([kind, ...languages].join(' '));

/** The length of one of a field's words at the beginning of a text; 0 where there is none. */
export function lengthAtStart(text: string, languages: readonly string[], name: WordField): number {
  const match = wordPattern(languages, name).exec(text.slice(0, 80));
  return match?.index === 0 ? match[0].length : 0;
}

import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { DocumentKind, DocumentWords, LanguagePack } from '../languages/language.ts';
import { memoize } from '../memoize.ts';

type WordField = Exclude<keyof DocumentWords, 'kinds'>;

const patternOf = memoize((source: string) => new RegExp(wholeWords(source), 'iu'), 2000);

const packsOf = (languages: readonly string[]): LanguagePack[] =>
  LANGUAGES.filter(({ code }) => code === 'en' || languages.includes(code));

/** The words of a field in some languages (ISO 639-1) and English, as an expression of whole words. */
export const wordPattern = (languages: readonly string[], name: WordField): RegExp =>
  patternOf(alternatives(({ documents }) => documents?.[name], packsOf(languages)));

export const kindPattern = (languages: readonly string[], kind: DocumentKind): RegExp =>
  patternOf(alternatives(({ documents }) => documents?.kinds[kind], packsOf(languages)));

/** The length of one of a field's words at the beginning of a text; 0 where there is none. */
export function lengthAtStart(text: string, languages: readonly string[], name: WordField): number {
  const match = wordPattern(languages, name).exec(text.slice(0, 80));
  return match?.index === 0 ? match[0].length : 0;
}

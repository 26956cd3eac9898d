import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { DocumentKind, DocumentWords } from '../languages/language.ts';

type WordField = Exclude<keyof DocumentWords, 'kinds'>;

const compiled = new Map<string, RegExp>();
/** Maximum number of cached expressions: two for each field and set of languages. */
const MAX_CACHED = 2000;

/** The words of a field in some languages (ISO 639-1) and English, as an expression of whole words. */
export const wordPattern = (languages: readonly string[], name: WordField): RegExp =>
  patternOf(name, languages, (words) => words?.[name]);

export const kindPattern = (languages: readonly string[], kind: DocumentKind): RegExp =>
  patternOf(`kind ${kind}`, languages, (words) => words?.kinds[kind]);

function patternOf(
  name: string,
  languages: readonly string[],
  wordsOf: (words: DocumentWords | undefined) => string | undefined,
): RegExp {
  const key = `${name} ${languages.join(' ')}`;
  const cached = compiled.get(key);
  if (cached !== undefined) return cached;
  const packs = LANGUAGES.filter(({ code }) => code === 'en' || languages.includes(code));
  const source = alternatives(({ documents }) => wordsOf(documents), packs);
  const pattern = new RegExp(wholeWords(source), 'iu');
  if (compiled.size >= MAX_CACHED) compiled.clear();
  compiled.set(key, pattern);
  return pattern;
}

/** The length of one of a field's words at the beginning of a text; 0 where there is none. */
export function lengthAtStart(text: string, languages: readonly string[], name: WordField): number {
  const match = wordPattern(languages, name).exec(text.slice(0, 80));
  return match?.index === 0 ? match[0].length : 0;
}

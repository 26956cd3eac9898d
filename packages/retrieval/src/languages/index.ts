import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import others from './others.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };
import type { LanguagePack } from './language.ts';

/** All supported languages. If a word is in several, the first language wins. */
export const LANGUAGES: readonly LanguagePack[] = [
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  ru,
  ar,
  ja,
  zh,
  ko,
  ...others,
];

const byCode = new Map(LANGUAGES.map((pack) => [pack.code, pack]));

/** The pack of a language (ISO 639-1). The pack of an unknown language has only its code. */
export const packOf = (code: string): LanguagePack => byCode.get(code) ?? { code };

type Words = string | undefined;
type Field = (pack: LanguagePack) => Words | readonly Words[];

/** A field of languages as alternatives of one regular expression. Without any it matches nothing. */
export function alternatives(field: Field, packs = LANGUAGES): string {
  const sources = packs.flatMap(field).filter((source) => source !== undefined);
  return sources.length === 0 ? '(?!)' : [...new Set(sources)].join('|');
}

export function allWords(field: Field): Set<string> {
  const lists = LANGUAGES.flatMap(field).flatMap((list) => list?.split(/\s+/u) ?? []);
  return new Set(lists.filter((word) => word !== ''));
}

export const anyWord = (field: Field): string =>
  [...allWords(field)].sort((a, b) => b.length - a.length).join('|') || '(?!)';

/** Scripts without spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Alternatives that must be whole words, in scripts with spaces between words. */
export const wholeWords = (source: string): string =>
  UNSPACED.test(source)
    ? `(?:${source})`
    : String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`;

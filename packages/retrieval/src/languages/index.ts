import { arabic } from './ar.ts';
import { chinese } from './zh.ts';
import { dutch } from './nl.ts';
import { english } from './en.ts';
import { french } from './fr.ts';
import { german } from './de.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';
import type { LanguagePack } from './language.ts';
import { others } from './others.ts';
import { portuguese } from './pt.ts';
import { russian } from './ru.ts';
import { spanish } from './es.ts';

/** All languages that are known. Where a word is of several, those before go before. */
export const LANGUAGES: readonly LanguagePack[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  russian,
  arabic,
  japanese,
  chinese,
  korean,
  ...others,
];

const byCode = new Map(LANGUAGES.map((pack) => [pack.code, pack]));

/** What is known of a language (ISO 639-1); of an unknown one nothing but its code. */
export const packOf = (code: string): LanguagePack => byCode.get(code) ?? { code };

type Words = string | undefined;
type Field = (pack: LanguagePack) => Words | readonly Words[];

/** A field of languages as alternatives of one regular expression; without any it matches nothing. */
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

/** Scripts in which no space parts words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Alternatives where they are whole words, as far as their script parts words. */
export const wholeWords = (source: string): string =>
  UNSPACED.test(source)
    ? `(?:${source})`
    : String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`;

import type { DocumentKind } from '../document.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';

/**
 * How papers of one language name themselves, and how questions ask for them. Each is a source of a
 * regular expression, alternatives in small letters, matched as whole words.
 */
export interface PaperWords {
  /** What a paper of a kind is called, one or several of it. */
  kinds: Readonly<Partial<Record<DocumentKind, string>>>;
  salutation: string;
  closing: string;
  /** Before the day that a paper is of: 'invoice date', 'as of'. */
  dated: string;
  /** Before a day that it is not of: 'born', 'until', 'due'. */
  otherDay: string;
  /** Labels of people and firms: 'tenant', 'bill to', 'present'. */
  parties: string;
  between: string;
  /** Titles before names. */
  honorifics: string;
  subject: string;
  /** A version by its name: 'version', 'edition', 'draft'. */
  version: string;
  /** Replaces or amends another paper. */
  replaces: string;
  /** Says of something that it is otherwise from now or then on. */
  changes: string;
  /** What lists of files say; a number stands at `{}`. */
  say: Readonly<Record<'more' | 'oneFile' | 'newest' | 'none' | 'noneThen', string>>;
}

const WORDS: Readonly<Record<string, PaperWords>> = { en, de, fr, es, pt, it, nl };

/** The words of papers in the given languages (ISO 639-1), English always among them. */
export function paperWordsOf(languages: readonly string[]): PaperWords[] {
  const known = [...new Set([...languages, 'en'])];
  return known.flatMap((language) => WORDS[language] ?? []);
}

/** What lists of files say in a language (ISO 639-1); English for others. */
export const sayIn = (language: string): PaperWords['say'] => (WORDS[language] ?? en).say;

const compiled = new Map<string, RegExp>();
/** Expressions that are kept: two for each field and set of languages. */
const MOST_KEPT = 2000;

/** One expression for a field's words in some languages: whole words, in capitals or not. */
export function wordPattern(
  languages: readonly string[],
  name: Exclude<keyof PaperWords, 'kinds' | 'say'>,
): RegExp {
  return patternOf(`${name} ${languages.join(' ')}`, () =>
    paperWordsOf(languages).map((words) => words[name]),
  );
}

/** How many characters a text has of one of a field's words, where it begins with one; else 0. */
export function lengthAtStart(
  text: string,
  languages: readonly string[],
  name: Parameters<typeof wordPattern>[1],
): number {
  const match = wordPattern(languages, name).exec(text.slice(0, 80));
  return match?.index === 0 ? match[0].length : 0;
}

/** … for what papers of a kind are called. */
export function kindPattern(languages: readonly string[], kind: DocumentKind): RegExp {
  return patternOf(`kind ${kind} ${languages.join(' ')}`, () =>
    paperWordsOf(languages).flatMap((words) => words.kinds[kind] ?? []),
  );
}

function patternOf(key: string, sources: () => string[]): RegExp {
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const own = sources().filter((source) => source !== '');
  const any = own.length === 0 ? '(?!)' : own.join('|');
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, 'iu');
  if (compiled.size >= MOST_KEPT) compiled.clear();
  compiled.set(key, pattern);
  return pattern;
}

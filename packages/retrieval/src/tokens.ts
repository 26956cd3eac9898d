import { ENGLISH_BASES } from './irregular-forms.ts';
import { stemWord } from './languages.ts';
import { wordOf, wordsOf } from './words.ts';
import type { Word } from './words.ts';

/**
 * Where the words of a text stand, and how each begins. Most words of a passage have nothing to do
 * with the question, and a word's beginning tells: only the others are looked up.
 */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** A number for each word's first two letters, in lower case; COMPLEX where they do not tell. */
  readonly heads: Uint16Array;
  /** Those that were looked up. */
  readonly words: (Word | undefined)[];
  /** Whether anything is written with a capital. */
  readonly cased: boolean;
}

/** The longest text that is cut into tokens, in UTF-16 units. */
export const LONGEST_TEXT = 8000;

const HEADS = 1 << 14;
/** Parts, other scripts: the word's terms may begin otherwise than the word. */
export const COMPLEX = 0;
const FIRST_OTHER = 0x80;

const LETTER = 1;
const NUMERAL = 2;
const JOINER = 4;
const SPACE = 8;
const INSIDE = LETTER | NUMERAL;
const KINDS = Uint8Array.from({ length: FIRST_OTHER }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z]/u.test(sign)) return LETTER;
  if (/[0-9]/u.test(sign)) return NUMERAL;
  if (/['.,\-_/:&@]/u.test(sign)) return JOINER;
  return code <= 0x20 ? SPACE : 0;
});
const PLUS = 0x2b;
const HASH_SIGN = 0x23;

const small = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

/** The number of a beginning; the second unit is 0 where a word has but one. */
const headOf = (first: number, second: number): number => (small(first) << 7) | small(second);

/** Room for the tokens of one text: there are never more than units. */
const starts = new Uint16Array(LONGEST_TEXT);
const ends = new Uint16Array(LONGEST_TEXT);
const heads = new Uint16Array(LONGEST_TEXT);

/** The tokens of a text of at most LONGEST_TEXT units: the words that `wordsOf` cuts it into. */
export function tokensOf(text: string): Tokens {
  const words: (Word | undefined)[] = [];
  let count = 0;
  let cased = false;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] ?? 0;
    if (code < FIRST_OTHER && (kind & INSIDE) === 0) {
      at += 1;
      continue;
    }
    const end = asciiEnd(text, at);
    if (end !== -1) {
      starts[count] = at;
      ends[count] = end;
      heads[count] = asciiHead(text, at, end);
      if (code >= 0x41 && code <= 0x5a) cased = true;
      words.push(undefined);
      count += 1;
      at = end;
      continue;
    }
    // No word goes over white space: the stretch up to there holds other signs.
    let stop = at;
    while (stop < text.length && KINDS[text.charCodeAt(stop)] !== SPACE) stop += 1;
    const found = wordsOf(text.slice(at, stop));
    found.words.forEach((word, i) => {
      starts[count] = at + (found.starts[i] ?? 0);
      ends[count] = at + (found.ends[i] ?? 0);
      heads[count] = COMPLEX;
      if (isCapital(word)) cased = true;
      words.push(word);
      count += 1;
    });
    at = stop;
  }
  return {
    text,
    count,
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    heads: heads.slice(0, count),
    words,
    cased,
  };
}

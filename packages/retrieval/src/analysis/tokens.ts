import { CAPITAL, type Word, wordOf, wordsOf } from './words.ts';

/**
 * Where the words of a text stand, and how each begins. Most words of a passage have nothing to do
 * with the question; their beginnings tell, and only the others are looked up.
 */
export interface Tokens {
  readonly text: string;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** How each word begins: its {@link headOf} and the bits HAS_DIGIT and HAS_CAPITAL. */
  readonly heads: Uint16Array;
  /** Those that were looked up. */
  readonly words: (Word | undefined)[];
}

/** The longest text that is cut into tokens, in UTF-16 units. */
export const LONGEST_TEXT = 8000;

/** The head of words whose terms may begin otherwise than they do: compounds, other scripts. */
export const COMPLEX = 0;
/** How many heads there are. */
export const HEADS = 1 << 14;
export const HAS_DIGIT = 1 << 14;
export const HAS_CAPITAL = 1 << 15;

const LETTER = 1;
const NUMERAL = 2;
const JOINER = 4;
const SPACE = 8;
const INSIDE = LETTER | NUMERAL;
const FIRST_OTHER = 0x80;
const KINDS = Uint8Array.from({ length: FIRST_OTHER }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z]/u.test(sign)) return LETTER;
  if (/[0-9]/u.test(sign)) return NUMERAL;
  if (/['.,\-_/:&@]/u.test(sign)) return JOINER;
  return code <= 0x20 ? SPACE : 0;
});

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const small = (code: number): number => (isCapital(code) ? code + 0x20 : code);

/** A number below HEADS for two ASCII units, capitals as small letters. */
export const headOf = (first: number, second: number): number =>
  (small(first) << 7) | small(second);

/** Room for the tokens of one text: there are never more of them than units. */
const starts = new Uint16Array(LONGEST_TEXT);
const ends = new Uint16Array(LONGEST_TEXT);
const heads = new Uint16Array(LONGEST_TEXT);

/** The words that `wordsOf` cuts a text of at most LONGEST_TEXT units into. */
export function tokensOf(text: string): Tokens {
  const words: (Word | undefined)[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < FIRST_OTHER && ((KINDS[code] ?? 0) & INSIDE) === 0) {
      at += 1;
      continue;
    }
    const end = readAscii(text, at, words.length);
    if (end === OTHER_SIGNS) {
      at = readStretch(text, at, words);
    } else {
      words.push(undefined);
      at = end;
    }
  }
  const count = words.length;
  return {
    text,
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    heads: heads.slice(0, count),
    words,
  };
}

const OTHER_SIGNS = -1;
const PLUS = 0x2b;
const HASH = 0x23;

/** Reads one word; OTHER_SIGNS when it holds or touches a sign that is not ASCII. */
function readAscii(text: string, start: number, token: number): number {
  let kinds = 0;
  let at = start;
  let code = text.charCodeAt(at);
  while (at < text.length) {
    code = text.charCodeAt(at);
    if (code >= FIRST_OTHER) return OTHER_SIGNS;
    const kind = KINDS[code] ?? 0;
    if ((kind & INSIDE) === 0) {
      if (kind !== JOINER || at + 1 === text.length) break;
      const next = text.charCodeAt(at + 1);
      if (next >= FIRST_OTHER) return OTHER_SIGNS;
      if (((KINDS[next] ?? 0) & INSIDE) === 0) break;
    }
    kinds |= kind;
    at += 1;
  }
  if (at < text.length && code === HASH) at += 1;
  else if (code === PLUS && text.charCodeAt(at + 1) === PLUS) at += 2;
  const first = text.charCodeAt(start);
  const complex = (kinds & JOINER) !== 0 || (kinds === INSIDE && hasParts(text, start, at));
  const head = headOf(first, at - start > 1 ? text.charCodeAt(start + 1) : 0);
  starts[token] = start;
  ends[token] = at;
  heads[token] =
    (complex ? COMPLEX : head) |
    ((kinds & NUMERAL) === 0 ? 0 : HAS_DIGIT) |
    (isCapital(first) ? HAS_CAPITAL : 0);
  return at;
}

/** Whether letters and digits may be found apart, as in FY2017. */
function hasParts(text: string, start: number, end: number): boolean {
  if (end - start < 4) return false;
  const kind = (at: number): number => KINDS[text.charCodeAt(at)] ?? 0;
  return kind(start) === kind(start + 1) && kind(end - 2) === kind(end - 1);
}

/** Reads up to the next white space, which no word goes over. */
function readStretch(text: string, from: number, words: (Word | undefined)[]): number {
  let to = from;
  while (to < text.length && KINDS[text.charCodeAt(to)] !== SPACE) to += 1;
  const found = wordsOf(text.slice(from, to));
  found.words.forEach((word, i) => {
    starts[words.length] = from + (found.starts[i] ?? 0);
    ends[words.length] = from + (found.ends[i] ?? 0);
    // What a bit cannot tell of other scripts' digits and capitals, COMPLEX leaves open.
    heads[words.length] = COMPLEX | ((word.shape & CAPITAL) === 0 ? 0 : HAS_CAPITAL);
    words.push(word);
  });
  return to;
}

/** The word at a position. */
export function wordAt({ text, starts: from, ends: to, words }: Tokens, at: number): Word {
  const known = words[at];
  if (known !== undefined) return known;
  const word = wordOf(text.slice(from[at], to[at]));
  words[at] = word;
  return word;
}

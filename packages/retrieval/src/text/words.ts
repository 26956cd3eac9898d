import { fold } from '../languages/fold.ts';
import { stemWord } from './languages.ts';

export const CAPITAL = 1;
export const DIGIT = 2;
export const ALL_CAPS = 4;

/** A distinct surface form with its cached properties. */
export interface Word {
  readonly surface: string;
  /** NFKC, lower-case, without invisible characters, with accents. */
  readonly lower: string;
  readonly shape: number;
  /** The language of `terms`, or null. */
  language: string | null;
  terms: readonly string[];
  /** Terms in other languages, which most libraries do not need. */
  otherTerms: Map<string, readonly string[]> | null;
}

const CJK = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]&&[\p{L}\p{Nl}]]`;
const UNSPACED = String.raw`[[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}]]`;
const INVISIBLE = String.raw`\u00ad\u200b-\u200d\u2060`;
const INNER = String.raw`[[\p{L}\p{M}\p{N}${INVISIBLE}]--${CJK}--${UNSPACED}]`;
/** A word and its joiners: o'brien, 3.14, INV-2024-001, a_b.pdf, x@y.org, R&D. */
const WORD = new RegExp(
  String.raw`${CJK}+|${UNSPACED}+|${INNER}+(?:(?:['’.,\-‐‑_\/:&@]|@)${INNER}+)*(?:\+\+|#)?`,
  'gv',
);
const ASCII_WORD = /[A-Za-z0-9]+(?:['.,\-_/:&@][A-Za-z0-9]+)*(?:\+\+|#)?/g;
const ASCII = /^\p{ASCII}*$/u;
const IS_CJK = new RegExp(`^${CJK}`, 'v');
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v');

/** Maximum cached forms. The cache is then cleared. */
const MAX_WORDS = 200_000;
const MAX_CACHED_LENGTH = 80;
const words = new Map<string, Word>();
const NO_TERMS: readonly string[] = [];

export function wordOf(surface: string): Word {
  const known = words.get(surface);
  if (known !== undefined) return known;
  const plain = ASCII.test(surface)
    ? surface
    : surface.normalize('NFKC').replace(/[\s\u00ad\u200b-\u200d\u2060]/gu, '');
  const lower = plain.toLowerCase();
  let shape = 0;
  if (/\p{N}/u.test(plain)) shape |= DIGIT;
  if (/^\p{Lu}/u.test(plain)) shape |= CAPITAL;
  if (lower !== plain && plain === plain.toUpperCase() && /\p{Lu}.*\p{Lu}/u.test(plain)) {
    shape |= ALL_CAPS;
  }
  const word: Word = {
    surface,
    lower,
    shape,
    language: null,
    terms: NO_TERMS,
    otherTerms: null,
  };
  if (surface.length <= MAX_CACHED_LENGTH) {
    if (words.size >= MAX_WORDS) words.clear();
    words.set(surface, word);
  }
  return word;
}

/** Words in order, each from `starts[i]` to `ends[i]`. */
export interface Words {
  words: Word[];
  starts: number[];
  ends: number[];
}

/** Splits a text into words: pairs in Chinese, Japanese and Korean, dictionary words in Thai. */
export function wordsOf(text: string): Words {
  const result: Words = { words: [], starts: [], ends: [] };
  const add = (surface: string, start: number): void => {
    result.words.push(wordOf(surface));
    result.starts.push(start);
    result.ends.push(start + surface.length);
  };
  if (ASCII.test(text)) {
    ASCII_WORD.lastIndex = 0;
    for (let m = ASCII_WORD.exec(text); m !== null; m = ASCII_WORD.exec(text)) add(m[0], m.index);
    return result;
  }
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [surface] = match;
    if (surface.charCodeAt(0) < 0x0e00) add(surface, match.index);
    else if (IS_CJK.test(surface)) addPairs(surface, match.index, add);
    else if (IS_UNSPACED.test(surface)) addSegments(surface, match.index, add);
    else add(surface, match.index);
  }
  return result;
}

function addPairs(run: string, start: number, add: (surface: string, start: number) => void): void {
  const characters = [...run];
  if (characters.length === 1) add(run, start);
  let pos = start;
  for (let i = 0; i + 1 < characters.length; i += 1) {
    const [first = '', second = ''] = [characters[i], characters[i + 1]];
    add(first + second, pos);
    pos += first.length;
  }
}

const dictionarySegmenter = new Intl.Segmenter('th', { granularity: 'word' });

function addSegments(run: string, start: number, add: (surface: string, i: number) => void): void {
  for (const { segment, index, isWordLike } of dictionarySegmenter.segment(run)) {
    if (isWordLike === true) add(segment, start + index);
  }
}

/** Index terms of a word in a language. The first one is the whole word. */
export function termsOf(word: Word, language: string): readonly string[] {
  if (word.language === language) return word.terms;
  const known = word.otherTerms?.get(language);
  if (known !== undefined) return known;
  const terms = makeTerms(word.lower, language).filter((term) => term !== '');
  if (word.language === null) {
    word.language = language;
    word.terms = terms;
  } else {
    word.otherTerms ??= new Map();
    word.otherTerms.set(language, terms);
  }
  return terms;
}

const NUMBER = /^\d+(?:[.,]\d+)*$/u;
const JOINER = /['’.,\-‐‑_/:&@]/u;
const ENGLISH_TAIL = /(?:['’]s|n['’]t|['’](?:re|ve|ll|d|m))$/u;
/** French, Italian and Catalan elisions. */
const ELISION = /^(?:[cdjlmnst]|qu|dell|all|dall|nell|sull|un|quest|jusqu|lorsqu|puisqu)['’](?=.)/u;

function makeTerms(lower: string, language: string): string[] {
  if (/^[\p{L}\p{M}]+$/u.test(lower)) return letterTerms(lower, language);
  if (NUMBER.test(lower)) return numberTerms(lower);
  const bare = lower.replace(ENGLISH_TAIL, '').replace(ELISION, '');
  if (!JOINER.test(bare))
    return /\p{N}/u.test(bare) ? mixedTerms(bare) : letterTerms(bare, language);
  return [...new Set(compoundTerms(bare, language))];
}

function letterTerms(lower: string, language: string): string[] {
  if (/\p{Script=Hebrew}/u.test(lower)) return hebrewTerms(lower, language);
  return [stemWord(lower, language)];
}

/** Hebrew prefixes letters for 'and', 'the', 'in', 'to', 'from'. Adds the terms without them. */
function hebrewTerms(lower: string, language: string): string[] {
  const whole = stemWord(lower, language);
  const terms = [whole];
  for (let bare = whole; terms.length < 3 && /^[והבלמשכ]\p{L}{3}/u.test(bare);) {
    bare = bare.slice(1);
    terms.push(bare);
  }
  return terms;
}

/** Indexes 2,340.00 as written and as 2340, and 3,14 also as 3.14. */
function numberTerms(lower: string): string[] {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(lower);
  const groupedByPoint =
    /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/u.test(lower) && !/^\d+\.\d{3}$/u.test(lower);
  let plain = lower;
  if (grouped) plain = lower.replaceAll(',', '');
  else if (groupedByPoint) plain = lower.replaceAll('.', '').replace(',', '.');
  else if (/^\d+,\d+$/u.test(lower)) plain = lower.replace(',', '.');
  if (/^\d+\.\d+$/u.test(plain)) plain = plain.replace(/\.0+$|(?<!0)0+$/u, '');
  if (/^\d+[.,]\d+[.,]/u.test(plain)) return [lower, ...lower.split(/[.,]/u)];
  return plain === lower ? [lower] : [lower, plain];
}

/** Indexes FY2017 as written and by its letters and number. */
function mixedTerms(bare: string): string[] {
  const whole = fold(bare);
  const parts = whole.match(/^(\p{L}{2,})(\d{2,})$|^(\d{2,})(\p{L}{2,})$/u);
  if (parts === null || /^\d+(?:st|nd|rd|th)$/u.test(whole)) return [whole];
  return [whole, ...parts.slice(1).filter((part) => part !== undefined)];
}

function compoundTerms(bare: string, language: string): string[] {
  const parts = bare.split(JOINER).filter((part) => part !== '');
  const single = (part: string): string[] => {
    if (NUMBER.test(part)) return [part];
    return /\p{N}/u.test(part) ? mixedTerms(part) : letterTerms(part, language);
  };
  const onlyLetters = !/\p{N}/u.test(bare);
  if (onlyLetters && parts.every((part) => part.length === 1)) return [fold(parts.join(''))];
  if (onlyLetters && /^[^.@_/:&]+$/u.test(bare)) {
    const short = parts.some((part) => part.length === 1);
    // 'e-mail' is also 'email', 'O'Brien' also 'OBrien'. 'well-known' is only two words.
    const joined = short || /['’]/u.test(bare) ? [stemWord(parts.join(''), language)] : [];
    return [...joined, ...parts.filter((part) => part.length > 1).flatMap(single)];
  }
  if (/^\p{L}{2,}[.:]\p{L}{2,}$/u.test(bare) || /[,/&]/u.test(bare)) {
    if (onlyLetters && !bare.includes('&')) return [...parts.flatMap(single), fold(bare)];
  }
  return [fold(bare), ...parts.flatMap(single)];
}

/** Index terms of a text: folded, stemmed in `language` (ISO 639-1), codes also in parts. */
export function analyze(text: string, language: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text).words) terms.push(...termsOf(word, language));
  return terms;
}

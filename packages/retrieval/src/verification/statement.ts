import { memoize } from '../memoize.ts';
import { isSame, type Value, valuesOf } from './values.ts';
import { fold } from '../languages/fold.ts';
import { alternatives, packOf, wholeWords } from '../languages/index.ts';
import { commonWords, stopWords } from '../text/languages.ts';
import { MONTHS, SPELLED, UNIT_OF, WEEKDAYS } from '../text/measures.ts';
import { CAPITAL, DIGIT, termsOf, type Word, type Words, wordsOf } from '../text/words.ts';

/** An analyzed text. */
export interface Statement {
  language: string;
  words: Word[];
  names: Set<Word>;
  index: Set<string>;
  /** Letters and digits only, to find codes such as INV-2024-001 and addresses. */
  squeezed: string;
  /** Its subject: stems without values, years, and opposites by their number. */
  terms: Set<string>;
  values: Value[];
  negative: boolean;
  sides: Set<string>;
}

const CAPITALS = String.raw`\p{Lu}[\p{L}'’-]{1,40}`;
/** A code such as X200, whose number another one may replace. */
const CODE = /(?<![\p{L}\p{N}])(?<lead>\p{L}{1,8}-?)(?<name>\d+)(?![\p{L}\p{N}])/gu;
const YEAR = /(?<![\p{N}.,])(?:19|20)\d{2}(?![\p{N}]|[.,]\d)/gu;

function makePatterns(language: string) {
  const { claims } = packOf(language);
  const pattern = (source = '(?!)'): RegExp => new RegExp(wholeWords(source), 'giu');
  const sidesOf = (pair: string, n: number): [word: string, side: string][] =>
    pair
      .split('/')
      .flatMap((words, i) =>
        words.split(/\s+/u).map((word): [string, string] => [word, `${n}${i === 0 ? '+' : '-'}`]),
      );
  return {
    negation: pattern(claims?.not),
    harmless: pattern(claims?.harmless),
    ledNames: new RegExp(
      String.raw`(?<!\p{L})(?<lead>${claims?.beforeName ?? '(?!)'})\s(?<name>${CAPITALS})`,
      'gu',
    ),
    commonEnding: claims?.commonEnding === undefined ? null : new RegExp(claims.commonEnding, 'u'),
    sideOf: new Map((claims?.opposites ?? []).flatMap(sidesOf)),
  };
}

const patternsOf = memoize(makePatterns);

export const squeeze = (text: string): string =>
  fold(text.toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');

/** The key of a month, weekday or unit. Other words are their own key. */
function meaningOf({ lower }: Word): string {
  const [month, weekday, unit] = [MONTHS, WEEKDAYS, UNIT_OF].map((names) => names.get(lower));
  if (month !== undefined) return `month ${month}`;
  if (weekday !== undefined) return `weekday ${weekday}`;
  return unit === undefined ? lower : `unit ${unit}`;
}

function indexOf(words: readonly Word[], language: string, values: readonly Value[]) {
  const index = new Set<string>();
  for (const word of words) {
    for (const term of termsOf(word, language)) index.add(term);
    index.add(word.lower).add(meaningOf(word));
  }
  for (const { family, figures, keys } of values) {
    for (const figure of figures) index.add(figure);
    if (family === 'date') for (const day of keys) index.add(`month ${day.split('-')[1]}`);
    if (typeof family === 'number') index.add(`unit ${family}`);
  }
  return index;
}

/** Whether a word carries meaning. Two Japanese letters with a hiragana are usually grammar. */
const isContent = ({ lower }: Word, language: string): boolean =>
  ![language, 'en'].some((code) => stopWords(code).has(lower)) &&
  /[\p{L}\p{N}]/u.test(lower) &&
  !/\p{Script=Hiragana}/u.test(lower);

const isTerm = ({ lower, shape }: Word): boolean =>
  (shape & DIGIT) === 0 &&
  /\p{L}/u.test(lower) &&
  ![UNIT_OF, SPELLED, MONTHS, WEEKDAYS].some((names) => names.has(lower));

interface Names {
  names: Word[][];
  /** Single capitalized words at the start of a sentence that are not common words. */
  heads: Word[];
}

function namesIn(text: string, { words, starts, ends }: Words, language: string): Names {
  const { commonEnding } = patternsOf(language);
  const result: Names = { names: [], heads: [] };
  if (packOf(language).capitalNouns) return result;
  const isCommon = ({ lower }: Word): boolean =>
    (commonEnding?.test(lower) ?? true) || commonWords(language).has(lower);
  const isCapital = (word?: Word): boolean =>
    word !== undefined && (word.shape & (CAPITAL | DIGIT)) === CAPITAL && word.lower.length > 1;
  const gapBefore = (i: number): string => text.slice(ends[i - 1] ?? 0, starts[i]);
  const continues = (i: number): boolean =>
    isCapital(words[i]) && isCapital(words[i - 1]) && /^\s{1,4}$/u.test(gapBefore(i));
  for (const [i, word] of words.entries()) {
    if (!isCapital(word)) continue;
    const opens = i === 0 || !/^,?\s{1,4}$/u.test(gapBefore(i));
    if (continues(i)) result.names.at(-1)?.push(word);
    else if (!opens || continues(i + 1)) result.names.push([word]);
    else if (!isCommon(word)) result.heads.push(word);
  }
  return result;
}

/** Names and codes as values, which other names and codes may contradict. */
function nameValues(text: string, names: readonly Word[][], language: string): Value[] {
  const led = [CODE, patternsOf(language).ledNames].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      family: `name ${groups?.['lead']}`,
      keys: [groups?.['name'] ?? ''],
      figures: [],
    })),
  );
  const named = names.flatMap((words) => {
    const keys = words
      .filter((word) => isTerm(word) && isContent(word, language))
      .flatMap((word) => termsOf(word, language).slice(0, 1));
    return keys.length > 0 ? [{ family: 'name', keys, figures: [] }] : [];
  });
  return [...led, ...named];
}

export function statementOf(text: string, language: string): Statement {
  const tokens = wordsOf(text);
  const { negation, harmless, sideOf } = patternsOf(language);
  const plain = text.toLowerCase().replace(/n['’]t(?!\p{L})/gu, ' not');
  const negations: string[] = plain.replace(harmless, ' ').match(negation) ?? [];
  const sides = new Set<string>();
  const unique = [...new Set(tokens.words)];
  const words = unique.filter((word) => isContent(word, language));
  const terms = new Set<string>(text.match(YEAR));
  for (const word of unique) {
    const side = sideOf.get(word.lower);
    const isNegation = negations.includes(word.lower);
    // Opposites share a term. Some are also negations.
    if (side !== undefined) terms.add(`opposite ${side.slice(0, -1)}`);
    if (side !== undefined && !isNegation) sides.add(side);
    if (side === undefined && !isNegation && isTerm(word) && words.includes(word))
      terms.add(termsOf(word, language)[0] ?? word.lower);
  }
  const { names, heads } = namesIn(text, tokens, language);
  const measures = valuesOf(text);
  return {
    language,
    words,
    names: new Set([...heads, ...names.flat()]),
    index: indexOf(tokens.words, language, measures),
    squeezed: squeeze(text),
    terms,
    values: [...measures, ...nameValues(text, names, language)],
    negative: negations.length % 2 === 1,
    sides,
  };
}

const CLAUSE_END = new RegExp(
  String.raw`(?<=[.!?])\s+|(?<=[。！？；、])|[;:—–]\s|,\s+|(?<!\s)\s+(?=(?:${alternatives(({ claims }) => claims?.contrasts)})\s)|\n|\t|\s·\s|\|`,
  'giu',
);

export const clausesOf = (sentence: string): string[] =>
  sentence.split(CLAUSE_END).filter((piece) => /\p{L}/u.test(piece));

/** The sentences of a text and their clauses. */
export interface Statements {
  sentences: readonly Statement[];
  clauses: readonly Statement[];
}

export function statementsOf(sentences: readonly string[], language: string): Statements {
  const rows = sentences.filter((sentence) => sentence.includes('\t'));
  return {
    sentences: sentences.map((sentence) => statementOf(sentence, language)),
    clauses: [...sentences.flatMap(clausesOf), ...rows].map((part) => statementOf(part, language)),
  };
}

/** Whether a statement contains a value. A bare number may be part of a date or code. */
export const holdsValue = ({ index, values }: Statement, value: Value): boolean =>
  values.some((other) => isSame(value, other)) ||
  (value.family === null && value.keys.some((key) => index.has(key)));

export const holdsWord = ({ index, language }: Statement, word: Word): boolean =>
  [word.lower, meaningOf(word), ...termsOf(word, language)].some((term) => index.has(term));

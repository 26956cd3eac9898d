import { alternatives, askWords, LANGUAGES, packOf, wholeWords } from '../languages/index.ts';
import type { RowWords } from '../languages/language.ts';
import { type DaySpan, daysAsked } from './days-asked.ts';

export type RowOperation = 'sum' | 'count' | 'average' | 'largest' | 'smallest';

/** An amount that rows have to be above or below. */
export interface RowBound {
  is: 'over' | 'atLeast' | 'under' | 'atMost';
  value: number;
  /** What stands with it, in small letters: 'euros', '€', 'km'; null for nothing. */
  unit: string | null;
}

/** What a question asks of rows, as far as its words say so. */
export interface RowsAsked {
  /** Said in so many words; null where it is not. */
  operation: RowOperation | null;
  /** What is counted, in small letters: 'cups' in 'how many cups were sold'; null where nothing is. */
  counted: string | null;
  /** 'How much': a sum where there are several rows. */
  howMuch: boolean;
  list: boolean;
  spent: boolean;
  received: boolean;
  /** Whether rows are meant that are not paid yet, or such that are; null for either. */
  status: 'open' | 'paid' | null;
  /** … and due by now. */
  overdue: boolean;
  bounds: RowBound[];
  /** Days from which on or up to which rows are meant: 'since March 2024'. */
  days: DaySpan | null;
  /** Whether it says of rows what this does not understand: what they are not, or more than what. */
  unclear: boolean;
  byMonth: boolean;
  /** Its words, in small letters, that are explained by what is asked. */
  words: ReadonlySet<string>;
}

type Field = Exclude<keyof RowWords, 'say'>;

/** The words of a field in all languages. */
export const rowWords = (...fields: Field[]): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${fields.map((field) => alternatives(({ rows }) => rows?.[field])).join('|')})(?![\p{L}\p{N}])`;

const patterns = new Map<Field, RegExp>();

function patternOf(field: Field): RegExp {
  const pattern = patterns.get(field) ?? new RegExp(rowWords(field), 'giu');
  patterns.set(field, pattern);
  return pattern;
}

/** The first that is said stands: 'the average of the largest' is rare, 'largest total' is common. */
const OPERATIONS = ['average', 'largest', 'smallest', 'count', 'sum'] as const;

const BY_MONTH = new RegExp(String.raw`${rowWords('by')}\s+${rowWords('month')}`, 'iu');
const COUNTED = new RegExp(
  String.raw`${rowWords('count')}\s+(?:of\s+)?(?:different\s+|distinct\s+|verschiedenen?\s+)?(\p{L}+)`,
  'iu',
);

const COMPARISONS = ['atLeast', 'atMost', 'over', 'under'] as const;
const NUMBER = String.raw`(?:([€$£])|(?:EUR|USD|GBP|CHF)(?=\s))?\s?(\d[\d.,'’]{0,15})(?:\s?([€$£%]|\p{L}{1,15}))?`;
const BOUNDS = COMPARISONS.map(
  (is) => [is, new RegExp(String.raw`${rowWords(is)}\s+${NUMBER}`, 'giu')] as const,
);
const BETWEEN = new RegExp(
  String.raw`${rowWords('between')}\s+${NUMBER}\s+${rowWords('and')}\s+${NUMBER}`,
  'giu',
);
/** No figure is a reason. */
const REASON = new RegExp(wholeWords(askWords(['reason'], LANGUAGES)), 'iu');
/** More than something that is no number. */
const COMPARED =
  /(?<!\p{L})(?:more|less|fewer|other|rather|mehr|weniger|anders) (?:than|als)(?!\p{L})/iu;

/** A number as people write it in a question: three digits behind a sign are thousands. */
function numberSaid(written: string): number {
  const digits = (/^(?:\d[\d.,'’]*\d|\d)/u.exec(written)?.[0] ?? '').replace(/['’]/gu, '');
  const decimals = /[.,](\d{1,2}|\d{4,})$/u.exec(digits)?.[1] ?? '';
  const whole = digits.slice(0, digits.length - decimals.length).replace(/[.,]/gu, '');
  return Number(decimals === '' ? whole : `${whole}.${decimals}`);
}

/** The amounts that rows have to be above or below, and the stretches of the question that say so. */
function boundsIn(text: string): { bounds: RowBound[]; said: string[] } {
  const bounds: RowBound[] = [];
  const said: string[] = [];
  const unitOf = (sign?: string, word?: string) => (sign ?? word)?.toLowerCase() ?? null;
  let rest = text;
  const take = (phrase: string): void => {
    said.push(phrase);
    rest = rest.replace(phrase, ' ');
  };
  for (const [phrase, sign, low = '', word, other, high = '', last] of text.matchAll(BETWEEN)) {
    const unit = unitOf(sign ?? other, last ?? word);
    bounds.push({ is: 'atLeast', value: numberSaid(low), unit });
    bounds.push({ is: 'atMost', value: numberSaid(high), unit });
    take(phrase);
  }
  for (const [is, pattern] of BOUNDS) {
    for (const [phrase, sign, number = '', word] of rest.matchAll(pattern)) {
      bounds.push({ is, value: numberSaid(number), unit: unitOf(sign, word) });
      take(phrase);
    }
  }
  return { bounds, said };
}

/** Reads what a question asks of rows; in all languages, as questions mix them. */
export function readRowsAsked(text: string): RowsAsked {
  const words = new Set<string>();
  const explain = (phrase: string): void => {
    const small = phrase.toLowerCase();
    for (const word of [...small.split(/[^\p{L}\p{N}]+/u), ...small.split(/\s+/u)]) words.add(word);
  };
  const said = (field: Field): boolean => {
    const phrases = text.match(patternOf(field)) ?? [];
    phrases.forEach(explain);
    return phrases.length > 0;
  };
  const operations = OPERATIONS.filter(said);
  const operation = operations[0] ?? null;
  const { bounds, said: bounding } = boundsIn(text);
  const days = daysAsked(text);
  [...bounding, ...days.said].forEach(explain);
  // These words are explained by what is asked, and decide nothing.
  said('weight');
  said('filler');
  const [isOpen, list, howMuch] = [said('open'), said('list'), said('howMuch')];
  // 'Who has paid', not 'what did we pay'.
  const isPaid =
    said('paid') && !howMuch && (operation === 'count' || (operation === null && list));
  const isExtreme = operations.includes('largest') || operations.includes('smallest');
  return {
    operation,
    counted: operation === 'count' ? (COUNTED.exec(text)?.[1]?.toLowerCase() ?? null) : null,
    howMuch,
    list,
    spent: said('spent'),
    received: said('received'),
    status: isOpen ? 'open' : isPaid ? 'paid' : null,
    overdue: said('overdue'),
    bounds,
    days: days.span,
    unclear: days.unclear || isUnclear(text, bounding),
    byMonth: said('month') && (BY_MONTH.test(text) || isExtreme),
    words,
  };
}

/** Whether a condition is left that nothing here reads. */
function isUnclear(text: string, bounding: readonly string[]): boolean {
  const rest = bounding
    .reduce((left, phrase) => left.replace(phrase, ' '), text)
    .replace(patternOf('open'), ' ');
  return REASON.test(rest) || COMPARED.test(rest) || rest.search(patternOf('not')) !== -1;
}

/** What an answer over rows says in a language; English where it has no words of its own. */
export const rowSayings = (language: string): RowWords['say'] => {
  const words = packOf(language).rows ?? packOf('en').rows;
  if (words === undefined) throw new Error('English has words for rows.');
  return words.say;
};

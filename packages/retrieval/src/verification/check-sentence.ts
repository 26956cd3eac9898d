import type { Span } from '../types.ts';
import { type Part, partsOf, plainText } from './answer-markdown.ts';
import { type Claim, claimOf } from './claim.ts';
import { bestQuote, type Source, verbatim } from './source.ts';
import type { Statement } from './statement.ts';
import { isContradicted, isOrder, isRelevant, isSupported, repeatsOrder } from './support.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';

const SOURCES_LIMIT = 3;
const MIN_WORDS = 3;

export interface Cited {
  source: Source;
  quote: Span;
}

export type CheckedPart = Exclude<Part, { sources: number[] }> | { cited: Cited[] };

/** 'ignored' is not about the question. 'withheld' repeats an order or an unknown address. */
export type Checked =
  | { state: 'verified' | 'unverified'; plain: string; parts: CheckedPart[] }
  | { state: 'ignored' | 'withheld' };

/** The question. A claim may repeat its words, numbers and names. */
export interface Query {
  text: string;
  statement: Statement;
}

const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]/gu;
const ADDRESS = /(?:https?:\/\/|www\.)\S|[^\s@]@[^\s@.]+\.\S/iu;
const TAG = /<\/?[a-z][^<>]*>|^\p{L}+:/giu;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const isEcho = (text: string, query: string): boolean =>
  lettersOf(text.replace(TAG, ' ')).replace(lettersOf(query), '') === '';

export function checkSentence(raw: string, sources: readonly Source[], query: Query): Checked {
  const parts = partsOf(raw);
  const sourcesOf = (numbers: readonly number[]): Source[] =>
    numbers.flatMap((n) => sources[n - 1] ?? []);
  const named = [
    ...new Set(sourcesOf(parts.flatMap((part) => ('sources' in part ? part.sources : [])))),
  ];
  const sentence = plainText(parts);
  if (/[?？]["”’)*]*$/u.test(sentence) || isAbstention(sentence, sources))
    return { state: 'ignored' };
  const preferred = [...named, ...sources];
  const { text, exact } = withTrueQuotations(sentence, preferred);
  const claim = claimOf(text, query.text);
  // 'The lease says:' introduces a claim.
  if (named.length === 0 && (sentence.endsWith(':') || claim.words.length < 2))
    return { state: 'ignored' };
  const repeated = sentenceIn(sentence, preferred);
  if (repeated === null && isEcho(sentence, query.text)) return { state: 'ignored' };
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  const isQuoted =
    codes.length > 0 && codes.every((code) => sources.some((source) => verbatim(code, source)));
  const isSupportedBy = (some: readonly Source[]): boolean =>
    isSupported(claim, some, query.statement, isQuoted);
  const cited = repeated ? [repeated] : chooseSources(claim, exact, named, sources, isSupportedBy);
  const words = parts.flatMap((part) => ('sources' in part ? [] : part));
  if (cited.length === 0) {
    // Users must not follow an invented address.
    if (ADDRESS.test(sentence) || repeatsOrder(claim, sources)) return { state: 'withheld' };
    if (isOrder(claim) || !isRelevant(claim, sources, query.statement)) return { state: 'ignored' };
    return { state: 'unverified', plain: sentence, parts: words };
  }
  const inPlace = text === sentence && cited.every(({ source }) => named.includes(source));
  const placed = parts.map((part) => {
    if (!('sources' in part)) return part;
    const partSources = sourcesOf(part.sources);
    return { cited: cited.filter(({ source }) => partSources.includes(source)) };
  });
  const atEnd = [...(text === sentence ? words : [{ text }]), { cited }];
  return { state: 'verified', plain: text, parts: inPlace ? placed : atEnd };
}

/** The quotes of the lines of a code block in one source, or null if no source has all of them. */
export function checkCode(code: string, sources: readonly Source[]): Cited[] | null {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const quotes = sources.map((source) =>
    lines.flatMap((line): Cited[] => {
      const quote = verbatim(line, source);
      return quote === null ? [] : [{ source, quote }];
    }),
  );
  return quotes.find(({ length }) => length === lines.length) ?? null;
}

const withoutEnd = (sentence: string): string =>
  sentence.replace(/\s+/gu, ' ').replace(/(?<![\s.!?;:,])[\s.!?;:,]+$/u, '');

/** The source that contains the sentence word for word, or null. */
function sentenceIn(sentence: string, sources: readonly Source[]): Cited | null {
  const target = withoutEnd(sentence);
  if (target.split(' ').length < MIN_WORDS) return null;
  for (const source of sources) {
    const quote = source.spans.find(
      ({ start, end }) => withoutEnd(source.stated.slice(start, end)) === target,
    );
    if (quote !== undefined) return { source, quote };
  }
  return null;
}

/** The sentence without quotation marks around words that no source has, and the other quotations. */
function withTrueQuotations(
  text: string,
  sources: readonly Source[],
): { text: string; exact: Cited[] } {
  const exact: Cited[] = [];
  const replaced = text.replace(QUOTATION, (quotation: string, inner: string) => {
    // One or two quoted words are a term, not a quotation.
    if (inner.trim().split(/\s+/u).length < MIN_WORDS && inner.length < 24) return quotation;
    const words = inner.replace(/^[\s*]+/u, '').replace(/(?<![\s.,;:!?…*])[\s.,;:!?…*]+$/u, '');
    for (const source of sources) {
      const quote = verbatim(words, source);
      if (quote === null) continue;
      exact.push({ source, quote });
      return quotation;
    }
    return inner;
  });
  return { text: replaced, exact };
}

/** The named sources that support a claim, else the first one that does. */
function chooseSources(
  claim: Claim,
  exact: readonly Cited[],
  named: readonly Source[],
  sources: readonly Source[],
  isSupportedBy: (sources: readonly Source[]) => boolean,
): Cited[] {
  const cite = (source: Source): Cited[] => {
    const quote = exact.find((cited) => cited.source === source)?.quote ?? bestQuote(claim, source);
    return quote === null ? [] : [{ source, quote }];
  };
  const supports = (source: Source): boolean => isSupportedBy([source]);
  const ids = [...new Set([...named, ...exact.map(({ source }) => source)])];
  if (isSupportedBy(ids)) {
    const able = ids.filter(supports);
    return (able.length > 0 ? able : ids).flatMap(cite).slice(0, SOURCES_LIMIT);
  }
  // Another source does not outweigh a contradiction by the named ones.
  if (isContradicted(claim, named)) return [];
  return sources.filter(supports).flatMap(cite).slice(0, 1);
}

const patternOf = (source: string): RegExp => new RegExp(wholeWords(source), 'iu');
/** The model says that the passages lack something, which no quote can show. */
const LACKS = LANGUAGES.flatMap(({ claims }) =>
  claims?.lacks ? [claims.lacks.map(patternOf)] : [],
);
/** The model says that it does not know. A file may say the same: 'Meals are not provided.' */
const KNOWS_NOTHING = patternOf(alternatives(({ claims }) => claims?.knowsNothing));

function areInOrder(text: string, patterns: readonly RegExp[]): boolean {
  let rest = text;
  return patterns.every((pattern) => {
    const match = pattern.exec(rest);
    rest = rest.slice(match === null ? 0 : match.index + match[0].length);
    return match !== null;
  });
}

export function isAbstention(text: string, sources: readonly Source[]): boolean {
  const isIn = (words: string): boolean =>
    sources.some((source) => verbatim(words, source) !== null);
  if (isIn(text)) return false;
  const lacks = LACKS.some((patterns) =>
    text.split('\n').some((line) => areInOrder(line, patterns)),
  );
  const words = KNOWS_NOTHING.exec(text)?.[0];
  return lacks || (words !== undefined && !isIn(words));
}

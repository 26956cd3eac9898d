import {
  type Claim,
  claimOf,
  holdsAnchor,
  holdsWord,
  type questionEvidence,
  repeatsOrder,
  type Source,
  supports,
  touches,
} from './claim-support.ts';
import { misquotes } from './claim-contradiction.ts';
import type { Span } from '../analysis/sentences.ts';
import { bestQuote, verbatim } from './quotes.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import { type Part, partsOf, plainText } from './answer-markdown.ts';

/** Most sources shown for one sentence. */
const SOURCES_LIMIT = 3;

/** A citation before it has its number. */
export interface Cited {
  source: Source;
  /** Offsets in the text of the source's passage. */
  quote: Span;
}

/** A stretch of a sentence, or what it cites there. */
export type CheckedPart = Exclude<Part, { sources: number[] }> | { cited: Cited[] };

/**
 * What a sentence is worth: its sources say so; they do not, and the reader is told; it claims
 * nothing about the question; or it hands on what a file tells a model to say, or an address that
 * stands in no file.
 */
export type Checked =
  | { state: 'verified' | 'unverified'; plain: string; parts: CheckedPart[] }
  | { state: 'nothing' | 'withheld' };

export type Asked = ReturnType<typeof questionEvidence>;

const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]/gu;
const ADDRESS = /(?:https?:\/\/|www\.)\S|[^\s@]@[^\s@.]+\.\S/iu;

const sourceOf = (source: string): RegExp => new RegExp(wholeWords(source), 'iu');
/** A model says that the passages lack something: true or not, no quote can show it. */
const LACKS = LANGUAGES.flatMap(({ claims }) =>
  claims?.lacks ? [claims.lacks.map(sourceOf)] : [],
);
/** A model says that it knows nothing, unless a file has put it just so: 'Meals are not provided.' */
const KNOWS_NOTHING = sourceOf(alternatives(({ claims }) => claims?.knowsNothing));

/** Whether all stand in a text, each behind the one before. */
function inOrder(text: string, patterns: readonly RegExp[]): boolean {
  let rest = text;
  return patterns.every((pattern) => {
    const found = pattern.exec(rest);
    rest = rest.slice(found === null ? 0 : found.index + found[0].length);
    return found !== null;
  });
}

/** Whether a model says that it found nothing. */
export function findsNothing(text: string, sources: readonly Source[]): boolean {
  const stands = (words: string): boolean =>
    sources.some((source) => verbatim(words, source) !== null);
  if (stands(text)) return false;
  const lacks = LACKS.some((patterns) => text.split('\n').some((line) => inOrder(line, patterns)));
  const words = KNOWS_NOTHING.exec(text)?.[0];
  return lacks || (words !== undefined && !stands(words));
}

/** Compares a sentence of a model with what it was shown. */
export function checkSentence(raw: string, sources: readonly Source[], asked: Asked): Checked {
  const parts = partsOf(raw);
  const shown = (numbers: readonly number[]): Source[] =>
    numbers.flatMap((n) => sources[n - 1] ?? []);
  const named = shown(parts.flatMap((part) => ('sources' in part ? part.sources : [])));
  const said = plainText(parts);
  if (/[?？]["”’)*]*$/u.test(said) || findsNothing(said, sources)) return { state: 'nothing' };
  const { text, exact } = withTrueQuotations(said, [...named, ...sources]);
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  const stands = (code: string): boolean => sources.some((each) => verbatim(code, each) !== null);
  const quoted = codes.length > 0 && codes.every(stands);
  const claim = { ...claimOf(text, asked.text), quoted };
  // 'The lease says:' or 'Rent' without a source introduces a claim and is none.
  if (named.length === 0 && (said.endsWith(':') || claim.content.length < 2)) {
    return { state: 'nothing' };
  }
  const cited = chooseSources(claim, exact, [...new Set(named)], sources, asked);
  const words = parts.flatMap((part) => ('sources' in part ? [] : part));
  if (cited.length === 0) {
    // Nobody shall follow an address that no file holds.
    if (ADDRESS.test(said) || repeatsOrder(claim, sources)) return { state: 'withheld' };
    if (!touches(claim, sources, asked)) return { state: 'nothing' };
    return { state: 'unverified', plain: said, parts: words };
  }
  const inPlace = text === said && cited.every(({ source }) => named.includes(source));
  const placed = parts.map((part) => {
    if (!('sources' in part)) return part;
    const here = shown(part.sources);
    return { cited: cited.filter(({ source }) => here.includes(source)) };
  });
  const behind = [...(text === said ? words : [{ text }]), { cited }];
  return { state: 'verified', plain: text, parts: inPlace ? placed : behind };
}

/** The sentence without the marks of quotations that stand nowhere, and where the others stand. */
function withTrueQuotations(
  text: string,
  sources: readonly Source[],
): { text: string; exact: Cited[] } {
  const exact: Cited[] = [];
  const replaced = text.replace(QUOTATION, (whole: string, inner: string) => {
    // One or two words in quotation marks are a term, not a quotation.
    if (inner.trim().split(/\s+/u).length < 3 && inner.length < 24) return whole;
    const words = inner.replace(/^[\s*]+/u, '').replace(/(?<![\s.,;:!?…*])[\s.,;:!?…*]+$/u, '');
    for (const source of sources) {
      const quote = verbatim(words, source);
      if (quote === null) continue;
      exact.push({ source, quote });
      return whole;
    }
    return inner;
  });
  return { text: replaced, exact };
}

/** The sources of a claim: those it names as far as they support it, else the one that does best. */
function chooseSources(
  claim: Claim,
  exact: readonly Cited[],
  named: readonly Source[],
  sources: readonly Source[],
  asked: Asked,
): Cited[] {
  const able = (...some: readonly Source[]): boolean => supports(claim, some, asked);
  const isQuoted = (source: Source): boolean => exact.some((cited) => cited.source === source);
  const cite = (source: Source): Cited[] => {
    const quote = bestQuote(claim, source, asked);
    const known = exact.find((cited) => cited.source === source);
    return known === undefined ? (quote === null ? [] : [{ source, quote }]) : [known];
  };
  const wanted = [...new Set([...named, ...exact.map(({ source }) => source)])];
  if (able(...wanted)) {
    const kept = wanted.filter((source) => {
      const others = wanted.filter((other) => other !== source);
      const theirs = new Set(others.flatMap((each) => held(claim, each)));
      const adds = held(claim, source).some((each) => !theirs.has(each));
      return adds || able(source) || isQuoted(source);
    });
    const cited = kept.flatMap(cite);
    if (cited.length > 0) return cited.slice(0, SOURCES_LIMIT);
  }
  // What names a sentence and says other than that is not made right by a source that says less.
  if (
    misquotes(
      claim.text,
      named.map(({ statements }) => statements),
    )
  )
    return [];
  return sources
    .filter((source) => able(source))
    .sort((a, b) => held(claim, b).length - held(claim, a).length)
    .flatMap(cite)
    .slice(0, 1);
}

/** The words, numbers and names of a claim that a source holds itself; its headings do not count. */
const held = ({ anchors, content }: Claim, { evidence }: Source): unknown[] => [
  ...anchors.filter((anchor) => holdsAnchor(evidence, anchor)),
  ...content.filter((word) => holdsWord(evidence, word)),
];

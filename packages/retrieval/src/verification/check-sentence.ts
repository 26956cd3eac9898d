import type { Span } from '../text/sentences.ts';
import { type Part, partsOf, plainText } from './answer-markdown.ts';
import {
  type Claim,
  claimOf,
  heldBy,
  isMisquote,
  isRelevant,
  type questionStatement,
  repeatsOrder,
  supports,
} from './claim.ts';
import { findsNothing } from './finds-nothing.ts';
import { bestQuote, verbatim } from './quotes.ts';
import type { Source } from './source.ts';

/** Most sources shown for one sentence. */
const SOURCES_LIMIT = 3;

/** A citation before it has its number. */
export interface Cited {
  source: Source;
  /** Offsets in the text of the source's passage. */
  quote: Span;
}

/** A part of a sentence, or what it cites there. */
export type CheckedPart = Exclude<Part, { sources: number[] }> | { cited: Cited[] };

/**
 * A sentence after its check: its sources support it; they do not, and it is marked; it says nothing
 * about the question; or it repeats a file's instruction to models, or has an address that is in no file.
 */
export type Checked =
  | { state: 'verified' | 'unverified'; plain: string; parts: CheckedPart[] }
  | { state: 'nothing' | 'withheld' };

export type Asked = ReturnType<typeof questionStatement>;

const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]/gu;
const ADDRESS = /(?:https?:\/\/|www\.)\S|[^\s@]@[^\s@.]+\.\S/iu;

/** Compares a sentence of a model with what it was shown. */
export function checkSentence(raw: string, sources: readonly Source[], asked: Asked): Checked {
  const parts = partsOf(raw);
  const shown = (numbers: readonly number[]): Source[] =>
    numbers.flatMap((n) => sources[n - 1] ?? []);
  const named = [
    ...new Set(shown(parts.flatMap((part) => ('sources' in part ? part.sources : [])))),
  ];
  const said = plainText(parts);
  if (/[?？]["”’)*]*$/u.test(said) || findsNothing(said, sources)) return { state: 'nothing' };
  const { text, exact } = withTrueQuotations(said, [...named, ...sources]);
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  const quoted =
    codes.length > 0 &&
    codes.every((code) => sources.some((source) => verbatim(code, source) !== null));
  const claim = { ...claimOf(text, asked.text), quoted };
  // 'The lease says:' or 'Rent' without a source introduces a claim and is none.
  if (named.length === 0 && (said.endsWith(':') || claim.words.length < 2))
    return { state: 'nothing' };
  const repeated = sentenceIn(said, [...named, ...sources]);
  const cited = repeated === null ? chooseSources(claim, exact, named, sources, asked) : [repeated];
  const words = parts.flatMap((part) => ('sources' in part ? [] : part));
  if (cited.length === 0) {
    // Nobody shall follow an address that no file holds.
    if (ADDRESS.test(said) || repeatsOrder(claim, sources)) return { state: 'withheld' };
    if (!isRelevant(claim, sources, asked)) return { state: 'nothing' };
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

/** Where each line of a block of code stands in one source just so; null where none has all of them. */
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

/** Fewer words than this are in common by chance. */
const MIN_WORDS = 3;

const withoutEnd = (sentence: string): string =>
  sentence.replace(/\s+/gu, ' ').replace(/(?<![\s.!?;:,])[\s.!?;:,]+$/u, '');

/** Where a sentence stands letter for letter as a whole sentence of a source. */
function sentenceIn(said: string, sources: readonly Source[]): Cited | null {
  const wanted = withoutEnd(said);
  if (wanted.split(' ').length < MIN_WORDS) return null;
  const found = sources.flatMap((source) => {
    const quote = source.spans.find(
      ({ start, end }) => withoutEnd(source.stated.slice(start, end)) === wanted,
    );
    return quote === undefined ? [] : [{ source, quote }];
  });
  return found[0] ?? null;
}

/** The sentence without the marks of quotations that stand nowhere, and where the others stand. */
function withTrueQuotations(
  text: string,
  sources: readonly Source[],
): { text: string; exact: Cited[] } {
  const exact: Cited[] = [];
  const replaced = text.replace(QUOTATION, (whole: string, inner: string) => {
    // One or two words in quotation marks are a term, not a quotation.
    if (inner.trim().split(/\s+/u).length < MIN_WORDS && inner.length < 24) return whole;
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
  const exactIn = (source: Source): Cited | undefined =>
    exact.find((cited) => cited.source === source);
  const cite = (source: Source): Cited[] => {
    const known = exactIn(source);
    if (known !== undefined) return [known];
    const quote = bestQuote(claim, source, asked);
    return quote === null ? [] : [{ source, quote }];
  };
  const wanted = [...new Set([...named, ...exact.map(({ source }) => source)])];
  if (able(...wanted)) {
    const kept = wanted.filter((source) => {
      const others = wanted.filter((other) => other !== source);
      const theirs = new Set(others.flatMap((each) => heldBy(claim, each)));
      const adds = heldBy(claim, source).some((each) => !theirs.has(each));
      return adds || able(source) || exactIn(source) !== undefined;
    });
    const cited = kept.flatMap(cite);
    if (cited.length > 0) return cited.slice(0, SOURCES_LIMIT);
  }
  // A source that says less does not make up for a misquote of those that are named.
  if (isMisquote(claim, named)) return [];
  return sources
    .filter((source) => able(source))
    .sort((a, b) => heldBy(claim, b).length - heldBy(claim, a).length)
    .flatMap(cite)
    .slice(0, 1);
}

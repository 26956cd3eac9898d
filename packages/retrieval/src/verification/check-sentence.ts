import {
  type Claim,
  claimOf,
  holdsAnchor,
  type questionEvidence,
  repeatsOrder,
  type Source,
  supports,
  touches,
} from './claim-support.ts';
import { bestQuote, heldWords, type Quote, verbatim } from './quotes.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import { type Part, partsOf, plainText } from './answer-markdown.ts';

/** Most sources shown for one sentence. */
const SOURCES_LIMIT = 3;

/** A citation before it has its number: which of the sources, and the exact quote. */
export interface Cited {
  index: number;
  quote: Quote;
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
  const named = [...new Set(parts.flatMap((part) => ('sources' in part ? part.sources : [])))]
    .map((n) => n - 1)
    .filter((index) => index >= 0 && index < sources.length);
  const said = plainText(parts);
  if (/[?？]["”’)*]*$/u.test(said) || findsNothing(said, sources)) return { state: 'nothing' };
  const claim = claimOf(said, asked.text);
  // 'The lease says:' or 'Rent' without a source introduces a claim and is none.
  if (named.length === 0 && (said.endsWith(':') || claim.content.length < 2)) {
    return { state: 'nothing' };
  }
  return (
    verified(parts, named, sources, asked) ?? unverified({ said, claim, parts }, sources, asked)
  );
}

function verified(
  parts: readonly Part[],
  named: readonly number[],
  sources: readonly Source[],
  asked: Asked,
): Checked | null {
  const said = plainText(parts);
  const { text, exact } = withTrueQuotations(said, named, sources);
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  const stands = (code: string): boolean => sources.some((each) => verbatim(code, each) !== null);
  const quoted = codes.length > 0 && codes.every(stands);
  const claim = { ...claimOf(text, asked.text), quoted };
  const cited = chooseSources(claim, exact, named, sources, asked);
  if (cited.length === 0) return null;
  if (text !== said || !cited.every(({ index }) => named.includes(index))) {
    const words = text === said ? withoutSources(parts) : [{ text }];
    return { state: 'verified', plain: text, parts: [...words, { cited }] };
  }
  const kept = parts.map((part) =>
    'sources' in part
      ? { cited: cited.filter(({ index }) => part.sources.includes(index + 1)) }
      : part,
  );
  return { state: 'verified', plain: text, parts: kept };
}

const withoutSources = (parts: readonly Part[]): Exclude<Part, { sources: number[] }>[] =>
  parts.flatMap((part) => ('sources' in part ? [] : part));

function unverified(
  { said, claim, parts }: { said: string; claim: Claim; parts: readonly Part[] },
  sources: readonly Source[],
  asked: Asked,
): Checked {
  // Nobody shall follow an address that no file holds.
  if (ADDRESS.test(said) || repeatsOrder(claim, sources)) return { state: 'withheld' };
  if (!touches(claim, sources, asked)) return { state: 'nothing' };
  return { state: 'unverified', plain: said, parts: withoutSources(parts) };
}

/** The sentence without the marks of quotations that stand nowhere, and where the others stand. */
function withTrueQuotations(
  text: string,
  named: readonly number[],
  sources: readonly Source[],
): { text: string; exact: Cited[] } {
  const exact: Cited[] = [];
  const order = [...named, ...sources.keys().filter((index) => !named.includes(index))];
  const replaced = text.replace(QUOTATION, (whole: string, inner: string) => {
    // One or two words in quotation marks are a term, not a quotation.
    if (inner.trim().split(/\s+/u).length < 3 && inner.length < 24) return whole;
    const words = inner.replace(/^[\s*]+/u, '').replace(/(?<![\s.,;:!?…*])[\s.,;:!?…*]+$/u, '');
    for (const index of order) {
      const quote = sources.slice(index, index + 1).map((source) => verbatim(words, source))[0];
      if (quote === undefined || quote === null) continue;
      exact.push({ index, quote });
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
  named: readonly number[],
  sources: readonly Source[],
  asked: Asked,
): Cited[] {
  const at = (indexes: readonly number[]): Source[] =>
    indexes.flatMap((index) => sources.slice(index, index + 1));
  const able = (indexes: readonly number[]): boolean => supports(claim, at(indexes), asked);
  const cite = (index: number): Cited[] => {
    const known = exact.find((cited) => cited.index === index);
    if (known !== undefined) return [known];
    const quote = at([index]).map((source) => bestQuote(claim, source, asked))[0] ?? null;
    return quote === null ? [] : [{ index, quote }];
  };
  const wanted = [...new Set([...named, ...exact.map((cited) => cited.index)])];
  if (able(wanted)) {
    /** What of the claim some sources hold. */
    const held = (indexes: readonly number[]): unknown[] =>
      at(indexes).flatMap((source) => [
        ...claim.anchors.filter((anchor) => holdsAnchor(source.evidence, anchor)),
        ...heldWords(claim, source),
      ]);
    const kept = wanted.filter((index) => {
      const others = held(wanted.filter((other) => other !== index));
      const adds = held([index]).some((each) => !others.includes(each));
      return adds || able([index]) || exact.some((cited) => cited.index === index);
    });
    const cited = kept.flatMap(cite);
    if (cited.length > 0) return cited.slice(0, SOURCES_LIMIT);
  }
  const held = (index: number): number => at([index]).flatMap((s) => heldWords(claim, s)).length;
  return [...sources.keys()]
    .filter((index) => able([index]))
    .sort((a, b) => held(b) - held(a))
    .flatMap(cite)
    .slice(0, 1);
}

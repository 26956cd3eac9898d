import {
  type Claim,
  claimOf,
  denies,
  holdsAnchor,
  type questionEvidence,
  repeatsOrder,
  type Source,
  supports,
  touches,
} from './claim-support.ts';
import { bestQuote, heldWords, type Quote, verbatim } from './quotes.ts';
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

/** A model says that the passages lack something: true or not, no quote can show it. */
const PASSAGES_LACK: readonly RegExp[] = [
  /\b(?:passages?|files?|documents?|sources?|context|information|text)\b/iu,
  /\b(?:do(?:es)?(?:n['’]t| not)|no|not|lacks?|without)\b/iu,
  /\b(?:mention|sa[iy]|contain|provide|specif|state|include|indicate|cover|answer|give|inform|detail)/iu,
];
/** A model says that it knows nothing, unless a file has put it just so: 'Meals are not provided.' */
const KNOWS_NOTHING =
  /\b(?:(?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|unable to) (?:know|find|tell|determine|answer|say|see)|(?:not|no) (?:enough |any |further )?(?:information|mentioned|specified|provided|stated|known)|keine (?:Angaben?|Informationen)|nicht (?:erwähnt|angegeben|genannt)|weiß (?:ich )?nicht|pas (?:mentionné|précisé|indiqué)|no (?:menciona|indica|especifica))/iu;

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
  if (sources.some((source) => verbatim(text, source) !== null)) return false;
  if (text.split('\n').some((line) => inOrder(line, PASSAGES_LACK))) return true;
  const words = KNOWS_NOTHING.exec(text)?.[0];
  return words !== undefined && !sources.some((source) => verbatim(words, source) !== null);
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
  const quoted = withTrueQuotations(plainText(parts), named, sources, asked);
  if (quoted === null) return null;
  const { text, exact } = quoted;
  const claim = claimOf(text, asked.text);
  const supported = chooseSources(claim, exact, named, sources, asked);
  const cited = supported.length > 0 ? supported : codeOf(parts, claim, sources);
  if (cited.length === 0) return null;
  const unchanged = text === plainText(parts);
  const inPlace = unchanged && cited.every(({ index }) => named.includes(index));
  if (inPlace) {
    const kept = parts.map((part) =>
      'sources' in part
        ? { cited: cited.filter(({ index }) => part.sources.includes(index + 1)) }
        : part,
    );
    return { state: 'verified', plain: text, parts: kept };
  }
  const words = unchanged ? withoutSources(parts) : [{ text }];
  return { state: 'verified', plain: text, parts: [...words, { cited }] };
}

/** Where the code of a sentence stands just so, in a source that has most of its words as well. */
function codeOf(parts: readonly Part[], claim: Claim, sources: readonly Source[]): Cited[] {
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  if (codes.length === 0) return [];
  const found = sources.flatMap((source, index): Cited[][] => {
    const quotes = codes.flatMap((code) => verbatim(code, source) ?? []);
    const whole = quotes.length === codes.length && !denies(claim, source);
    const held = heldWords(claim, source).length;
    const enough = whole && held >= claim.content.length / 2;
    return enough ? [quotes.map((quote) => ({ index, quote }))] : [];
  });
  return found[0]?.slice(0, SOURCES_LIMIT) ?? [];
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

/**
 * The sentence with quotations that are true: one that stands in no source gives way to the
 * source's own words when they say the same; null when no source does.
 */
function withTrueQuotations(
  text: string,
  named: readonly number[],
  sources: readonly Source[],
  asked: Asked,
): { text: string; exact: Cited[] } | null {
  const exact: Cited[] = [];
  let unfounded = false;
  const order = [...named, ...sources.keys().filter((index) => !named.includes(index))];
  const replaced = text.replace(QUOTATION, (whole: string, inner: string) => {
    // One or two words in quotation marks are a term, not a quotation; claims cover them.
    if (inner.trim().split(/\s+/u).length < 3 && inner.length < 24) return whole;
    const words = inner.replace(/^[\s*]+/u, '').replace(/(?<![\s.,;:!?…*])[\s.,;:!?…*]+$/u, '');
    for (const index of order) {
      const source = sources[index];
      const quote = source === undefined ? null : verbatim(words, source);
      if (quote !== null) {
        exact.push({ index, quote });
        return whole;
      }
    }
    const own = ownWords(claimOf(words, asked.text), order, sources, asked);
    if (own === null) unfounded = true;
    else exact.push(own.cited);
    return own === null ? '' : `“${own.text}”`;
  });
  return unfounded ? null : { text: replaced, exact };
}

function ownWords(
  claim: Claim,
  order: readonly number[],
  sources: readonly Source[],
  asked: Asked,
): { text: string; cited: Cited } | null {
  for (const index of order) {
    const source = sources[index];
    if (source === undefined || !supports(claim, [source], asked)) continue;
    const quote = bestQuote(claim, source, asked);
    if (quote === null) continue;
    const text = source.passage.text.slice(quote.start, quote.end);
    const stated = plainText(partsOf(text)).replace(/(?<![.!?…。！？])[.!?…。！？]+$/u, '');
    return { text: stated, cited: { index, quote } };
  }
  return null;
}

/** The sources of a claim: those it names as far as they support it, else the one that does best. */
function chooseSources(
  claim: Claim,
  exact: readonly Cited[],
  named: readonly number[],
  sources: readonly Source[],
  asked: Asked,
): Cited[] {
  const at = (index: number): Source[] => sources.slice(index, index + 1);
  const cite = (index: number): Cited[] => {
    const known = exact.find((cited) => cited.index === index);
    if (known !== undefined) return [known];
    const quote = at(index).map((source) => bestQuote(claim, source, asked))[0] ?? null;
    return quote === null ? [] : [{ index, quote }];
  };
  const wanted = [...new Set([...named, ...exact.map((cited) => cited.index)])];
  if (supports(claim, wanted.flatMap(at), asked)) {
    const adds = (index: number): boolean => {
      if (exact.some((cited) => cited.index === index)) return true;
      if (at(index).some((source) => supports(claim, [source], asked))) return true;
      const others = wanted.filter((other) => other !== index).flatMap(at);
      const holds = (anchor: Claim['anchors'][number]) => (source: Source) =>
        holdsAnchor(source.evidence, anchor);
      if (claim.anchors.some((a) => at(index).some(holds(a)) && !others.some(holds(a))))
        return true;
      return at(index)
        .flatMap((source) => heldWords(claim, source))
        .some((word) => !others.some((other) => heldWords(claim, other).includes(word)));
    };
    const kept = wanted.filter(adds).flatMap(cite);
    if (kept.length > 0) return kept.slice(0, SOURCES_LIMIT);
  }
  const able = [...sources.keys()].filter((index) => supports(claim, at(index), asked));
  const held = (index: number): number => at(index).flatMap((s) => heldWords(claim, s)).length;
  return able
    .sort((a, b) => held(b) - held(a))
    .flatMap(cite)
    .slice(0, 1);
}

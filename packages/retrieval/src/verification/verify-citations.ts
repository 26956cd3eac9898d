import { NO_ANSWER } from '../answer/answer.ts';
import {
  bestQuote,
  type Claim,
  claimOf,
  heldWords,
  questionEvidence,
  type Quote,
  type Source,
  sourceOf,
  supports,
  verbatim,
} from './claim-support.ts';
import { addressesAsCode } from '../answer/markdown.ts';
import { MARKER, sentenceEnd } from './sentence-stream.ts';
import type { Answer, Citation, Passage } from '../types.ts';

/** An answer grows no longer than this many words, whatever a model goes on writing. */
const WORD_LIMIT = 150;
/** Longest sentence that is shown, in UTF-16 units. */
const SENTENCE_LIMIT = 400;
/** Most sources shown for one sentence. */
const SOURCES_LIMIT = 3;

/** Checks a model's answer while it is written. */
export interface CitationVerifier {
  /** Takes the next piece of the model's text; answers what may be shown now, often nothing. */
  push(text: string): string;
  /**
   * The model is done: what may still be shown, and the whole answer. `unverified` says that the model
   * claimed to know something, and none of it could be verified.
   */
  end(): { rest: string; answer: Answer; unverified: boolean };
}

/** How a line of Markdown begins. */
type Prefix = 'none' | 'bullet' | 'number';

/** A sentence as it is worked on: stretches of text and, between them, the sources they name. */
type Part = { text: string } | { sources: number[] };

/** A citation before it has its number: passage and exact quote. */
interface Cited {
  index: number;
  quote: Quote;
}

const MARKERS = new RegExp(String.raw`(?:${MARKER.source}(?:\([^()\s]*\))?)`, 'giu');
const INVISIBLE = /[\p{Cc}\p{Co}\u202a-\u202e\u2066-\u2069]/gu;
const LINE_PREFIX = /^(?:\s|>|#{1,6}\s|(?:[-*+•–]|\d{1,3}[.)])(?=\s))+/u;
const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]/gu;

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

function findsNothing(text: string, sources: readonly Source[]): boolean {
  if (text.split('\n').some((line) => inOrder(line, PASSAGES_LACK))) return true;
  const words = KNOWS_NOTHING.exec(text)?.[0];
  return words !== undefined && !sources.some((source) => verbatim(words, source) !== null);
}

/**
 * Lets through only those sentences of a model's answer that the passages support. `[n]` in the
 * model's text is the n-th passage, counted from 1. A sentence is shown once it is complete and
 * checked: sources that do not exist are dropped; a source that does not support its sentence is
 * replaced by one that does, and without one the sentence is dropped; quotations that do not stand
 * in the source letter for letter are replaced by the source's own words. Each citation gets an exact
 * quote, the sentences of its passage that hold most of the claim, and is numbered anew in the order of
 * appearance. Markdown is reduced to paragraphs, lists and bold: no HTML, links or images.
 * In which pieces the text arrives makes no difference.
 */
export function createCitationVerifier(
  question: string,
  passages: readonly Passage[],
): CitationVerifier {
  const asked = questionEvidence(question);
  const sources = passages.map((passage) => sourceOf(passage, question));
  const citations: Citation[] = [];
  const seen = new Set<string>();
  let buffer = '';
  let markdown = '';
  let prefix: Prefix | null = null;
  let openLine: Prefix | null = null;
  let lastLine: Prefix = 'none';
  let item = 0;
  let words = 0;
  let full = false;
  let [claims, admissions] = [0, 0];

  /** The number of a citation, known or new. */
  function numberOf({ index, quote }: Cited): number {
    const source = sources[index];
    if (source === undefined) throw new RangeError(`There is no passage ${index + 1}.`);
    const { artifactId, fileName, text, start } = source.passage;
    const [from, to] = [start + quote.start, start + quote.end];
    const known = citations.find(
      (c) => c.artifactId === artifactId && c.start === from && c.end === to,
    );
    if (known !== undefined) return known.n;
    const n = citations.length + 1;
    const { location } = quote;
    const exact = text.slice(quote.start, quote.end);
    citations.push({ n, artifactId, fileName, location, quote: exact, start: from, end: to });
    return n;
  }

  function separator(line: Prefix, opens: boolean): string {
    if (!opens) return ' ';
    item = line === 'number' && lastLine === 'number' ? item + 1 : 1;
    const mark = { none: '', bullet: '- ', number: `${item}. ` }[line];
    if (markdown === '') return mark;
    return (line !== 'none' && line === lastLine ? '\n' : '\n\n') + mark;
  }

  /** What of one sentence may be shown. */
  function admit(raw: string): string {
    if (full || raw.length > SENTENCE_LIMIT * 2) return '';
    if (/\p{L}/u.test(raw)) claims += 1;
    if (findsNothing(raw, sources)) admissions += 1;
    const checked = checkSentence(raw, sources, asked);
    if (checked === null || checked.plain.length > SENTENCE_LIMIT) return '';
    const key = checked.plain.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (seen.has(key)) return '';
    const count = checked.plain.split(/\s+/u).length;
    if (words + count > WORD_LIMIT) {
      full = true;
      return '';
    }
    seen.add(key);
    words += count;
    const line = prefix ?? 'none';
    const shown = separator(line, openLine === null) + renderSentence(checked.parts, numberOf);
    openLine = line;
    lastLine = line;
    markdown += shown;
    return shown;
  }

  function takeSentence(raw: string): string {
    if (prefix !== null) return admit(raw);
    const row = /^\s*\|/u.test(raw);
    const found = LINE_PREFIX.exec(raw)?.[0] ?? '';
    prefix = 'none';
    if (/\d/u.test(found)) prefix = 'number';
    else if (/[-*+•–]/u.test(found) || row) prefix = 'bullet';
    // A heading claims nothing, and an answer of this length needs none.
    if (found.includes('#')) return '';
    const rest = raw.slice(found.length);
    return admit(
      row ? rest.replace(/^\s*\||\|\s*$/gu, '').replace(/(?:(?<!\s)\s+)?\|\s*/gu, ', ') : rest,
    );
  }

  /** Takes all sentences that are certain to be complete off the buffer. */
  function drain(atEnd: boolean): string {
    let shown = '';
    while (buffer !== '') {
      const lineEnd = buffer.indexOf('\n');
      const line = lineEnd < 0 ? buffer : buffer.slice(0, lineEnd);
      const end = sentenceEnd(line, atEnd || lineEnd >= 0);
      if (end < 0) break;
      shown += takeSentence(line.slice(0, end));
      buffer = buffer.slice(end);
      if (buffer.startsWith('\n')) {
        buffer = buffer.slice(1);
        prefix = null;
        openLine = null;
      }
    }
    return shown;
  }

  return {
    push(text) {
      buffer += text.replaceAll('\r', '');
      // Half a character says nothing yet about what follows a sentence.
      const half = /[\uD800-\uDBFF]$/u.exec(buffer)?.[0] ?? '';
      if (half !== '') buffer = buffer.slice(0, -1);
      const shown = drain(false);
      buffer += half;
      return shown;
    },
    end() {
      const rest = drain(true);
      const grounded = citations.length > 0;
      if (grounded) {
        const answer = { markdown, citations: [...citations], grounded };
        return { rest, answer, unverified: false };
      }
      const unverified = claims > 0 && admissions === 0;
      return { rest, answer: { markdown: NO_ANSWER, citations: [], grounded }, unverified };
    },
  };
}

/** A sentence with its sources checked: `plain` is its text without them. */
interface CheckedSentence {
  plain: string;
  parts: ({ text: string } | { cited: Cited[] })[];
}

function checkSentence(
  raw: string,
  sources: readonly Source[],
  asked: ReturnType<typeof questionEvidence>,
): CheckedSentence | null {
  const parts = partsOf(raw);
  const named = [...new Set(parts.flatMap((part) => ('sources' in part ? part.sources : [])))]
    .map((n) => n - 1)
    .filter((index) => index >= 0 && index < sources.length);
  const quoted = withTrueQuotations(plainText(parts), named, sources, asked);
  if (quoted === null) return null;
  const { text, exact } = quoted;
  if (/[?？]["”’)*]*$/u.test(text) || findsNothing(text, sources)) return null;
  const claim = claimOf(text);
  // 'The lease says:' or 'Rent' without a source introduces a claim and is none.
  if (named.length === 0 && (text.endsWith(':') || claim.content.length < 2)) return null;
  const cited = chooseSources(claim, exact, named, sources, asked);
  if (cited.length === 0) return null;
  const unchanged = text === plainText(parts);
  const inPlace = unchanged && cited.every(({ index }) => named.includes(index));
  if (!inPlace) return { plain: text, parts: [{ text }, { cited }] };
  const kept = parts.map((part) =>
    'text' in part
      ? part
      : { cited: cited.filter(({ index }) => part.sources.includes(index + 1)) },
  );
  return { plain: text, parts: kept };
}

/** Cuts the sources out of a sentence and leaves of its Markdown only bold. */
function partsOf(raw: string): Part[] {
  const text = raw
    .toWellFormed()
    .replace(INVISIBLE, ' ')
    .replace(/\\([[\]])/gu, '$1');
  const bold = (text.split('**').length - 1) % 2 === 0;
  const clean = (stretch: string): string =>
    stretch
      .replace(/[[【][^\]】]{0,20}$/u, '')
      .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '$1')
      .replace(/[[【]/gu, '(')
      .replace(/[\]】]/gu, ')')
      .replace(/~{2,}/gu, '')
      .replace(bold ? /`|(?<!\*)\*(?!\*)/gu : /[`*]/gu, '')
      .replace(/\s+/gu, ' ');
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKERS)) {
    parts.push({ text: clean(text.slice(at, match.index)) }, { sources: numbersIn(match[0]) });
    at = match.index + match[0].length;
  }
  return [...parts, { text: clean(text.slice(at)) }];
}

function numbersIn(marker: string): number[] {
  const inside = marker.replace(/†.*|\(.*/gu, '');
  const range = /(?<!\d)(\d+) ?[-–] ?(\d+)/u.exec(inside);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (range !== null && to > from && to - from < 10) {
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  }
  return (inside.match(/\d+/gu) ?? []).map(Number);
}

const plainText = (parts: readonly Part[]): string =>
  parts
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
    .replace(/(?<!\s)\s+([.,;:!?])/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();

/**
 * The sentence with quotations that are true: one that stands in no source gives way to the
 * source's own words when they say the same; null when no source does.
 */
function withTrueQuotations(
  text: string,
  named: readonly number[],
  sources: readonly Source[],
  asked: ReturnType<typeof questionEvidence>,
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
    const own = ownWords(claimOf(words), order, sources, asked);
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
  asked: ReturnType<typeof questionEvidence>,
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
  asked: ReturnType<typeof questionEvidence>,
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

/** Markdown of a sentence; sources at its end stand after the full stop: `So it is. [1]` */
function renderSentence(
  parts: CheckedSentence['parts'],
  numberOf: (cited: Cited) => number,
): string {
  // The text itself holds no square brackets: every [n] is one that was put here, and no backticks.
  return parts
    .map((part) => {
      if ('text' in part) return addressesAsCode(part.text.replaceAll('<', '&lt;'));
      return part.cited.map((cited) => `[${numberOf(cited)}]`).join('');
    })
    .join('')
    .trim()
    .replace(/(?:(?<!\s)\s+)?(\[\d+\])/gu, ' $1')
    .replace(/(\[\d+\]) (?=\[)/gu, '$1')
    .replace(/(\[\d+\])\1+/gu, '$1')
    .replace(/(?<!\s)\s+([.,;:!?。！？])/gu, '$1')
    .replace(/ ((?:\[\d+\])+)([.!?…。！？]+[*_"'”’»)」』]*)$/u, '$2 $1')
    .trim();
}

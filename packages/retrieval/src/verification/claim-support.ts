import {
  clausesOf,
  contradicts,
  sharesAmount,
  type Statements,
  statementsOf,
} from './claim-contradiction.ts';
import {
  MONTHS,
  monthValue,
  NUMBER,
  numbersOf,
  numberValues,
  scaledNumbers,
  SPELLED,
  WEEKDAYS,
} from '../analysis/amounts.ts';
import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { fold } from '../languages/fold.ts';
import { packOf } from '../languages/index.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import { type Span, splitSentences } from '../analysis/sentences.ts';
import type { Evidence as Shown } from './evidence.ts';
import { ALL_CAPS, CAPITAL, DIGIT, termsOf, type Word, wordsOf } from '../analysis/words.ts';

/** Longest quote of a source, in UTF-16 units. */
export const QUOTE_LIMIT = 300;
/** Sentences of a source too long for a quote are cut at a space into pieces of this length. */
const PIECE_LIMIT = 100;
/**
 * Least share of a claim's words, beyond those of the question, that its sources must hold; a word with
 * digits counts for two. The rest is how else one may put it.
 */
const FRESH_SHARE = 0.5;
/** Least share of all words of a claim that its sources must hold. */
const WHOLE_SHARE = 0.4;
/** … where these are figures, which are told in a few words of our own. */
const FIGURE_SHARE = 0.25;

/** Words with which an answer speaks about its sources, not about what they say. */
const ABOUT_SOURCES = new Set(
  `according additionally also answer based document documents file files finally following furthermore
  given however mentioned mentions moreover note notes overall passage passages provided says said
  shows source sources specifically stated states therefore`.split(/\s+/u),
);

/** Endings of common nouns and verbs: at a sentence's head these have a capital without being names. */
const COMMON_ENDING =
  /(?:tion|sion|ment|ing|ness|ity|ly|ance|ence|ism|ship|age|ee|er|ier)s?$|(?:ed|ies|ees|ers)$/u;

/** Other words that often begin a sentence. */
const COMMON_BEGINNINGS = new Set(
  `although anyone anybody besides different everybody everyone everything few first here instead key
  last less main many more most never next nobody nothing one otherwise people second several somebody
  someone third though today unless whereas whether always then neither either`.split(/\s+/u),
);

const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  '€': ['eur', 'euro', 'euros'],
  $: ['usd', 'dollar', 'dollars'],
  '£': ['gbp', 'pound', 'pounds'],
  '¥': ['jpy', 'yen', 'cny', 'yuan'],
};

/** What a text holds, as far as claims about it can be checked. */
export interface Evidence {
  language: string;
  terms: Set<string>;
  /** Amounts in one spelling: 1800 for 1,800.00, 1.800 and 'May' as 5. */
  numbers: Set<string>;
  /** Letters and digits alone, for codes such as INV-2024-001 and for addresses. */
  squeezed: string;
  /** Signs of the currencies it names. */
  currencies: Set<string>;
}

/** A sentence of an answer, taken apart. */
export interface Claim {
  text: string;
  language: string;
  content: Word[];
  /** What must stand in the sources or the question: each entry is one number or name. */
  anchors: Anchor[];
}

type Anchor =
  | { kind: 'number'; values: string[] }
  | { kind: 'name'; word: Word }
  | { kind: 'code' | 'currency'; value: string };

/** A passage made ready for checking claims against it. */
export interface Source {
  passage: Shown;
  /** Its text with spaces where it speaks to a model instead of saying something. */
  stated: string;
  evidence: Evidence;
  /** What it holds where it speaks to a model; null where it does not. */
  orders: Evidence | null;
  /** File name, date and headings: they may name what the passage is about, and are never quoted. */
  context: Evidence;
  /** Whole sentences, or pieces of one; `place` counts pages, slides and rows, `sentence` sentences. */
  sentences: (Span & { evidence: Evidence; place: number; sentence: number })[];
  /** What it states, for telling a claim that says the contrary. */
  statements: Statements;
}

const weekdayValue = (weekday: number): string => `weekday ${weekday}`;

const squeeze = (text: string): string => fold(text.toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');

function evidenceOf(text: string, language: string): Evidence {
  const terms = new Set<string>();
  const numbers = numbersOf(text);
  const currencies = new Set<string>();
  for (const word of wordsOf(text).words) {
    for (const term of termsOf(word, language)) terms.add(term);
    const spelled = SPELLED.get(word.lower);
    if (spelled !== undefined) numbers.add(spelled);
    const month = MONTHS.get(word.lower);
    if (month !== undefined) numbers.add(monthValue(month));
    const weekday = WEEKDAYS.get(word.lower);
    if (weekday !== undefined) numbers.add(weekdayValue(weekday));
    for (const [sign, names] of Object.entries(CURRENCIES)) {
      if (names.includes(word.lower)) currencies.add(sign);
    }
  }
  for (const [sign, names] of Object.entries(CURRENCIES)) {
    if (text.includes(sign)) currencies.add(sign);
    if (currencies.has(sign)) for (const name of names) terms.add(name);
  }
  if (text.includes('%')) terms.add('percent');
  return { language, terms, numbers, squeezed: squeeze(text), currencies };
}

/** The question as evidence: a claim may repeat its words, numbers and names. */
export const questionEvidence = (question: string): Evidence & { text: string } => ({
  ...evidenceOf(question, detectLanguage(question)),
  text: question.slice(-LAST_ASKED),
});

/** Makes a passage ready; its sentences never reach across a change of place, such as a page. */
export function sourceOf(passage: Shown, question: string): Source {
  const language = detectLanguage(passage.text);
  const stated = withoutInstructions(passage.text, splitSentences(passage.text), question);
  const about = [passage.fileName, passage.date ?? '', ...passage.headings].join('\n');
  const context = withoutInstructions(about, splitSentences(about), question);
  const bounds = [0, ...placeChanges(passage), stated.length];
  const sentences: Source['sentences'] = [];
  for (let place = 0; place + 1 < bounds.length; place += 1) {
    const from = bounds[place] ?? 0;
    const text = stated.slice(from, bounds[place + 1]);
    for (const [sentence, span] of splitSentences(text).entries()) {
      for (const { start, end } of piecesOf(text, span)) {
        const evidence = evidenceOf(text.slice(start, end), language);
        sentences.push({ start: from + start, end: from + end, evidence, place, sentence });
      }
    }
  }
  return {
    passage,
    stated,
    evidence: evidenceOf(stated, language),
    orders: stated === passage.text ? null : evidenceOf(onlyOrders(passage.text, stated), language),
    context: evidenceOf(context, language),
    sentences,
    statements: statementsOf(
      stated,
      language,
      sentences.map(({ start, end }) => stated.slice(start, end)),
    ),
  };
}

/** What of a text is left out of what it states. */
const onlyOrders = (text: string, stated: string): string =>
  text.replace(/\S/gu, (character, at: number) => (stated[at] === character ? ' ' : character));

/** Where in a passage another page, slide, row or archive member begins; a new line is no such place. */
function placeChanges({ places, location }: Shown): number[] {
  let before = location;
  return places.flatMap(({ offset, location: here }) => {
    const moved = ['path', 'sheet', 'page', 'slide', 'row'].some((k) => here[k] !== before[k]);
    before = here;
    return moved && offset > 0 ? [offset] : [];
  });
}

/** A sentence as it is, or its pieces when it is too long to be quoted whole. */
function piecesOf(text: string, { start, end }: Span): Span[] {
  if (end - start <= QUOTE_LIMIT) return [{ start, end }];
  const pieces: Span[] = [];
  for (let from = start; from < end;) {
    const cut = end - from <= PIECE_LIMIT ? end : cutAt(text, from);
    pieces.push({ start: from, end: from + text.slice(from, cut).trimEnd().length });
    from = cut + (/^\s*/u.exec(text.slice(cut, end))?.[0].length ?? 0);
  }
  return pieces;
}

/** The last space within a piece's length, or else a cut between two characters. */
function cutAt(text: string, from: number): number {
  const space = text.lastIndexOf(' ', from + PIECE_LIMIT);
  if (space > from) return space;
  const cut = from + PIECE_LIMIT;
  return /[\uDC00-\uDFFF]/u.test(text.charAt(cut)) ? cut - 1 : cut;
}

/** A sentence as short as this may be taken for another language than the one asked in. */
const SHORT = 60;
/** … by so much of the end of what was asked, in UTF-16 units. */
const LAST_ASKED = 200;

/**
 * Takes a sentence apart into the words, numbers and names that its sources must hold.
 * @param asked what it answers, which tells the language of a short one
 */
export function claimOf(sentence: string, asked = ''): Claim {
  const text = sentence.replace(NUMBER, (raw) => raw.replace(/[ \u00a0\u202f]/gu, ''));
  const { words, starts } = wordsOf(text);
  const scaled = scaledNumbers(text);
  const language = detectLanguage(text.length < SHORT ? `${asked}\n${text}` : text);
  const stop = stopWords(language);
  const content = new Map<string, Word>();
  const anchors: Anchor[] = [];
  for (const [i, word] of words.entries()) {
    const spelled = SPELLED.get(word.lower) ?? '0';
    // In some languages these are stop words.
    if (Number(spelled) > 1) anchors.push({ kind: 'number', values: [spelled] });
    if (stop.has(word.lower) || stopWords('en').has(word.lower)) continue;
    if (ABOUT_SOURCES.has(word.lower) || !/[\p{L}\p{N}]/u.test(word.lower)) continue;
    // Two letters of Japanese with a hiragana among them are mostly grammar.
    if (/\p{Script=Hiragana}/u.test(word.lower)) continue;
    if (word.lower.length > 1 || /[^a-z]/u.test(word.lower)) content.set(word.lower, word);
    if ((word.shape & DIGIT) !== 0) anchors.push(...anchorsWithDigits(word, scaled));
    else if (/@|\w\.\w/u.test(word.lower)) {
      anchors.push({ kind: 'code', value: squeeze(word.lower) });
    } else if (isName(word, words[i + 1], beginsSentence(text, starts[i] ?? 0), language)) {
      anchors.push({ kind: 'name', word });
    }
  }
  for (const [address] of text.matchAll(/(?:https?:\/\/|www\.)[^\s)>"”]+/giu)) {
    anchors.push({ kind: 'code', value: squeeze(address) });
  }
  for (const sign of Object.keys(CURRENCIES)) {
    if (text.includes(sign)) anchors.push({ kind: 'currency', value: sign });
  }
  return { text, language, content: [...content.values()], anchors };
}

function anchorsWithDigits(word: Word, scaled: ReadonlyMap<string, string>): Anchor[] {
  // 5th, 30km and 2024-05-01 are numbers; A4, FY2017 and INV-2041 are codes.
  const code = /^\p{L}+[-_./]?\d|\p{L}[-_./]\d/u.test(word.lower);
  if (code) return [{ kind: 'code', value: squeeze(word.lower) }];
  const date = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/u.test(word.lower);
  const numbers = word.lower.match(date ? /\d+/gu : NUMBER) ?? [];
  return numbers.map((raw) => {
    const values = [...numberValues(raw), ...[scaled.get(raw) ?? []].flat()];
    return { kind: 'number', values: date ? [...values, monthValue(Number(raw))] : values };
  });
}

const beginsSentence = (text: string, at: number): boolean =>
  /(?:^|[.!?:…"“„(*–—-]\s*|[.!?:]["”’)]\s+)$/u.test(text.slice(Math.max(0, at - 8), at).trimEnd());

function isName(word: Word, next: Word | undefined, first: boolean, language: string): boolean {
  if ((word.shape & CAPITAL) === 0) return false;
  if ((word.shape & ALL_CAPS) !== 0) return true;
  if (packOf(language).capitalNouns) return false;
  if (!first) return true;
  if (next !== undefined && (next.shape & CAPITAL) !== 0) return true;
  const common = COMMON_ENDING.test(word.lower) || COMMON_BEGINNINGS.has(word.lower);
  return language === 'en' && !common;
}

export const holdsWord = (evidence: Evidence, word: Word): boolean =>
  termsOf(word, evidence.language).some((term) => evidence.terms.has(term)) ||
  evidence.terms.has(word.lower);

const UNSCALED: ReadonlyMap<string, string> = new Map();

/** Numbers, months and days of the week count however they are written. */
function holdsWritten(evidence: Evidence, word: Word): boolean {
  if (holdsWord(evidence, word) || isKnownInCalendar(evidence, word)) return true;
  const numbers = (word.shape & DIGIT) === 0 ? [] : anchorsWithDigits(word, UNSCALED);
  return numbers.length > 0 && numbers.every((anchor) => holdsAnchor(evidence, anchor));
}

export function holdsAnchor(evidence: Evidence, anchor: Anchor): boolean {
  switch (anchor.kind) {
    case 'number':
      return anchor.values.some((value) => evidence.numbers.has(value));
    case 'name':
      return holdsWord(evidence, anchor.word) || isKnownInCalendar(evidence, anchor.word);
    case 'code':
      return evidence.squeezed.includes(anchor.value);
    case 'currency':
      return evidence.currencies.has(anchor.value);
  }
}

function isKnownInCalendar(evidence: Evidence, word: Word): boolean {
  const weekday = WEEKDAYS.get(word.lower);
  if (weekday !== undefined) return evidence.numbers.has(weekdayValue(weekday));
  const month = MONTHS.get(word.lower);
  return (
    month !== undefined &&
    (evidence.numbers.has(String(month)) || evidence.numbers.has(monthValue(month)))
  );
}

const weightOf = (words: readonly Word[]): number =>
  words.reduce((sum, { shape }) => sum + ((shape & DIGIT) === 0 ? 1 : 2), 0);

/** Whether a part of the claim is all its own: 'The nurse was hit, was drunk and fled the scene.' */
function addsClause({ text, content }: Claim, known: (word: Word) => boolean): boolean {
  const strange = new Set(content.filter((word) => !known(word)).map(({ lower }) => lower));
  if (strange.size < 2) return false;
  const told = new Set(content.map(({ lower }) => lower));
  return clausesOf(text).some((clause) => {
    const words = wordsOf(clause).words.filter(({ lower }) => told.has(lower));
    return words.length > 1 && words.every(({ lower }) => strange.has(lower));
  });
}

const evidencesOf = (sources: readonly Source[]): Evidence[] =>
  sources.flatMap((source) => [source.evidence, source.context]);

/**
 * Whether the sources, read together, support the claim: every number and name of it stands in
 * them or in the question, and so do enough of its other words. A claim in another language than
 * its source shares no words with it; there the numbers and names have to do, and there must be some.
 */
export function supports(claim: Claim, sources: readonly Source[], question: Evidence): boolean {
  if (claim.content.length === 0 || sources.length === 0) return false;
  const evidences = evidencesOf(sources);
  // A table may leave to its reader which money it is about.
  const moneyless = evidences.every(({ currencies }) => currencies.size === 0);
  const held = (anchor: Anchor): boolean =>
    evidences.some((e) => holdsAnchor(e, anchor)) || (moneyless && anchor.kind === 'currency');
  if (!claim.anchors.every((anchor) => held(anchor) || holdsAnchor(question, anchor))) return false;
  const matched = claim.content.filter((word) => evidences.some((e) => holdsWritten(e, word)));
  const fresh = claim.content.filter((word) => !holdsWord(question, word));
  const freshMatched = fresh.filter((word) => matched.includes(word));
  const computed = sources.every(({ passage }) => passage.figure !== undefined);
  const least = computed
    ? { fresh: FIGURE_SHARE, whole: FIGURE_SHARE }
    : { fresh: FRESH_SHARE, whole: fresh.length === 0 ? FRESH_SHARE : WHOLE_SHARE };
  const enough =
    weightOf(freshMatched) >= weightOf(fresh) * least.fresh &&
    weightOf(matched) >= weightOf(claim.content) * least.whole;
  const statements = sources.map((source) => source.statements);
  if (contradicts(claim.text, statements)) return false;
  const known = (word: Word): boolean =>
    [...evidences, question].some((each) => holdsWritten(each, word));
  const foreign = sources.every((source) => source.evidence.language !== claim.language);
  if (foreign) {
    // A lone digit stands in many a passage.
    const tells = (a: Anchor): boolean => a.kind !== 'number' || a.values.some((v) => v.length > 1);
    const told = claim.anchors.filter((a) => tells(a) && a.kind !== 'currency');
    if (told.some((a) => held(a) && !holdsAnchor(question, a))) return true;
    if (sources.some((source) => sharesAmount(claim.text, source.statements))) return true;
  }
  return enough && matched.length > 0 && !addsClause(claim, known);
}

/** Least share of a claim's words by which it repeats an order, or is about what was shown. */
const TELLING_SHARE = 0.5;

const mostly = (words: readonly Word[], held: (word: Word) => boolean): boolean =>
  words.length > 0 && words.filter(held).length >= words.length * TELLING_SHARE;

/** Whether a claim is an order to a model, or hands on what a source tells a model to say. */
export function repeatsOrder({ text, content }: Claim, sources: readonly Source[]): boolean {
  if (withoutInstructions(text, splitSentences(text), '') !== text) return true;
  return sources.some(
    ({ orders }) => orders !== null && mostly(content, (word) => holdsWritten(orders, word)),
  );
}

/** Whether a claim is about the question or about what was shown. */
export function touches(
  { content }: Claim,
  sources: readonly Source[],
  question: Evidence,
): boolean {
  return (
    content.some((word) => holdsWord(question, word)) ||
    sources.some(({ evidence }) => mostly(content, (word) => holdsWritten(evidence, word)))
  );
}

/** Whether a claim says other than a source. */
export const denies = (claim: Claim, source: Source): boolean =>
  contradicts(claim.text, [source.statements]);

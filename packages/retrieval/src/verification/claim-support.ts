import {
  isSame,
  MONTHS,
  numbersOf,
  UNIT_OF,
  type Value,
  valuesOf,
  WEEKDAYS,
} from '../analysis/amounts.ts';
import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { type Span, splitSentences } from '../analysis/sentences.ts';
import { ALL_CAPS, CAPITAL, DIGIT, termsOf, type Word, wordsOf } from '../analysis/words.ts';
import { fold } from '../languages/fold.ts';
import { alternatives, packOf } from '../languages/index.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import { clausesOf, contradicts, type Statements, statementsOf } from './claim-contradiction.ts';
import type { Evidence as Shown } from './evidence.ts';

/** Longest quote of a source, in UTF-16 units. */
export const QUOTE_LIMIT = 300;
/** Sentences of a source too long for a quote are cut at spaces into pieces. */
const PIECES = /(?!\s)[^]{1,100}(?<!\s)(?=\s|$)|\S{1,100}/gu;
/**
 * Least share of a claim's words, beyond those of the question, that its sources must hold; a word with
 * digits counts for two. The rest is how else one may put it.
 */
const FRESH_SHARE = 0.5;
/** Least share of all words of a claim that its sources must hold. */
const WHOLE_SHARE = 0.4;
/** … where these are figures, which are told in a few words of our own. */
const FIGURE_SHARE = 0.25;
/** Least share of a claim's words by which it repeats an order, or is about what was shown. */
const TELLING_SHARE = 0.5;

/** What a text holds, as far as claims about it can be checked. */
export interface Evidence {
  language: string;
  /** Terms, numbers, and months and days of the week by what they are. */
  terms: Set<string>;
  /** Letters and digits alone, for codes such as INV-2024-001 and for addresses. */
  squeezed: string;
  values: Value[];
}

/** One number or name of a claim, which must stand in the sources or the question. */
type Anchor = { value: Value } | { word: Word } | { code: string };

/** A sentence of an answer, taken apart. */
export interface Claim {
  text: string;
  language: string;
  content: Word[];
  anchors: Anchor[];
  /** Whether it has code that stands in a source just so; nothing fresh is asked of it then. */
  quoted: boolean;
}

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
  statements: Statements;
}

const squeeze = (text: string): string => fold(text.toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');

/** What the name of a month, a day of the week or a unit stands for; any other word for itself. */
function meaningOf({ lower }: Word): string {
  const [month, weekday, unit] = [MONTHS, WEEKDAYS, UNIT_OF].map((names) => names.get(lower));
  if (month !== undefined) return `month ${month}`;
  if (weekday !== undefined) return `weekday ${weekday}`;
  return unit === undefined ? lower : `unit ${unit}`;
}

function evidenceOf(text: string, language: string): Evidence {
  const values = valuesOf(text);
  const terms = numbersOf(text);
  for (const word of wordsOf(text).words) {
    for (const term of termsOf(word, language)) terms.add(term);
    terms.add(word.lower).add(meaningOf(word));
  }
  for (const { family, keys } of values) {
    if (family === 'date') for (const day of keys) terms.add(`month ${day.split('-')[1]}`);
    if (typeof family === 'number') terms.add(`unit ${family}`);
  }
  return { language, terms, squeezed: squeeze(text), values };
}

/** As much of the end of what was asked tells the language of a short answer, in UTF-16 units. */
const LAST_ASKED = 200;
const SHORT = 60;

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
  const sentences = bounds.slice(1).flatMap((to, place) => {
    const from = bounds[place] ?? 0;
    const text = stated.slice(from, to);
    return splitSentences(text).flatMap((span, sentence) =>
      piecesOf(text, span).map(({ start, end }) => {
        const evidence = evidenceOf(text.slice(start, end), language);
        return { start: from + start, end: from + end, evidence, place, sentence };
      }),
    );
  });
  const orders = passage.text.replace(/\S/gu, (character, at: number) =>
    stated[at] === character ? ' ' : character,
  );
  return {
    passage,
    stated,
    evidence: evidenceOf(stated, language),
    orders: stated === passage.text ? null : evidenceOf(orders, language),
    context: evidenceOf(context, language),
    sentences,
    statements: statementsOf(
      language,
      sentences.map(({ start, end }) => stated.slice(start, end)),
    ),
  };
}

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
  return [...text.slice(start, end).matchAll(PIECES)].map(({ 0: piece, index }) => ({
    start: start + index,
    end: start + index + piece.length,
  }));
}

/** Words with which an answer speaks about its sources, not about what they say. */
const OF_SOURCES = new RegExp(`^(?:${alternatives(({ claims }) => claims?.lacks?.[0])})$`, 'u');

/**
 * Takes a sentence apart into the words, numbers and names that its sources must hold.
 * @param asked what it answers, which tells the language of a short one
 */
export function claimOf(text: string, asked = ''): Claim {
  const { words, starts } = wordsOf(text);
  const language = detectLanguage(text.length < SHORT ? `${asked}\n${text}` : text);
  const content = new Map<string, Word>();
  const anchors: Anchor[] = valuesOf(text).flatMap((value) =>
    value.family === 'rate' ? [] : [{ value }],
  );
  for (const [i, word] of words.entries()) {
    const { lower, shape } = word;
    if ([language, 'en'].some((each) => stopWords(each).has(lower)) || OF_SOURCES.test(lower))
      continue;
    // Two letters of Japanese with a hiragana among them are mostly grammar.
    if (!/[\p{L}\p{N}]/u.test(lower) || /\p{Script=Hiragana}/u.test(lower)) continue;
    if (!/^[a-z]$/u.test(lower)) content.set(lower, word);
    // 5th, 30km and 2024-05-01 are numbers; A4, FY2017 and INV-2041 are codes.
    const code =
      (shape & DIGIT) === 0
        ? /@|\w\.\w/u.test(lower)
        : /^\p{L}+[-_./]?\d|\p{L}[-_./]\d/u.test(lower);
    if (code) anchors.push({ code: squeeze(lower) });
    else if (isName(word, words[i + 1], beginsSentence(text, starts[i] ?? 0), language)) {
      anchors.push({ word });
    }
  }
  for (const [address] of text.matchAll(/(?:https?:\/\/|www\.)[^\s)>"”]+/giu)) {
    anchors.push({ code: squeeze(address) });
  }
  return { text, language, content: [...content.values()], anchors, quoted: false };
}

const beginsSentence = (text: string, at: number): boolean =>
  /(?:^|[.!?:…"“„(*–—-]\s*|[.!?:]["”’)]\s+)$/u.test(text.slice(Math.max(0, at - 8), at).trimEnd());

function isName(word: Word, next: Word | undefined, first: boolean, language: string): boolean {
  const { capitalNouns, claims, phrases } = packOf(language);
  if ((word.shape & (CAPITAL | DIGIT)) !== CAPITAL) return false;
  if ((word.shape & ALL_CAPS) !== 0) return true;
  if (capitalNouns) return false;
  if (!first || (next !== undefined && (next.shape & CAPITAL) !== 0)) return true;
  // At a sentence's head common words have a capital without being names.
  const common = claims?.commonEnding?.test(word.lower) ?? true;
  return !common && !` ${phrases?.outside} `.replace(/\s/gu, ' ').includes(` ${word.lower} `);
}

/** A bare number may stand anywhere, a part of a date or of a code among them. */
const holdsValue = ({ terms, values }: Evidence, value: Value): boolean =>
  values.some((own) => isSame(value, own)) ||
  (value.family === null && value.keys.some((key) => terms.has(key)));

const valuesOfWords = new WeakMap<Word, Value[]>();

export function holdsWord(evidence: Evidence, word: Word): boolean {
  const { terms, language } = evidence;
  if (terms.has(word.lower) || termsOf(word, language).some((term) => terms.has(term))) return true;
  if ((word.shape & DIGIT) === 0) return terms.has(meaningOf(word));
  const values = valuesOfWords.get(word) ?? valuesOf(word.lower);
  valuesOfWords.set(word, values);
  return values.length > 0 && values.every((value) => holdsValue(evidence, value));
}

export function holdsAnchor(evidence: Evidence, anchor: Anchor): boolean {
  if ('value' in anchor) return holdsValue(evidence, anchor.value);
  if ('code' in anchor) return evidence.squeezed.includes(anchor.code);
  return holdsWord(evidence, anchor.word);
}

/** Whether an anchor tells by itself what a text in another language is about. */
function tells(evidence: Evidence, anchor: Anchor): boolean {
  if (!('value' in anchor)) return holdsAnchor(evidence, anchor);
  const { family, keys } = anchor.value;
  // A lone digit stands in many a passage.
  const lone = family === null && keys.every((key) => key.length < 2);
  return !lone && evidence.values.some((own) => isSame(anchor.value, own));
}

const weightOf = (words: readonly Word[]): number =>
  words.reduce((sum, { shape }) => sum + ((shape & DIGIT) === 0 ? 1 : 2), 0);

/**
 * Whether the sources, read together, support the claim: every number and name of it stands in
 * them or in the question, and so do enough of its other words. A claim in another language than
 * its source shares no words with it; there the numbers and names have to do, and there must be some.
 */
export function supports(claim: Claim, sources: readonly Source[], question: Evidence): boolean {
  const { content, anchors, text } = claim;
  if (content.length === 0 || sources.length === 0) return false;
  const evidences = sources.flatMap((source) => [source.evidence, source.context]);
  const held = (anchor: Anchor): boolean => evidences.some((e) => holdsAnchor(e, anchor));
  if (!anchors.every((anchor) => held(anchor) || holdsAnchor(question, anchor))) return false;
  const isHeld = (word: Word): boolean => evidences.some((each) => holdsWord(each, word));
  const matched = content.filter(isHeld);
  const fresh = content.filter((word) => !holdsWord(question, word));
  const freshHeld = fresh.filter((word) => matched.includes(word));
  const computed = sources.every(({ passage }) => passage.figure !== undefined);
  const whole = fresh.length === 0 || claim.quoted ? FRESH_SHARE : WHOLE_SHARE;
  const enough =
    matched.length > 0 &&
    (claim.quoted ||
      weightOf(freshHeld) >= weightOf(fresh) * (computed ? FIGURE_SHARE : FRESH_SHARE)) &&
    weightOf(matched) >= weightOf(content) * (computed ? FIGURE_SHARE : whole) &&
    !addsClause(claim, new Set([...matched, ...content.filter((word) => !fresh.includes(word))]));
  const foreign = sources.every(({ evidence }) => evidence.language !== claim.language);
  const told = (anchor: Anchor): boolean =>
    !holdsAnchor(question, anchor) && evidences.some((each) => tells(each, anchor));
  if (!enough && !(foreign && anchors.some(told))) return false;
  return !contradicts(
    text,
    sources.map((source) => source.statements),
  );
}

/** Whether a part of the claim is all its own: 'The nurse was hit, was drunk and fled the scene.' */
const addsClause = ({ text, content }: Claim, known: ReadonlySet<Word>): boolean =>
  clausesOf(text).some((clause) => {
    const words = wordsOf(clause).words.filter((word) => content.includes(word));
    return words.length > 1 && words.every((word) => !known.has(word));
  });

const mostly = (words: readonly Word[], evidence: Evidence): boolean =>
  words.length > 0 &&
  words.filter((word) => holdsWord(evidence, word)).length >= words.length * TELLING_SHARE;

/** Whether a claim is an order to a model, or hands on what a source tells a model to say. */
export const repeatsOrder = ({ text, content }: Claim, sources: readonly Source[]): boolean =>
  withoutInstructions(text, splitSentences(text), '') !== text ||
  sources.some(({ orders }) => orders !== null && mostly(content, orders));

/** Whether a claim is about the question or about what was shown. */
export const touches = (
  { content }: Claim,
  sources: readonly Source[],
  question: Evidence,
): boolean =>
  content.some((word) => holdsWord(question, word)) ||
  sources.some(({ evidence }) => mostly(content, evidence));

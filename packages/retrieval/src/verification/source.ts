import { detectLanguage } from '../text/languages.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Span } from '../types.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Evidence } from './evidence.ts';
import {
  holdsWord,
  type Statement,
  statementOf,
  type Statements,
  statementsOf,
} from './statement.ts';
import type { Claim } from './claim.ts';

export const QUOTE_LIMIT = 300;
/** Splits sentences at spaces if they are too long for a quote. */
const PIECES = /(?!\s)[^]{1,100}(?<!\s)(?=\s|$)|\S{1,100}/gu;

interface SourceSpan extends Span {
  place: number;
}

export interface Source extends Statements {
  passage: Evidence;
  /** Its text with instructions to models replaced by spaces. */
  stated: string;
  /** Its text with file name, date and headings, which may name the subject. */
  whole: Statement;
  /** Its instructions to models, or null. */
  orders: Statement | null;
  spans: SourceSpan[];
}

/** Prepares evidence. Its sentences end at the end of a page, slide or row. */
export function sourceOf(passage: Evidence, question: string): Source {
  const language = detectLanguage(passage.text);
  const plain = (text: string): string => withoutInstructions(text, splitSentences(text), question);
  const stated = plain(passage.text);
  const orders = passage.text.replace(/\S/gu, (character, offset: number) =>
    stated[offset] === character ? ' ' : character,
  );
  const about = [passage.fileName, passage.date ?? '', ...passage.headings].join('\n');
  const spans = spansOf(passage, stated);
  const texts = spans.map(({ start, end }) => stated.slice(start, end));
  return {
    passage,
    stated,
    whole: statementOf(`${plain(about)}\n${stated}`, language),
    orders: stated === passage.text ? null : statementOf(orders, language),
    spans,
    ...statementsOf(texts, language),
  };
}

function spansOf(passage: Evidence, stated: string): SourceSpan[] {
  const bounds = [0, ...placeChanges(passage), stated.length];
  return bounds.slice(1).flatMap((to, place) => {
    const from = bounds[place] ?? 0;
    const text = stated.slice(from, to);
    return splitSentences(text)
      .flatMap((span) => piecesOf(text, span))
      .map(({ start, end }) => ({ start: from + start, end: from + end, place }));
  });
}

/** Offsets at which another page, slide, row or archive member begins. */
function placeChanges({ places, location }: Evidence): number[] {
  let previous = location;
  return places.flatMap(({ offset, location: next }) => {
    const moved = ['path', 'sheet', 'page', 'slide', 'row'].some(
      (key) => next[key] !== previous[key],
    );
    previous = next;
    return moved && offset > 0 ? [offset] : [];
  });
}

function piecesOf(text: string, { start, end }: Span): Span[] {
  if (end - start <= QUOTE_LIMIT) return [{ start, end }];
  return [...text.slice(start, end).matchAll(PIECES)].map(({ 0: piece, index }) => ({
    start: start + index,
    end: start + index + piece.length,
  }));
}

const MAX_SENTENCES = 3;
const COST = { sentence: 0.6, character: 0.001 } as const;
const ANCHOR_WEIGHT = 2;

/** The one to three sentences with most of the claim, or null. */
export function bestQuote(claim: Claim, { spans, sentences }: Source): Span | null {
  let best: (Span & { score: number }) | null = null;
  for (const [index, opening] of spans.entries()) {
    for (const [more, last] of spans.slice(index, index + MAX_SENTENCES).entries()) {
      const length = last.end - opening.start;
      if (last.place !== opening.place || length > QUOTE_LIMIT) break;
      const weight = matchedWeight(claim, sentences.slice(index, index + more + 1));
      const score = weight - COST.sentence * more - COST.character * length;
      if (weight > 0 && score > (best?.score ?? -Infinity))
        best = { start: opening.start, end: last.end, score };
    }
  }
  return best && { start: best.start, end: best.end };
}

function matchedWeight({ words, anchors }: Claim, quoted: readonly Statement[]): number {
  const matched = anchors.filter(({ isIn }) => quoted.some(isIn));
  const quotedWords = words.filter((word) => quoted.some((part) => holdsWord(part, word)));
  return ANCHOR_WEIGHT * matched.length + quotedWords.length;
}

/** Where the source contains the words exactly, except for white space, or null. */
export function verbatim(words: string, { stated }: Pick<Source, 'stated'>): Span | null {
  const parts = words.trim().split(/\s+/u);
  if (parts.join(' ').length > QUOTE_LIMIT) return null;
  const source = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const match = new RegExp(source.join(String.raw`\s+`), 'u').exec(stated);
  if (match === null || match[0].length > QUOTE_LIMIT) return null;
  return { start: match.index, end: match.index + match[0].length };
}

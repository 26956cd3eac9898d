import { detectLanguage } from '../text/languages.ts';
import { type Span, splitSentences } from '../text/sentences.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Evidence } from './evidence.ts';
import { type Statement, statementOf, type Statements, statementsOf } from './statement.ts';

export const QUOTE_LIMIT = 300;
/** Splits sentences that are too long for a quote at spaces. */
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
  const orders = passage.text.replace(/\S/gu, (character, at: number) =>
    stated[at] === character ? ' ' : character,
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
  let before = location;
  return places.flatMap(({ offset, location: here }) => {
    const moved = ['path', 'sheet', 'page', 'slide', 'row'].some(
      (key) => here[key] !== before[key],
    );
    before = here;
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

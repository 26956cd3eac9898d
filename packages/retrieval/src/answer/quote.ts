import { fieldsAt } from '../analysis/fields.ts';
import type { Span } from '../analysis/sentences.ts';
import { wordsOf } from '../analysis/words.ts';
import type { Question } from '../question/question.ts';
import { createMatcher } from '../ranking/matching.ts';
import { ANSWER } from '../ranking/weights.ts';
import { escapeMarkdown } from './markdown.ts';
import { valuesIn, wantedKinds } from './value-kind.ts';

/** What is shown of a sentence: `text.slice(start, end)`, and its Markdown. */
export interface Quote extends Span {
  markdown: string;
}

/** After a comma and its like, and before a word that opens a clause. */
const CLAUSE_END =
  /(?:[;:,、，；：]|\s[-–—]|[—–]|\s·)(?=\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?=\s(?:but|that|which|who|whom|whose|because|while|although|where|when|aber|weil|mais|qui|que|что)\s)/gu;
/** What of a clause is looked at together: up to a space, or all of it where there is none. */
const PIECE = /\S(?:.{0,78}\S)?(?=\s|$)|\S{1,80}/gsu;
/** What a quote loses to the signs of what is left out. */
const ELLIPSES = { characters: 4, words: 2 } as const;
/** What a value of the asked kind counts beside the words that were asked. */
const TYPED = 1.5;

export const countWords = (text: string): number =>
  text.split(/\s+/u).filter((word) => word !== '').length;

/** Whether Markdown is more than is read at a glance. */
export const isLong = (markdown: string, spare: Partial<typeof ELLIPSES> = {}): boolean =>
  markdown.length + (spare.characters ?? 0) > ANSWER.maxSentence ||
  countWords(markdown) + (spare.words ?? 0) > ANSWER.maxSentenceWords;

/**
 * The part of a sentence to quote: all of it, or, when it is too long to read, the run of clauses
 * that says most of what was asked. What is left out is marked by an ellipsis in the Markdown.
 */
export function quoteOf(question: Question, text: string, span: Span): Quote {
  const whole = escapeMarkdown(text.slice(span.start, span.end));
  if (!isLong(whole)) return { ...span, markdown: whole };
  const { start, end } = bestRun(question, text, span);
  const before = start > span.start ? '… ' : '';
  const after = end < span.end ? ' …' : '';
  return { start, end, markdown: `${before}${escapeMarkdown(text.slice(start, end))}${after}` };
}

/** A row set with bars or tabs, its cells named as far as the line above the table names them. */
export function readableRow(text: string, { start, end }: Span): string | null {
  if (!/^\||\t/u.test(text.slice(start, end))) return null;
  const cells = fieldsAt(text, start, end).filter(({ value }) => value !== '');
  const markdown = cells
    .map(({ name, value }) => escapeMarkdown(name === '' ? value : `${name}: ${value}`))
    .join(' · ');
  return cells.length > 1 && markdown.length <= ANSWER.maxSentence ? markdown : null;
}

/** The run of neighbouring pieces that fits and holds most of the question and of its answer. */
function bestRun(question: Question, text: string, span: Span): Span {
  const matcher = createMatcher(question);
  const kinds = wantedKinds(question);
  const pieces = piecesOf(text, span).map((piece) => {
    const said = text.slice(piece.start, piece.end);
    const matches = wordsOf(said).words.map((word) => matcher.match(word));
    return {
      ...piece,
      terms: matches.flatMap((match) => [...(match?.exact ?? []), ...(match?.lowered ?? [])]),
      typed: valuesIn(said, kinds, question).length > 0,
    };
  });
  let best: Span = pieces[0] ?? span;
  let most = -1;
  for (const [i, { start }] of pieces.entries()) {
    const named = new Set<number>();
    let typed = false;
    for (let j = i; j < pieces.length; j += 1) {
      const { end, ...piece } = pieces[j] ?? { end: start, terms: [], typed };
      if (end - start > ANSWER.maxSentence) break;
      if (isLong(escapeMarkdown(text.slice(start, end)), ELLIPSES)) break;
      for (const term of piece.terms) named.add(term);
      typed ||= piece.typed;
      // More context is better where it costs nothing; what is new tends to stand at the end.
      let score = (end - start) / 1000 + 0.2 * Number(end === pieces.at(-1)?.end);
      if (typed) score += TYPED;
      for (const term of named) score += question.terms[term]?.weight ?? 0;
      if (score > most) [best, most] = [{ start, end }, score];
    }
  }
  return best;
}

/** A sentence cut after commas and their like, and where a clause is long at spaces. */
function piecesOf(text: string, span: Span): Span[] {
  const sentence = text.slice(span.start, span.end);
  const ends = [...sentence.matchAll(CLAUSE_END)].map((match) => match.index + match[0].length);
  let from = span.start;
  return [...ends, sentence.length].flatMap((end) => {
    const start = from;
    from = span.start + end;
    return [...text.slice(start, from).matchAll(PIECE)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
    }));
  });
}

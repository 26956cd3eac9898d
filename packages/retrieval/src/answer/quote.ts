import { hasAnswerOfType } from '../ranking/answer-types.ts';
import { fieldsAt } from '../analysis/fields.ts';
import { mayBe } from '../analysis/heads.ts';
import { escapeMarkdown } from './markdown.ts';
import { createMatcher } from '../ranking/matching.ts';
import type { Matcher } from '../ranking/matching.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import type { PassageAnalysis } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import type { Span } from '../analysis/sentences.ts';
import { wordAt } from '../analysis/tokens.ts';
import { ANSWER } from '../ranking/weights.ts';

/** What is shown of a sentence: `text.slice(start, end)`, and its Markdown. */
export interface Quote extends Span {
  markdown: string;
}

/** After a comma and its like, and before a word that opens a clause. */
const CLAUSE_END =
  /(?:[;:,、，；：]|\s[-–—]|[—–]|\s·)(?=\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?=\s(?:but|that|which|who|whom|whose|because|while|although|where|when|aber|weil|mais|qui|que|что)\s)/gu;

/**
 * The part of a sentence to quote: all of it, or, when it is too long to read, the run of clauses
 * that says most of what was asked. What is left out is marked by an ellipsis in the Markdown.
 */
export function quoteOf(question: Question, text: string, span: Span): Quote {
  if (countWords(text.slice(span.start, span.end)) <= ANSWER.maxSentenceWords) {
    const whole = makeQuote(text, span, span);
    if (!tooLong(whole.markdown)) return whole;
  }
  const matcher = createMatcher(question);
  const analysis = analyzePassage(text);
  const worthOf = (clause: Span): ClauseWorth => clauseWorth(question, matcher, analysis, clause);
  const cut = (room: number): Quote =>
    makeQuote(text, span, bestRun(question, worthOf, text, span, room));
  let room: number = ANSWER.maxSentence;
  let quote = cut(room);
  for (let tries = 1; tries < 12 && tooLong(quote.markdown); tries += 1) {
    // Escaped signs take more room than the text itself: try again with less.
    room = Math.floor(room * 0.8);
    quote = cut(room);
  }
  return quote;
}

/** A row set with bars or tabs, its cells named as far as the line above the table names them. */
export function readableRow(text: string, { start, end }: Span): string | null {
  const row = text.slice(start, end);
  if (!/^\||\t/u.test(row)) return null;
  const cells = fieldsAt(text, start, end).filter(({ value }) => value !== '');
  const markdown = cells
    .map(({ name, value }) => escapeMarkdown(name === '' ? value : `${name}: ${value}`))
    .join(' · ');
  return cells.length > 1 && markdown.length <= ANSWER.maxSentence ? markdown : null;
}

function tooLong(markdown: string): boolean {
  return markdown.length > ANSWER.maxSentence || countWords(markdown) > ANSWER.maxSentenceWords;
}

export function countWords(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length;
}

function makeQuote(text: string, whole: Span, part: Span): Quote {
  const before = part.start > whole.start ? '… ' : '';
  const after = part.end < whole.end ? ' …' : '';
  const markdown = `${before}${escapeMarkdown(text.slice(part.start, part.end))}${after}`;
  return { start: part.start, end: part.end, markdown };
}

/** The run of neighbouring clauses that fits and holds most of the question and of its answer. */
function bestRun(
  question: Question,
  worthOf: (clause: Span) => ClauseWorth,
  text: string,
  span: Span,
  room: number,
): Span {
  const wordRoom = Math.max(
    1,
    Math.floor((ANSWER.maxSentenceWords * room) / ANSWER.maxSentence) - 2,
  );
  const clauses = clausesOf(text, span, Math.max(20, room - 4), wordRoom).map((clause) => ({
    ...clause,
    ...worthOf(clause),
    words: countWords(text.slice(clause.start, clause.end)),
  }));
  let best: Span = clauses[0] ?? span;
  let most = -1;
  for (let i = 0; i < clauses.length; i += 1) {
    const named = new Set<number>();
    let typed = false;
    let words = 0;
    for (let j = i; j < clauses.length; j += 1) {
      const clause = clauses[j];
      const run = { start: clauses[i]?.start ?? 0, end: clause?.end ?? 0 };
      // Clauses are cut at spaces, or else the room for signs ends a run before that for words does.
      words += clause?.words ?? 0;
      if (run.end - run.start > room - 4 || words > wordRoom) break;
      for (const term of clause?.terms ?? []) named.add(term);
      typed ||= clause?.typed === true;
      let score = typed ? 1.5 : 0;
      for (const term of named) score += question.terms[term]?.weight ?? 0;
      // More context is better where it costs nothing; what is new tends to stand at the end.
      score += (run.end - run.start) / 1000 + (j === clauses.length - 1 ? 0.2 : 0);
      if (score > most) [best, most] = [run, score];
    }
  }
  const { start, end } = best;
  return end < span.end ? withoutComma(text, { start, end }) : { start, end };
}

/** A part that stops within its sentence does not show the sign it was cut at. */
function withoutComma(text: string, { start, end }: Span): Span {
  const kept = text
    .slice(start, end)
    .replace(/(?<![\s,;:、，；：–—-])[\s,;:、，；：–—-]+$/u, '').length;
  return { start, end: kept === 0 ? end : start + kept };
}

/** What of the question a clause names, and whether something of the asked kind is in it. */
interface ClauseWorth {
  terms: Set<number>;
  typed: boolean;
}

function clauseWorth(
  question: Question,
  matcher: Matcher,
  analysis: PassageAnalysis,
  { start, end }: Span,
): ClauseWorth {
  const { starts, heads } = analysis.tokens;
  const firstWord = starts.findIndex((at) => at >= start);
  let endWord = firstWord === -1 ? 0 : firstWord;
  const terms = new Set<number>();
  for (; endWord < starts.length && (starts[endWord] ?? 0) < end; endWord += 1) {
    if (firstWord === -1 || !mayBe(matcher.filter, heads[endWord] ?? 0)) continue;
    const match = matcher.match(wordAt(analysis.tokens, endWord));
    for (const at of match?.exact ?? []) terms.add(at);
    for (const at of match?.lowered ?? []) terms.add(at);
  }
  const words = { firstWord: Math.max(0, firstWord), endWord };
  return { terms, typed: hasAnswerOfType(question.type, analysis, words, matcher) === true };
}

/** Cuts a sentence after commas and their like, and a clause that is still too long at spaces. */
function clausesOf(text: string, span: Span, room: number, wordRoom: number): Span[] {
  const sentence = text.slice(span.start, span.end);
  const cuts = [...sentence.matchAll(CLAUSE_END)].map((match) => match.index + match[0].length);
  const clauses: Span[] = [];
  let from = 0;
  for (const cut of [...cuts, sentence.length]) {
    clauses.push(...pieces(sentence, from, cut, room, wordRoom));
    from = cut;
  }
  return clauses.map(({ start, end }) => ({ start: span.start + start, end: span.start + end }));
}

function pieces(
  sentence: string,
  start: number,
  end: number,
  room: number,
  wordRoom: number,
): Span[] {
  const result: Span[] = [];
  let from = start;
  while (from < end) {
    while (from < end && isWhite(sentence, from)) from += 1;
    const stop = pieceEnd(sentence, from, end, room, wordRoom);
    const trimmed = sentence.slice(from, stop).trimEnd().length;
    if (trimmed > 0) result.push({ start: from, end: from + trimmed });
    from = Math.max(stop, from + 1);
  }
  return result;
}

const isWhite = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code <= 0x7f ? code === 0x20 || (code >= 9 && code <= 13) : /\s/u.test(text.charAt(at));
};

/** Where a piece that begins at `from` ends: at `end`, or at the last space that leaves it fitting. */
function pieceEnd(
  sentence: string,
  from: number,
  end: number,
  room: number,
  wordRoom: number,
): number {
  let last = -1;
  let words = 0;
  for (let at = from; at < end; at += 1) {
    if (isWhite(sentence, at)) {
      last = at;
      words += 1;
    }
    if (at - from >= room || words >= wordRoom) {
      if (last > from) return last;
      const code = sentence.charCodeAt(at - 1);
      return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
    }
  }
  return end;
}

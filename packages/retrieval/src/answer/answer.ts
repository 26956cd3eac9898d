import { candidatesOf } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { confidenceIn, guessLibrarySize } from './confidence.ts';
import { fieldsAt } from '../analysis/fields.ts';
import { isInstruction } from '../question/instructions-in-text.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Question } from '../question/question.ts';
import { countWords, quoteOf } from './quote.ts';
import type { Quote } from './quote.ts';
import { plainText } from '../ranking/rank.ts';
import type { RankedPassage, RankedSentence } from '../ranking/rank.ts';
import type { Answer, Citation, Location } from '../types.ts';
import { ANSWER, CONFIDENCE } from '../ranking/weights.ts';

/** What an answer says when the files hold none. */
export const NO_ANSWER = "Your files don't seem to say.";

export interface AnswerOptions {
  /** Chunks in the library that was searched; guessed from the passages when left out. */
  librarySize?: number;
}

/** A sentence of the answer with its quote and its number. */
interface Line {
  quote: Quote;
  kind: RankedSentence['kind'];
  citation: Citation;
}

/**
 * Puts an answer together from sentences of the files: the one that answers best first, then what
 * supports it, each with its citation `[n]`. When no sentence is likely to answer, it says so and
 * cites nothing.
 */
export function composeAnswer(
  question: Question,
  ranked: readonly RankedPassage[],
  options: AnswerOptions = {},
): Answer {
  const candidates = fromStatement(question, candidatesOf(question, ranked));
  const librarySize = options.librarySize ?? guessLibrarySize(ranked.length);
  const confidence = confidenceIn(question, candidates[0], librarySize);
  if (confidence < CONFIDENCE.threshold) {
    return { markdown: NO_ANSWER, citations: [], grounded: false };
  }
  const lines = chooseLines(question, candidates);
  return { markdown: layOut(lines), citations: lines.map((line) => line.citation), grounded: true };
}

/** Whether a sentence gives orders to a model: none answers, unless the question asks for such. */
const isOrder = ({ text }: Question, { passage, sentence }: Candidate): boolean =>
  isInstruction(passage.text, sentence, text);

/** The candidates from the best one that is no order: the others are looked at when it is their turn. */
function fromStatement(question: Question, candidates: Candidate[]): Candidate[] {
  const first = candidates.findIndex((candidate) => !isOrder(question, candidate));
  return first === -1 ? [] : candidates.slice(first);
}

function chooseLines(question: Question, candidates: readonly Candidate[]): Line[] {
  const lines: Line[] = [];
  const said: Set<string>[] = [];
  const top = candidates[0]?.sentence.score ?? 0;
  const need = candidates[0]?.sentence.features.coverage ?? 0;
  const most = (candidates[0]?.reply.terse ?? 0) > 0 ? ANSWER.maxSentences : ANSWER.maxProse;
  let words = 0;
  let length = 0;
  for (const candidate of candidates) {
    const { passage, sentence } = candidate;
    if (lines.length >= most) break;
    if (lines.length > 0 && sentence.score < top - marginOf(candidates[0], lines.length)) break;
    if (lines.length > 0 && !supports(candidate, candidates[0], need)) continue;
    if (lines.length > 0 && isOrder(question, candidate)) continue;
    const quote = readable(passage.text, quoteOf(question, passage.text, sentence));
    const content = new Set(plainText(passage.text.slice(quote.start, quote.end)).split(' '));
    if (said.some((other) => repeats(content, other))) continue;
    const lineWords = countWords(quote.markdown) + 1;
    const lineLength = quote.markdown.length + 5;
    if (words + lineWords > ANSWER.maxWords || length + lineLength > ANSWER.maxLength) continue;
    words += lineWords;
    length += lineLength;
    said.push(content);
    lines.push({ quote, kind: sentence.kind, citation: cite(passage, quote, lines.length + 1) });
  }
  return lines;
}

/** How much less a further sentence may score: in a form or a table, the first one is likely right. */
function marginOf(first: Candidate | undefined, lines: number): number {
  const { prose, secondLine, furtherLine } = ANSWER.margins;
  const terse = first?.reply.terse ?? 0;
  return prose + terse * ((lines < 2 ? secondLine : furtherLine) - prose);
}

/**
 * Whether a sentence has something to say beside the first one: no fragment, on the subject, and no
 * neighbour of a row or a field that was asked for by its name.
 */
function supports(
  { sentence, reply }: Candidate,
  first: Candidate | undefined,
  need: number,
): boolean {
  const { kind, features } = sentence;
  if (first === undefined || reply.echo === 1) return false;
  if (first.reply.key > 0 && reply.key < ANSWER.supportKey * first.reply.key) return false;
  if (first.reply.label >= ANSWER.surely && reply.label < ANSWER.surely * first.reply.label)
    return false;
  if (first.reply.terse > 0 && reply.missing > first.reply.missing + ANSWER.supportMissing)
    return false;
  if (kind === 'prose' && features.substance < 1 && reply.label === 0) return false;
  return features.coverage >= ANSWER.supportCoverage * need;
}

/** Whether one of two sentences says hardly more than the other. */
function repeats(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.intersection(b).size >= ANSWER.overlap * Math.min(a.size, b.size);
}

/** A row set with bars or tabs, its cells named as far as the line above the table names them. */
function readable(text: string, quote: Quote): Quote {
  const row = text.slice(quote.start, quote.end);
  if (!/^\||\t/u.test(row) || /^… | …$/u.test(quote.markdown)) return quote;
  const cells = fieldsAt(text, quote.start, quote.end).filter(({ value }) => value !== '');
  const markdown = cells
    .map(({ name, value }) => escapeMarkdown(name === '' ? value : `${name}: ${value}`))
    .join(' · ');
  const fits = cells.length > 1 && markdown.length <= ANSWER.maxSentence;
  return fits ? { ...quote, markdown } : quote;
}

function cite(passage: RankedPassage, quote: Quote, n: number): Citation {
  return {
    n,
    artifactId: passage.artifactId,
    fileName: passage.fileName,
    location: locationAt(passage, quote.start),
    quote: passage.text.slice(quote.start, quote.end),
    start: passage.start + quote.start,
    end: passage.start + quote.end,
  };
}

/** The place of a passage that holds the offset: the last one to begin at or before it. */
function locationAt(passage: RankedPassage, offset: number): Location {
  let { location } = passage;
  for (const place of passage.places) if (place.offset <= offset) ({ location } = place);
  return location;
}

const marked = ({ quote, citation }: Line): string => `${quote.markdown} [${citation.n}]`;

/** The first sentence stands alone; rows become a table, items a list, sentences a paragraph. */
function layOut(lines: readonly Line[]): string {
  const table = tableOf(lines);
  if (table !== null) return table;
  const [first, ...rest] = lines;
  if (first === undefined) return NO_ANSWER;
  const lead =
    first.kind === 'item'
      ? `- ${marked({ ...first, quote: withoutMark(first.quote) })}`
      : marked(first);
  if (rest.length === 0) return lead;
  if (rest.every((line) => line.kind === 'prose')) return `${lead}\n\n${paragraphsOf(rest)}`;
  const items = rest.map((line) => `- ${marked({ ...line, quote: withoutMark(line.quote) })}`);
  return `${lead}${first.kind === 'item' ? '\n' : '\n\n'}${items.join('\n')}`;
}

/** Sentences in a row; what has no end, or no beginning, would run into its neighbour. */
function paragraphsOf(lines: readonly Line[]): string {
  let text = '';
  let whole = true;
  for (const line of lines) {
    const { markdown } = line.quote;
    const begins = whole && !/^(?:… )?\p{Ll}/u.test(markdown);
    if (text !== '') text += begins ? ' ' : '\n\n';
    text += marked(line);
    whole = /[.!?。！？]["'”’»)\]」』]*$/u.test(markdown);
  }
  return text;
}

/** An item's own bullet, escaped as it is, would stand beside the list's. */
function withoutMark(quote: Quote): Quote {
  const markdown = quote.markdown.replace(/^(?:\\?[-–—+]|\\\*|[•‣▪◦·●○■□✓])\s+/u, '');
  return { ...quote, markdown };
}

const MAX_COLUMNS = 6;

/** Rows that name the same fields ('City: London · Population: 9') as one table; null for others. */
function tableOf(lines: readonly Line[]): string | null {
  const rows = lines.map((line) => (line.kind === 'row' ? fieldsOf(line) : null));
  const names = rows[0]?.map(([name]) => name);
  if (rows.length < 2 || names === undefined || names.length > MAX_COLUMNS) return null;
  const same = rows.every(
    (row) =>
      row !== null && row.length === names.length && row.every(([name], i) => name === names[i]),
  );
  if (!same) return null;
  const header = `| ${names.map(escapeMarkdown).join(' | ')} | |`;
  const rule = `|${' --- |'.repeat(names.length + 1)}`;
  const body = lines.map((line, i) => {
    const cells = (rows[i] ?? []).map(([, value]) => escapeMarkdown(value));
    return `| ${cells.join(' | ')} | [${line.citation.n}] |`;
  });
  const table = [header, rule, ...body].join('\n');
  return countWords(table) > ANSWER.maxWords ? null : table;
}

function fieldsOf({ quote, citation }: Line): [name: string, value: string][] | null {
  if (/^… | …$/u.test(quote.markdown)) return null;
  const fields = citation.quote.split(' · ').map((field): [string, string] | null => {
    const colon = field.indexOf(': ');
    return colon <= 0 ? null : [field.slice(0, colon), field.slice(colon + 2)];
  });
  return fields.length > 1 && fields.every((field) => field !== null) ? fields : null;
}

import { decode, detectCharset } from '../charset.ts';
import { ExtractionError } from '../errors.ts';
import type { Format, FormatInput } from '../format.ts';
import { splitRange } from '../split.ts';
import { cleanText, cleanTitle, countLines, truncationNote } from '../text-builder.ts';
import type { Extraction, Segment, SegmentKind } from '../types.ts';

interface Block {
  start: number;
  end: number;
  kind: SegmentKind;
  /** 1 to 6 for a heading, else 0. */
  level: number;
}

const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g;
/** Settings in YAML between two lines of their own, at most 1,000 lines, before the Markdown. */
const FRONT_MATTER =
  /^---[^\S\n]*\n(?=[^\s:#-][^\n:]*:)(?:(?:(?:[^\S\n]|[#-])[^\n]*|[^\s:#-][^\n:]*:[^\n]*)?\n){1,1000}?(?:---|\.\.\.)[^\S\n]*(?=\n|$)/;
const LIST_ITEM = /^\s{0,8}(?:[-*+•]|\d{1,4}[.)])\s+\S/;

/** Plain text: the text is the file's own, letter for letter. */
export const txt: Format = { type: 'txt', read: readPlainText };
/** Markdown, whose text too is the file's own. Files of before it was a type are told by name. */
export const md: Format = { type: 'md', read: readPlainText };

/** Reads bytes as plain text; formats built on text fall back to it when they are malformed. */
export function readPlainText({ bytes, fileName, limits }: FormatInput): Extraction {
  const charset = detectCharset(bytes);
  if (charset === null) {
    throw new ExtractionError('damaged', 'This file is not text: it could not be read.');
  }
  let text = cleanText(decode(bytes, charset));
  const notes: string[] = [];
  if (text.length > limits.maxLength) {
    text = cleanText(text.slice(0, limits.maxLength));
    notes.push(truncationNote(limits, 'length'));
  }
  const rest = { parts: null, durationMs: null, notes, words: [], wants: [] };
  if (text.trim() === '') return { text: '', segments: [], title: null, ...rest };
  const markdown = /\.(?:md|markdown)$/i.test(fileName);
  const segments: Segment[] = [];
  let stack: { level: number; text: string }[] = [];
  let headings: string[] = [];
  let line = 1;
  let counted = 0;
  for (const block of markdown ? markdownBlocks(text) : paragraphs(text, 0, text.length)) {
    if (block.level > 0) {
      stack = stack.filter((entry) => entry.level < block.level);
      headings = stack.map((entry) => entry.text);
    }
    for (const [start, end] of splitRange(text, block.start, block.end)) {
      line += countLines(text, counted, start);
      counted = start;
      segments.push({ start, end, location: { line }, headings, kind: block.kind });
    }
    if (block.level > 0) {
      const heading = headingText(text.slice(block.start, block.end));
      if (heading !== '') stack = [...stack, { level: block.level, text: heading }];
      headings = stack.map((entry) => entry.text);
    }
    if (segments.length > limits.maxSegments) {
      segments.length = limits.maxSegments;
      notes.push(truncationNote(limits, 'segments'));
      break;
    }
  }
  return { text, segments, title: titleOf(segments, text, markdown), ...rest };
}

function titleOf(segments: Segment[], text: string, markdown: boolean): string | null {
  if (!markdown) return null;
  const named = settingsTitle(FRONT_MATTER.exec(text)?.[0] ?? '');
  if (named !== null) return named;
  const first = segments.find((segment) => segment.kind === 'heading');
  return first === undefined ? null : headingText(text.slice(first.start, first.end)) || null;
}

/** The `title` among YAML settings, bare or quoted (YAML 1.2.2, chapter 7.3). */
function settingsTitle(settings: string): string | null {
  const [, double, single, plain] =
    /^title:[^\S\n]+(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'#>|[{][^\n]*))/im.exec(
      settings,
    ) ?? [];
  return cleanTitle(
    double?.replace(/\\(.)/g, '$1') ?? single?.replaceAll("''", "'") ?? plain?.replace(/\s#.*/, ''),
  );
}

function headingText(source: string): string {
  return source
    .replace(/\n[^\S\n]*[=-]+\s*$/, '')
    .replace(/\s+/gu, ' ')
    .replace(/^ ?#{1,6} ?/, '')
    .replace(/ #+ ?$/, '')
    .trim()
    .slice(0, 300);
}

/** Stretches of a text between blank lines. */
export function* paragraphs(text: string, start: number, end: number): Generator<Block> {
  let from = start;
  for (const match of text.slice(start, end).matchAll(BLANK_LINES)) {
    const to = start + match.index;
    yield { start: from, end: to, kind: paragraphKind(text, from, to), level: 0 };
    from = to + match[0].length;
  }
  yield { start: from, end, kind: paragraphKind(text, from, end), level: 0 };
}

function paragraphKind(text: string, start: number, end: number): SegmentKind {
  const lines = text.slice(start, Math.min(end, start + 4000)).split('\n');
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (items > 1 && items >= lines.length / 2) return 'list';
  const bars = lines.filter((line) => /^\s*\|.*\|\s*$/.test(line)).length;
  return bars > 1 && bars === lines.filter((line) => line.trim() !== '').length ? 'table' : 'prose';
}

/** Front matter, headings (ATX and setext) and fenced code of CommonMark; all else by paragraphs. */
function* markdownBlocks(text: string): Generator<Block> {
  const front = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  if (front > 0) yield { start: 0, end: front, kind: 'code', level: 0 };
  let pending = front;
  let fence: { mark: string; start: number } | null = null;
  let previous: { start: number; blank: boolean } = { start: front, blank: true };
  for (let start = front; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const source = text.slice(start, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(source)?.[1];
    const heading = fence === null ? headingAt(source, previous.blank) : null;
    if (fence !== null) {
      if (mark?.startsWith(fence.mark) === true) {
        yield { start: fence.start, end, kind: 'code', level: 0 };
        [fence, pending] = [null, end];
      }
    } else if (mark !== undefined) {
      yield* paragraphs(text, pending, start);
      fence = { mark, start };
    } else if (heading !== null) {
      const from = heading.setext ? previous.start : start;
      yield* paragraphs(text, pending, from);
      yield { start: from, end, kind: 'heading', level: heading.level };
      pending = end;
    }
    previous = {
      start,
      blank: source.trim() === '' || heading !== null || /^\s*[-*+>|\d]/.test(source),
    };
    start = end + 1;
  }
  if (fence !== null) yield { start: fence.start, end: text.length, kind: 'code', level: 0 };
  else yield* paragraphs(text, pending, text.length);
}

function headingAt(line: string, blankBefore: boolean): { level: number; setext: boolean } | null {
  const marks = /^ {0,3}(#{1,6})(?:\s|$)/.exec(line)?.[1];
  if (marks !== undefined) return { level: marks.length, setext: false };
  if (blankBefore) return null;
  if (/^ {0,3}={2,}\s*$/.test(line)) return { level: 1, setext: true };
  return /^ {0,3}-{2,}\s*$/.test(line) ? { level: 2, setext: true } : null;
}

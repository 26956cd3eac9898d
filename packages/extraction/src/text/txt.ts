import { decodeText } from './charset.ts';
import type { FormatInput } from '../format.ts';
import { splitRange } from '../split.ts';
import { cleanText, countLines, truncationNote } from '../text-builder.ts';
import type { Extraction, Segment, SegmentKind } from '../types.ts';
import { read as readMarkdown } from '../html/markdown.ts';

export interface Block {
  start: number;
  end: number;
  kind: SegmentKind;
}

const BLANK_LINE = /[^\S\n]*\n/y;
const LIST_ITEM = /^\s{0,8}(?:[-*+•]|\d{1,4}[.)])\s+\S/;

/** Plain text, unchanged. */
export function read(input: FormatInput): Extraction {
  // Markdown files that were stored before Markdown was a type.
  return /\.(?:md|markdown)$/i.test(input.fileName) ? readMarkdown(input) : readPlainText(input);
}

/** Reads plain text. Malformed files of other text formats are read like this. */
export function readPlainText({ bytes, limits }: FormatInput, blocksOf = paragraphs): Extraction {
  let text = decodeText(bytes);
  const notes: string[] = [];
  if (text.length > limits.maxLength) {
    text = cleanText(text.slice(0, limits.maxLength));
    notes.push(truncationNote(limits, 'length'));
  }
  const rest = { parts: null, durationMs: null, notes, words: [], requests: [], title: null };
  if (text.trim() === '') return { text: '', segments: [], ...rest };
  const segments: Segment[] = [];
  let line = 1;
  let counted = 0;
  for (const block of blocksOf(text, 0, text.length)) {
    for (const [start, end] of splitRange(text, block.start, block.end)) {
      line += countLines(text, counted, start);
      counted = start;
      segments.push({ start, end, location: { line }, headings: [], kind: block.kind });
    }
    if (segments.length > limits.maxSegments) {
      segments.length = limits.maxSegments;
      notes.push(truncationNote(limits, 'segments'));
      break;
    }
  }
  return { text, segments, ...rest };
}

export function* paragraphs(text: string, start: number, end: number): Generator<Block> {
  let from = start;
  const source = text.slice(0, end);
  for (let next = source.indexOf('\n', start); next !== -1; next = source.indexOf('\n', next)) {
    const to = next;
    next += 1;
    // A repetition in one pattern would overflow its stack after millions of lines.
    for (BLANK_LINE.lastIndex = next; BLANK_LINE.test(source); next = BLANK_LINE.lastIndex);
    if (next === to + 1) continue;
    yield { start: from, end: to, kind: paragraphKind(text, from, to) };
    from = next;
  }
  yield { start: from, end, kind: paragraphKind(text, from, end) };
}

function paragraphKind(text: string, start: number, end: number): SegmentKind {
  const lines = text.slice(start, Math.min(end, start + 4000)).split('\n');
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (items > 1 && items >= lines.length / 2) return 'list';
  const bars = lines.filter((line) => /^\s*\|.*\|\s*$/.test(line)).length;
  return bars > 1 && bars === lines.filter((line) => line.trim() !== '').length ? 'table' : 'prose';
}

import { isAbbreviation } from '../text/sentences.ts';
import { lineOf, MARKER, type Prefix } from './answer-markdown.ts';

/** A longer sentence is cut, in UTF-16 units. */
const MAX_LENGTH = 2000;
/** A longer quotation was opened by mistake, for example by an inch sign. */
const MAX_QUOTATION_LENGTH = 400;
/** A bracket that does not close within this length is not a source. */
const MAX_MARKER_LENGTH = 128;

const SENTENCE_END = new RegExp(
  String.raw`(?:(?<![.!?…])[.!?…]+[*_"'”’»)]*(?=[\s[【])|(?<![。！？])[。！？]+[」』”）]*)(?:\s*${MARKER.source})*`,
  'giu',
);
/** Whether the final period belongs to an abbreviation, an initial or an ordinal. */
function isUnfinished(text: string): boolean {
  const word = /(?:^|[\s(])([\p{L}\p{N}.\s]{1,12})\.$/u.exec(text)?.[1] ?? '';
  return /^(?:\p{Lu}|\d{1,2})$/u.test(word) || isAbbreviation(word.replace(/\s/gu, ''));
}

function insideQuotation(text: string, end: number): boolean {
  if (end > MAX_QUOTATION_LENGTH) return false;
  const before = text.slice(0, end);
  if ((before.match(/"/gu)?.length ?? 0) % 2 === 1) return true;
  if (before.includes('„')) return before.lastIndexOf('„') > before.lastIndexOf('“');
  return before.lastIndexOf('“') > before.lastIndexOf('”');
}

/**
 * Where the first sentence of a line ends, or -1 while the text may go on. The result for a beginning
 * of a text holds for all of it. `complete` says that the line ends here.
 */
function sentenceEnd(text: string, complete: boolean): number {
  const seen = text.slice(0, MAX_LENGTH);
  const unknown = text.length < MAX_LENGTH ? -1 : MAX_LENGTH;
  const isComplete = complete && text.length < MAX_LENGTH;
  for (const match of seen.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const rest = seen.slice(end).trimStart();
    if (rest === '' && !isComplete) return unknown;
    if (rest === '') break;
    const open = /^[[【]/u.test(rest) && !/[\]】]/u.test(rest) && rest.length < MAX_MARKER_LENGTH;
    if (open && !isComplete) return unknown;
    const stop = match.index + (/^[.!?…]+/u.exec(match[0])?.[0].length ?? 0);
    const continues = /^\p{Ll}/u.test(rest) || isUnfinished(seen.slice(0, stop));
    if (!continues && !insideQuotation(seen, end)) return end;
  }
  return isComplete ? text.length : unknown;
}

export type Piece = { raw: string; prefix: Prefix; line: number } | { code: string };

const FENCE = /^\s{0,3}```/u;
const HALF_FENCE = /^\s{0,3}`{0,2}$/u;

/** Splits an answer into sentences and code while it is written, however it is split into pieces. */
export function createSentenceStream() {
  let buffer = '';
  let line = 0;
  let prefix: Prefix | null = null;
  let code: string[] | null = null;

  function takeCode(text: string): Piece[] {
    if (!FENCE.test(text)) code?.push(text);
    else if (code === null) code = [];
    else {
      const block = code.join('\n').trimEnd();
      code = null;
      if (block.trim() !== '') return [{ code: block }];
    }
    return [];
  }

  function takeSentence(text: string): Piece[] {
    let raw = text;
    if (prefix === null) {
      const openLine = lineOf(text);
      prefix = openLine?.prefix ?? 'none';
      raw = openLine?.rest ?? '';
    }
    return raw === '' ? [] : [{ raw, prefix, line }];
  }

  function drain(atEnd: boolean): Piece[] {
    const pieces: Piece[] = [];
    while (buffer !== '') {
      const [text = ''] = buffer.split('\n', 1);
      const ended = atEnd || text.length < buffer.length;
      const isCode =
        prefix === null && (code !== null || FENCE.test(text) || HALF_FENCE.test(text));
      const lineEnd = ended ? text.length : -1;
      const end = isCode ? lineEnd : sentenceEnd(text, ended);
      if (end < 0) break;
      pieces.push(...(isCode ? takeCode(text) : takeSentence(text.slice(0, end))));
      buffer = buffer.slice(end);
      if (!buffer.startsWith('\n')) continue;
      buffer = buffer.slice(1);
      endLine();
    }
    return pieces;
  }

  function endLine(): void {
    prefix = null;
    line += 1;
  }

  return {
    /** Adds a piece of text and returns the sentences and code that are now complete. */
    push(text: string): Piece[] {
      buffer += text.replaceAll('\r', '');
      // A lone surrogate does not say what follows a sentence.
      const half = /[\uD800-\uDBFF]$/u.exec(buffer)?.[0] ?? '';
      buffer = buffer.slice(0, buffer.length - half.length);
      const pieces = drain(false);
      buffer += half;
      return pieces;
    },
    end(cut = false): Piece[] {
      if (cut) buffer = '';
      const pieces = [...drain(true), ...(code === null ? [] : takeCode('```'))];
      endLine();
      return pieces;
    },
  };
}

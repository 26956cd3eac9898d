import { allWords, anyWord } from '../languages/index.ts';
import type { Span } from '../types.ts';

/** Possible ends of sentences with closing marks, and line ends. */
const CANDIDATE =
  /(?:(?<![.!?…؟।])[.!?…؟।]+|[。！？])["'”’»)\]」』]*(?:\[[^\]\n]{1,40}\])*(?=\s|$|[\p{L}\p{N}"“«‘(「『])|\n+/gu;
const FULL_WIDTH = /^[。！？]/u;

/** Lower-case abbreviations without their final period. */
const ABBREVIATIONS = allWords(({ abbreviations, finalAbbreviations }) => [
  abbreviations,
  finalAbbreviations,
]);
/** Abbreviations that may end a sentence before a capital. */
const MAY_END = allWords(({ finalAbbreviations }) => finalAbbreviations);

/** Whether a word without its period is an abbreviation. */
export const isAbbreviation = (word: string): boolean => ABBREVIATIONS.has(word.toLowerCase());

const NUMBER_LINE = /^[\s$€£¥%()\-–—+.,\d]+$/u;
const LIST_MARK = /^(?:[-–—*•‣▪◦·●○■□✓]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+/u;

/** Cuts a text into sentences, rows, list items and headings. Wrapped lines are joined. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const push = (end: number): void => {
    let start = from;
    let stop = end;
    while (start < stop && isSpace(text.charCodeAt(start))) start += 1;
    while (stop > start && isSpace(text.charCodeAt(stop - 1))) stop -= 1;
    if (stop > start) spans.push({ start, end: stop });
    from = end;
  };
  const loose = looseParagraphs(text);
  let paragraph = 0;
  const isLoose = (pos: number): boolean => {
    while ((loose[paragraph]?.end ?? Infinity) <= pos) paragraph += 1;
    return (loose[paragraph]?.start ?? Infinity) <= pos;
  };
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith('\n')) {
      if (match[0].length > 1 || lineEnds(text, from, match.index, end, isLoose)) push(end);
    } else if (sentenceEnds(text, from, match.index, end, match[0])) {
      push(end);
    }
  }
  push(text.length);
  return spans;
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
}

function sentenceEnds(text: string, from: number, pos: number, end: number, mark: string): boolean {
  if (FULL_WIDTH.test(mark)) return true;
  const rest = text.slice(end, end + 40);
  const spaced = rest === '' || isSpace(rest.charCodeAt(0));
  if (!spaced) {
    // A space is missing in 'accelerating.We'. 'a.b' is a name.
    return (
      mark === '.' &&
      /\p{Ll}{3}$/u.test(text.slice(Math.max(from, pos - 3), pos)) &&
      /^\p{Lu}\p{Ll}*(?:\s|['’])/u.test(rest)
    );
  }
  const next = rest.trimStart();
  if (/^\p{Ll}/u.test(next)) return false;
  if (/^(?:[!?؟।…]|\.\.)/u.test(mark)) return true;
  if (/^[,;:)]/u.test(next)) return false;
  // Spaced abbreviations: 'z. B.', 'd. h.', 'т. е.'.
  if (/^\p{L}\./u.test(next) && /(?:^|[\s(])\p{L}$/u.test(text.slice(Math.max(from, pos - 2), pos)))
    return false;
  if (/(?:^|[\s(])\p{L}\.\s\p{L}$/u.test(text.slice(Math.max(from, pos - 5), pos))) return false;
  const lastWord =
    text.slice(Math.max(from, pos - 24), pos).match(/(?<![\p{L}\p{N}.])[\p{L}\p{N}.]+$/u)?.[0] ??
    '';
  return !continuesSentence(lastWord, next, text.slice(from, pos));
}

const firstWord = (words: string): RegExp => new RegExp(String.raw`^(?:${words})(?!\p{L})`, 'iu');
const OPENER = firstWord(anyWord(({ sentenceOpeners }) => sentenceOpeners));
const AFTER_ORDINAL = firstWord(anyWord(({ afterOrdinal }) => afterOrdinal));

function continuesSentence(lastWord: string, next: string, sentence: string): boolean {
  const word = lastWord.toLowerCase();
  if (ABBREVIATIONS.has(word)) {
    if (/^(?:nos?|pp?|fig)$/u.test(word)) return /^\p{N}/u.test(next);
    return !(MAY_END.has(word) && /^\p{Lu}/u.test(next) && sentence.length > 25);
  }
  // An initial, as in J. Smith, but not the end of 'vitamin C. The'.
  if (/^\p{Lu}$/u.test(lastWord)) return !OPENER.test(next);
  if (/^(?:\p{L}\.)+\p{L}$/u.test(lastWord)) return !(sentence.length > 25 && OPENER.test(next));
  // A list number, or a German ordinal ('3. Mai').
  if (/^\d{1,3}$/u.test(lastWord)) return sentence.trim() === lastWord || AFTER_ORDINAL.test(next);
  return false;
}

const MIN_LINES = 3;
const FULL = 0.9;

/** The start of a line with a label: 'kitchen: Sardine'. */
const FIELD = /^\p{L}[\p{L}\p{N} ()/-]{0,30}:\s/u;

/** Whether most lines end early or are labeled, so they were not wrapped. */
function isLooseParagraph(lines: readonly string[]): boolean {
  if (lines.length < MIN_LINES) return false;
  const full = FULL * lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  const early = lines.filter((line, i) => {
    const next = lines[i + 1];
    if (next === undefined) return false;
    return FIELD.test(next) || line.length + 1 + next.search(/\s|$/u) <= full;
  });
  return early.length * 2 >= lines.length - 1;
}

/** Paragraphs of separate lines, such as notes and addresses. */
function looseParagraphs(text: string): Span[] {
  const loose: Span[] = [];
  let lines: string[] = [];
  let start = 0;
  let pos = 0;
  for (const raw of [...text.split('\n'), '']) {
    const line = raw.trim();
    if (line === '') {
      if (isLooseParagraph(lines)) loose.push({ start, end: pos });
      lines = [];
    } else {
      if (lines.length === 0) start = pos;
      lines.push(line);
    }
    pos += raw.length + 1;
  }
  return loose;
}

function lineEnds(
  text: string,
  from: number,
  pos: number,
  end: number,
  isLoose: (pos: number) => boolean,
): boolean {
  const lineStart = Math.max(from, text.lastIndexOf('\n', pos - 1) + 1);
  const line = text.slice(lineStart, pos).trim();
  const stop = text.indexOf('\n', end);
  const next = text.slice(end, stop === -1 ? text.length : stop).trim();
  if (line === '' || next === '') return false;
  if (isRow(line) || isRow(next)) return true;
  // In a table with a cell per line, figures belong to the label before them.
  if (NUMBER_LINE.test(next)) return false;
  if (NUMBER_LINE.test(line)) return true;
  if (LIST_MARK.test(next)) return true;
  if (/[.!?。！？:;]["'”’»)\]]*$/u.test(line)) return true;
  if (/[,\-–—(&/]$/u.test(line) || /^[(),;&/]/u.test(next)) return false;
  if (isLoose(pos)) return true;
  if (/^\p{Ll}/u.test(next)) return false;
  // Wrapped lines have similar lengths. A short line before a capital is a heading.
  return line.length < 50 || line.length < 0.6 * next.length;
}

/** A line of a table: cells between bars, middle dots or tabs. */
export function isRow(line: string): boolean {
  return /\t|\s[|·]\s|^\||\s{3}\S/u.test(line.trim());
}

export function isListItem(line: string): boolean {
  return LIST_MARK.test(line);
}

import type { View, ViewRow } from './build-view.ts';
import { findInText, foldText, type FoldedText, type TextRange } from './find-in-text.ts';

interface ExtractedRange {
  text: string;
  place: TextRange;
  from: number;
}

/** The marker before headings, list items and quotations in the extracted text. */
const MARKER = /^[^\S\n]*(?:#{1,6} |[-*•] |\d{1,9}[.)] |[☐☑] |> ?)+/u;
/** Lines around a quote that are searched if the quote is not found, and their minimum length. */
const NEIGHBOR_LINES = 40;
const MIN_NEIGHBOR_LENGTH = 8;
const NEARBY = 20_000;
const MAX_LINES = 100;
/** Separates the cells of a row in the extracted text. */
const CELL_SEPARATOR = ' · ';

const fold = (text: string): string => foldText(text.trim()).letters;
const sliceOf = ([start, end]: TextRange, text: string): string => text.slice(start, end);
const shift = ([start, end]: TextRange, offset: number): TextRange => [
  start + offset,
  end + offset,
];

function linesOf(text: string, [start, end]: TextRange): TextRange[] {
  const lines: TextRange[] = [];
  for (let index = text.lastIndexOf('\n', start - 1) + 1; index < end || lines.length === 0;) {
    const next = text.indexOf('\n', index);
    const lineEnd = next === -1 ? text.length : next;
    lines.push([index, lineEnd]);
    index = lineEnd + 1;
  }
  return lines;
}

const skipMarker = (text: string, [start, end]: TextRange): TextRange => [
  start + (MARKER.exec(text.slice(start, end))?.[0].length ?? 0),
  end,
];

/** The end of `words` in `line`, as whole words at or after a position, or -1. */
function endOfWords(line: string, words: string, from: number): number {
  for (
    let index = line.indexOf(words, from);
    index !== -1;
    index = line.indexOf(words, index + 1)
  ) {
    const end = index + words.length;
    const isWhole =
      (index === 0 || line[index - 1] === ' ') && (end === line.length || line[end] === ' ');
    if (isWhole) return end;
  }
  return -1;
}

interface FoldedRow {
  row: ViewRow;
  values: string[];
}

/** The number of letters of a line that a row's cells cover in order. 0 if a cell is missing. */
function scoreOf({ row, values }: FoldedRow, line: string): number {
  if (values.join(CELL_SEPARATOR) === line) return Infinity;
  if (row.isHeader) return 0;
  let index = 0;
  let score = 0;
  for (const value of values) {
    index = endOfWords(line, value, index);
    if (index === -1) return 0;
    score += value.length;
  }
  return score;
}

function rowOf(rows: readonly FoldedRow[], line: string, nth: number): ViewRow | undefined {
  const scored = rows.map((row) => ({ row: row.row, score: scoreOf(row, line) }));
  const best = scored.reduce((maximum, { score }) => Math.max(maximum, score), 0);
  const fitting = best === 0 ? [] : scored.filter(({ score }) => score === best);
  return fitting[Math.min(nth, fitting.length - 1)]?.row;
}

/** The occurrence of words with as many occurrences before it as in the extracted text. */
function nthOf(folded: FoldedText, words: string, before: FoldedText): TextRange | undefined {
  const ranges = findInText(folded, words);
  if (ranges.length < 2) return ranges[0];
  return ranges[Math.min(findInText(before, words).length, ranges.length - 1)];
}

/** The quoted part of a line, given the range of the whole line in the view. */
function withinLine(
  view: View,
  place: TextRange,
  text: string,
  line: TextRange,
  part: TextRange,
): TextRange[] {
  const words = sliceOf(part, text);
  if (fold(words) === fold(sliceOf(line, text))) return [place];
  const lead = foldText(text.slice(line[0], part[0]));
  const match = nthOf(foldText(sliceOf(place, view.text)), words, lead);
  return match ? [shift(match, place[0])] : [];
}

/** The quoted cells of a row, or the quoted words in one of them. */
function withinRow(view: View, row: ViewRow, text: string, part: TextRange): TextRange[] {
  const words = fold(sliceOf(part, text));
  const inside = findInText(foldText(sliceOf(row.range, view.text)), words)[0];
  if (inside) return [shift(inside, row.range[0])];
  const filled = row.cells.filter((cell) => fold(sliceOf(cell, view.text)) !== '');
  const quoted = filled.filter(
    (cell) => endOfWords(words, fold(sliceOf(cell, view.text)), 0) !== -1,
  );
  return quoted.length > 0 ? quoted : filled;
}

/**
 * Finds a range of a file's extracted text in its view. The view has the same words, but no list
 * markers and no column names in its cells.
 */
export function locateInView(view: View, { text, place, from }: ExtractedRange) {
  const folded = foldText(view.text);
  const lines = place[1] > place[0] ? linesOf(text, place).slice(0, MAX_LINES) : [];
  const lead = text.slice(from, Math.max(from, lines[0]?.[0] ?? 0));
  const foldedLead = foldText(lead);
  let rows: FoldedRow[] | null = null;
  const foldedRows = (): FoldedRow[] =>
    (rows ??= view.rows.map((row) => ({
      row,
      values: row.cells
        .map((cell) => fold(sliceOf(cell, view.text)))
        .filter((value) => value !== ''),
    })));

  const rangesOfLine = (whole: TextRange): TextRange[] => {
    const line = skipMarker(text, whole);
    const part: TextRange = [Math.max(line[0], place[0]), Math.min(line[1], place[1])];
    if (part[0] >= part[1] || sliceOf(part, text).trim() === '') return [];
    const match = nthOf(folded, sliceOf(line, text), foldedLead);
    if (match) return withinLine(view, match, text, line, part);
    const same = sliceOf(whole, text);
    const nth = lead.split('\n').filter((other) => other === same).length;
    const row = rowOf(foldedRows(), fold(same), nth);
    if (row) return withinRow(view, row, text, part);
    const words = nthOf(folded, sliceOf(part, text), foldedLead);
    return words ? [words] : [];
  };

  const near = (): number | null => {
    const above = lead.slice(-NEARBY).split('\n').toReversed().slice(0, NEIGHBOR_LINES);
    const below = text
      .slice(place[1], place[1] + NEARBY)
      .split('\n')
      .slice(0, NEIGHBOR_LINES);
    for (const line of [...above, ...below]) {
      const words = line.replace(MARKER, '').trim();
      const match =
        words.length < MIN_NEIGHBOR_LENGTH ? undefined : findInText(folded, words).at(-1);
      if (match) return match[0];
    }
    return null;
  };

  const quote = lines.flatMap(rangesOfLine);
  const [first] = quote;
  if (first) return { quote, near: first[0] };
  return { quote, near: lines.length > 0 ? near() : null };
}

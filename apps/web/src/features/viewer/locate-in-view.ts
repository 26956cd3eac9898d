import type { View, ViewRow } from './build-view.ts';
import { findInText, foldText, type FoldedText, type TextRange } from './find-in-text.ts';

interface Wanted {
  text: string;
  place: TextRange;
  from: number;
}

/** What the extracted text puts before headings, list items and quotations. */
const MARKER = /^[^\S\n]*(?:#{1,6} |[-*•] |\d{1,9}[.)] |[☐☑] |> ?)+/u;
/** Lines around a quote to look for if the quote itself is not found, and their minimum length. */
const NEIGHBOURS = 40;
const LEAST_NEIGHBOUR = 8;
const NEARBY = 20_000;
const MOST_LINES = 100;
/** What separates the cells of a row in the extracted text. */
const BETWEEN = ' · ';

const fold = (text: string): string => foldText(text.trim()).letters;
const shown = ([start, end]: TextRange, text: string): string => text.slice(start, end);
const moved = ([start, end]: TextRange, by: number): TextRange => [start + by, end + by];

function linesOf(text: string, [start, end]: TextRange): TextRange[] {
  const lines: TextRange[] = [];
  for (let at = text.lastIndexOf('\n', start - 1) + 1; at < end || lines.length === 0;) {
    const next = text.indexOf('\n', at);
    const lineEnd = next === -1 ? text.length : next;
    lines.push([at, lineEnd]);
    at = lineEnd + 1;
  }
  return lines;
}

const withoutMarker = (text: string, [start, end]: TextRange): TextRange => [
  start + (MARKER.exec(text.slice(start, end))?.[0].length ?? 0),
  end,
];

/** Where `words` ends in `line` as whole words at or after a position, or -1. */
function endOfWords(line: string, words: string, from: number): number {
  for (let at = line.indexOf(words, from); at !== -1; at = line.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isWhole =
      (at === 0 || line[at - 1] === ' ') && (end === line.length || line[end] === ' ');
    if (isWhole) return end;
  }
  return -1;
}

interface FoldedRow {
  row: ViewRow;
  values: string[];
}

/** How many letters of a line a row's cells cover, in their order. 0 if a cell is not in the line. */
function scoreOf({ row, values }: FoldedRow, line: string): number {
  if (values.join(BETWEEN) === line) return Infinity;
  if (row.isHeader) return 0;
  let at = 0;
  let score = 0;
  for (const value of values) {
    at = endOfWords(line, value, at);
    if (at === -1) return 0;
    score += value.length;
  }
  return score;
}

/** The nth row that matches a line of the extracted text best. */
function rowOf(rows: readonly FoldedRow[], line: string, nth: number): ViewRow | undefined {
  const scored = rows.map((one) => ({ row: one.row, score: scoreOf(one, line) }));
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const fitting = best === 0 ? [] : scored.filter(({ score }) => score === best);
  return fitting[Math.min(nth, fitting.length - 1)]?.row;
}

/** The place of words that has as many matches before it as the extracted text has. */
function nthOf(folded: FoldedText, words: string, before: FoldedText): TextRange | undefined {
  const places = findInText(folded, words);
  if (places.length < 2) return places[0];
  return places[Math.min(findInText(before, words).length, places.length - 1)];
}

/** The wanted part of a line, given where the whole line is in the view. */
function withinLine(
  view: View,
  place: TextRange,
  text: string,
  line: TextRange,
  part: TextRange,
): TextRange[] {
  const words = shown(part, text);
  if (fold(words) === fold(shown(line, text))) return [place];
  const lead = foldText(text.slice(line[0], part[0]));
  const found = nthOf(foldText(shown(place, view.text)), words, lead);
  return found ? [moved(found, place[0])] : [];
}

/** The wanted cells of a row, or the wanted words within one. */
function withinRow(view: View, row: ViewRow, text: string, part: TextRange): TextRange[] {
  const words = fold(shown(part, text));
  const inside = findInText(foldText(shown(row.place, view.text)), words)[0];
  if (inside) return [moved(inside, row.place[0])];
  const filled = row.cells.filter((cell) => fold(shown(cell, view.text)) !== '');
  const wanted = filled.filter((cell) => endOfWords(words, fold(shown(cell, view.text)), 0) !== -1);
  return wanted.length > 0 ? wanted : filled;
}

/**
 * Finds a range of a file's extracted text in the view of the file. The view has the same words,
 * but no list markers, and cells without the names of their columns.
 */
export function locateInView(view: View, { text, place, from }: Wanted) {
  const folded = foldText(view.text);
  const lines = place[1] > place[0] ? linesOf(text, place).slice(0, MOST_LINES) : [];
  const lead = text.slice(from, Math.max(from, lines[0]?.[0] ?? 0));
  const foldedLead = foldText(lead);
  let rows: FoldedRow[] | null = null;
  const foldedRows = (): FoldedRow[] =>
    (rows ??= view.rows.map((row) => ({
      row,
      values: row.cells.map((cell) => fold(shown(cell, view.text))).filter((value) => value !== ''),
    })));

  const placesOfLine = (whole: TextRange): TextRange[] => {
    const line = withoutMarker(text, whole);
    const part: TextRange = [Math.max(line[0], place[0]), Math.min(line[1], place[1])];
    if (part[0] >= part[1] || shown(part, text).trim() === '') return [];
    const found = nthOf(folded, shown(line, text), foldedLead);
    if (found) return withinLine(view, found, text, line, part);
    const same = shown(whole, text);
    const nth = lead.split('\n').filter((other) => other === same).length;
    const row = rowOf(foldedRows(), fold(same), nth);
    if (row) return withinRow(view, row, text, part);
    const words = nthOf(folded, shown(part, text), foldedLead);
    return words ? [words] : [];
  };

  const near = (): number | null => {
    const above = lead.slice(-NEARBY).split('\n').toReversed().slice(0, NEIGHBOURS);
    const below = text
      .slice(place[1], place[1] + NEARBY)
      .split('\n')
      .slice(0, NEIGHBOURS);
    for (const line of [...above, ...below]) {
      const words = line.replace(MARKER, '').trim();
      const found = words.length < LEAST_NEIGHBOUR ? undefined : findInText(folded, words).at(-1);
      if (found) return found[0];
    }
    return null;
  };

  const quote = lines.flatMap(placesOfLine);
  const [first] = quote;
  if (first) return { quote, near: first[0] };
  return { quote, near: lines.length > 0 ? near() : null };
}

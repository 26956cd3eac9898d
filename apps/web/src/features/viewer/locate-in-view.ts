import type { View, ViewRow } from './build-view.ts';
import { findInText, foldText, type FoldedText } from './find-in-text.ts';
import type { Stretch } from './quote-place.ts';

/** The extracted text of which a view shows a part, and the stretch of it to be found. */
export interface Wanted {
  text: string;
  place: Stretch;
  /** Where the shown part begins. */
  from: number;
}

export interface Located {
  /** Stretches of the view's text that are the wanted words. */
  quote: Stretch[];
  /** The offset in the view's text nearest to them; null where nothing around them is found either. */
  near: number | null;
}

/** What the extracted text writes at the begin of a line for a heading, an item or a quotation. */
const MARKER = /^[^\S\n]*(?:#{1,6} |[-*•] |\d{1,9}[.)] |[☐☑] |> ?)+/u;
/** Lines around a quote that are looked for where it is not found itself, and their least length. */
const NEIGHBOURS = 40;
const LEAST_NEIGHBOUR = 8;
const NEARBY = 20_000;
/** Lines of a quote that are looked for. */
const MOST_LINES = 100;
/** What stands between the cells of a row in the extracted text. */
const BETWEEN = ' · ';

const fold = (text: string): string => foldText(text.trim()).letters;
const shown = ([start, end]: Stretch, text: string): string => text.slice(start, end);
const moved = ([start, end]: Stretch, by: number): Stretch => [start + by, end + by];

/** The lines of a text that a stretch touches. */
function linesOf(text: string, [start, end]: Stretch): Stretch[] {
  const lines: Stretch[] = [];
  for (let at = text.lastIndexOf('\n', start - 1) + 1; at < end || lines.length === 0;) {
    const next = text.indexOf('\n', at);
    const lineEnd = next === -1 ? text.length : next;
    lines.push([at, lineEnd]);
    at = lineEnd + 1;
  }
  return lines;
}

const withoutMarker = (text: string, [start, end]: Stretch): Stretch => [
  start + (MARKER.exec(text.slice(start, end))?.[0].length ?? 0),
  end,
];

/** Whether `line` has a text as words of its own from a position on; where it ends, or -1. */
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
  /** The texts of its cells, empty ones left out. */
  values: string[];
}

/** How many letters of a line a row's cells are, in their order; 0 where a cell is not in the line. */
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

/** The row that a line of the extracted text describes, after as many others that do. */
function rowOf(rows: readonly FoldedRow[], line: string, nth: number): ViewRow | undefined {
  const scored = rows.map((one) => ({ row: one.row, score: scoreOf(one, line) }));
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const fitting = best === 0 ? [] : scored.filter(({ score }) => score === best);
  return fitting[Math.min(nth, fitting.length - 1)]?.row;
}

/** Where words stand, after as many others as there are before them. */
function nthOf(folded: FoldedText, words: string, before: FoldedText): Stretch | undefined {
  const places = findInText(folded, words);
  if (places.length < 2) return places[0];
  return places[Math.min(findInText(before, words).length, places.length - 1)];
}

/** The part of a line that is wanted, within the place at which the line stands in the view. */
function withinLine(
  view: View,
  place: Stretch,
  text: string,
  line: Stretch,
  part: Stretch,
): Stretch[] {
  const words = shown(part, text);
  if (fold(words) === fold(shown(line, text))) return [place];
  const lead = foldText(text.slice(line[0], part[0]));
  const found = nthOf(foldText(shown(place, view.text)), words, lead);
  return found ? [moved(found, place[0])] : [];
}

/** The cells of a row that are wanted, or the words within one. */
function withinRow(view: View, row: ViewRow, text: string, part: Stretch): Stretch[] {
  const words = fold(shown(part, text));
  const inside = findInText(foldText(shown(row.place, view.text)), words)[0];
  if (inside) return [moved(inside, row.place[0])];
  const filled = row.cells.filter((cell) => fold(shown(cell, view.text)) !== '');
  const wanted = filled.filter((cell) => endOfWords(words, fold(shown(cell, view.text)), 0) !== -1);
  return wanted.length > 0 ? wanted : filled;
}

/**
 * Finds a stretch of a file's extracted text in the view of the file, which has the same words but
 * other signs between them: no list markers, and cells without the names of their columns.
 */
export function locateInView(view: View, { text, place, from }: Wanted): Located {
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

  const placesOfLine = (whole: Stretch): Stretch[] => {
    const line = withoutMarker(text, whole);
    const part: Stretch = [Math.max(line[0], place[0]), Math.min(line[1], place[1])];
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

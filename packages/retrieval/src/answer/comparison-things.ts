import { fieldsAt } from '../analysis/fields.ts';
import { splitSentences } from '../analysis/sentences.ts';
import { analyze } from '../analysis/words.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { Citation, SourceSegment } from '../types.ts';
import { citationIn } from './citation.ts';
import type { Material } from './material.ts';
import { sectionsOf } from './sections.ts';
import { valuesOf } from './values.ts';
import type { Value } from './values.ts';

/** Something that may be compared with others of its kind: a file, a row, a column, a section, an item. */
export interface Thing {
  name: string;
  /** What it is called besides, and the place where it stands. */
  around: readonly string[];
  file?: LibraryFile;
  points: () => Point[];
}

/** What is said of a thing in one respect. */
export interface Point {
  /** A label, a column, a heading. */
  key: string;
  text: string;
  /** What it is about, stemmed: its key, or for a sentence its words without its values. */
  words: ReadonlySet<string>;
  labelled: boolean;
  values: readonly Value[];
  source: Citation;
}

/** Points of two things in one respect. */
export interface Pair {
  left: Point;
  right: Point;
}

/** Files, best first, that may be compared, and that are looked through. */
const FILES = { whole: 6, within: 4 } as const;
const MOST_SEGMENTS = 2000;
const MOST_POINTS = 150;
const LONGEST_LINE = 300;
/** The share of words that two labels, and two sentences, have in common at least. */
const LIKENESS = { label: 0.6, sentence: 0.5 } as const;

/** All that may be compared, in groups of one kind, likeliest first. */
export function* thingsOf({ question, ranked, documents, files }: Material): Generator<Thing[]> {
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))];
  const known = ids.slice(0, FILES.whole).flatMap((id) => {
    const file = files.find(({ artifactId }) => artifactId === id);
    const document = documents.get(id);
    return file === undefined || document === undefined ? [] : [{ file, document }];
  });
  const { language } = question;
  yield known.map(({ file, document }) => fileOf(file, document, language));
  for (const { file, document } of known.slice(0, FILES.within)) {
    const around = [wordsOfFileName(file.fileName), file.title ?? ''];
    const segments = document.segments.slice(0, MOST_SEGMENTS);
    const part = { ...document, segments };
    yield* tableThings(part, around, language);
    yield sectionsOf(part).map((section) => ({
      name: section.headings.at(-1) ?? '',
      around: [...around, ...section.headings.slice(0, -1)],
      points: () => pointsOf(document, section.segments, language),
    }));
    yield pointsOf(document, segments, language).flatMap((point) =>
      point.labelled ? [{ name: point.key, around, points: () => [point] }] : [],
    );
  }
}

function fileOf(file: LibraryFile, document: LibraryDocument, language: string): Thing {
  const { fileName, title, codes, version, date, parties } = file;
  const said = [wordsOfFileName(fileName), title, ...codes, version, date?.value.slice(0, 4)];
  const points = (): Point[] => {
    const read = pointsOf(document, document.segments, language);
    if (date === null || date.end <= date.start) return read;
    const point = pointOf(document, { start: date.start, end: date.end, key: '' }, language);
    const value = { start: 0, end: point.text.length, unit: 'date', key: date.value };
    return [{ ...point, words: new Set(['date']), values: [value] }, ...read];
  };
  const around = [...said.map((one) => one ?? ''), ...parties.map(({ value }) => value)];
  return { name: fileName, around, file, points };
}

/** The rows of each table and its columns, named by their first cells. */
function* tableThings(
  document: LibraryDocument,
  around: readonly string[],
  language: string,
): Generator<Thing[]> {
  const { text, segments } = document;
  const rows = segments.flatMap(({ kind, start, end, headings }) => {
    if (kind !== 'table') return [];
    return splitSentences(text.slice(start, end)).flatMap((line) => {
      const cells = cellsOf(text, start + line.start, start + line.end);
      const isNamed = cells.length > 1 && cells.at(-1)?.name !== '';
      return isNamed ? [{ cells, all: [...around, ...headings] }] : [];
    });
  });
  const pointsIn = (cell: Cell | undefined, key = ''): Point[] =>
    cell === undefined || cell.value === '' ? [] : [pointOf(document, { ...cell, key }, language)];
  const shape = ({ cells, all }: (typeof rows)[number]): string =>
    JSON.stringify([all, cells.map(({ name }) => name)]);
  for (const table of Map.groupBy(rows, shape).values()) {
    yield table.map(({ cells: [first, ...others], all }) => ({
      name: first?.value ?? '',
      around: all,
      points: () => others.flatMap((cell) => pointsIn(cell, cell.name)),
    }));
    yield (table[0]?.cells ?? []).map(({ name }, at) => ({
      name,
      around: table[0]?.all ?? [],
      points: () => table.flatMap(({ cells }) => pointsIn(cells[at], cells[0]?.value)),
    }));
  }
}

interface Cell {
  name: string;
  value: string;
  start: number;
  end: number;
}

/** The fields of a line or row, each with its place. */
function cellsOf(text: string, start: number, end: number): Cell[] {
  let from = start;
  return fieldsAt(text, start, end).flatMap(({ name, value }): Cell[] => {
    const at = text.indexOf(value, text.startsWith(name, from) ? from + name.length : from);
    if (at === -1 || at > end) return [];
    from = at + value.length;
    return [{ name, value, start: at, end: from }];
  });
}

/** What segments of a document say, point by point: fields, definitions, sentences. */
function pointsOf(
  document: LibraryDocument,
  segments: readonly SourceSegment[],
  language: string,
): Point[] {
  const points: Point[] = [];
  const { text } = document;
  for (const { kind, start, end, headings } of segments) {
    if (points.length >= MOST_POINTS) break;
    if (kind === 'heading' || kind === 'code') continue;
    const stop = kind === 'definition' ? text.slice(start, end).indexOf('\n') : -1;
    if (stop > 0) {
      const key = text.slice(start, start + stop);
      points.push(pointOf(document, { start: start + stop + 1, end, key }, language));
      continue;
    }
    for (const span of splitSentences(text.slice(start, end))) {
      const line = { start: start + span.start, end: start + span.end };
      if (line.end - line.start > LONGEST_LINE) continue;
      const cells = cellsOf(text, line.start, line.end);
      const [name, value] = cells;
      if (cells.length === 0) {
        const heading = { ...line, key: bareHeading(headings.at(-1) ?? '') };
        points.push(pointOf(document, heading, language, false));
      } else if (cells.length === 2 && name !== undefined && value !== undefined)
        points.push(pointOf(document, { ...value, key: name.value }, language));
      else if (cells.length === 1 && name !== undefined)
        points.push(pointOf(document, { ...name, key: name.name }, language));
    }
  }
  return points;
}

/** A heading without its number: '3.2 Fees', '§ 4 Fees'. */
const bareHeading = (heading: string): string =>
  heading.replace(/^(?:§\s?|art(?:icle|ikel)?\.?\s)?[\d.]{1,8}[.):]?\s+/iu, '');

/** What a stretch of a document says of a key. */
function pointOf(
  document: LibraryDocument,
  { key, ...span }: { key: string; start: number; end: number },
  language: string,
  labelled = true,
): Point {
  const source = citationIn(document, span, 0);
  const { quote } = source;
  const values = valuesOf(quote, [language, 'en']);
  const words = new Set(analyze(labelled ? key : withoutValues(quote, values), language));
  return { key, text: quote, words, labelled, values, source };
}

/** A text with the units of its values in their place. */
const withoutValues = (text: string, values: readonly Value[]): string =>
  values.reduceRight(
    (bare, { start, end, unit }) => `${bare.slice(0, start)} ${unit} ${bare.slice(end)}`,
    text,
  );

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Points of the same label, or sentences of the same words, that say different things. */
export function differences(left: readonly Point[], right: readonly Point[]): Pair[] {
  const others = new Set(right);
  return left.flatMap((one): Pair[] => {
    let best: { other: Point; fit: number } | null = null;
    for (const other of others) {
      const fit = fitOf(one, other);
      if (fit > (best?.fit ?? 0)) best = { other, fit };
    }
    if (best === null) return [];
    others.delete(best.other);
    return plain(one.text) === plain(best.other.text) ? [] : [{ left: one, right: best.other }];
  });
}

/** How much two points are of one thing; 0 where they are not. */
function fitOf(one: Point, other: Point): number {
  if (one.labelled !== other.labelled) return 0;
  const shared = one.words.intersection(other.words).size;
  if (one.labelled) {
    const keys = shared / Math.max(1, one.words.union(other.words).size);
    return keys >= LIKENESS.label ? keys : 0;
  }
  const share = shared / Math.max(3, Math.min(one.words.size, other.words.size));
  if (plain(one.text) === plain(other.text)) return 1 + share;
  // Sentences say otherwise of the same thing where a value of one unit differs.
  const differ = one.values.some(({ unit, key }) =>
    other.values.some((value) => unit !== '' && value.unit === unit && value.key !== key),
  );
  const least = differ ? LIKENESS.sentence : LIKENESS.label;
  return share >= least && (differ || plain(one.key) === plain(other.key)) ? share : 0;
}

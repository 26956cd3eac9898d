import { fieldsAt } from '../analysis/fields.ts';
import { splitSentences } from '../analysis/sentences.ts';
import { analyze } from '../analysis/words.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { Citation } from '../types.ts';
import { citationIn } from './citation.ts';
import type { Material } from './material.ts';
import { subjectOf } from './statements.ts';
import { valuesOf } from './values.ts';
import type { Value } from './values.ts';

/** A file that may be compared with others. */
export interface Thing {
  file: LibraryFile;
  /** All that it is called. */
  names: readonly string[];
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

/** Files, best first, that may be compared. */
const MOST_FILES = 6;
const MOST_POINTS = 150;
const LONGEST_LINE = 300;
/** The share of words that two labels, and two sentences, have in common at least. */
const LIKENESS = { label: 0.6, sentence: 0.5 } as const;

/** The files that may be compared, likeliest first. */
export function thingsOf({ question, ranked, documents, files }: Material): Thing[] {
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))];
  return ids.slice(0, MOST_FILES).flatMap((id) => {
    const file = files.find(({ artifactId }) => artifactId === id);
    const document = documents.get(id);
    return file === undefined || document === undefined
      ? []
      : [thingOf(file, document, question.language)];
  });
}

function thingOf(file: LibraryFile, document: LibraryDocument, language: string): Thing {
  const { fileName, title, codes, version, date, parties } = file;
  const said = [wordsOfFileName(fileName), title, ...codes, version, date?.value.slice(0, 4)];
  const points = (): Point[] => {
    const read = pointsOf(document, language);
    if (date === null || date.end <= date.start) return read;
    const point = pointOf(document, { start: date.start, end: date.end, key: '' }, language);
    const value = { start: 0, end: point.text.length, unit: 'date', key: date.value };
    return [{ ...point, words: new Set(['date']), values: [value] }, ...read];
  };
  const names = [...said.map((one) => one ?? ''), ...parties.map(({ value }) => value)];
  return { file, names, points };
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

/** What a document says, point by point: fields, definitions, sentences. */
function pointsOf(document: LibraryDocument, language: string): Point[] {
  const points: Point[] = [];
  const { text, segments } = document;
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
  const words = labelled ? new Set(analyze(key, language)) : subjectOf(quote, values, language);
  return { key, text: quote, words, labelled, values, source };
}

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

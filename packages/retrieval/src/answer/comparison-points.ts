import { splitSentences } from '../analysis/sentences.ts';
import { analyze } from '../analysis/words.ts';
import type { LibraryDocument } from '../documents/document.ts';
import type { Citation, SourceSegment } from '../types.ts';
import { valuesOf } from './values.ts';
import type { Value } from './values.ts';

/** Something that is said of one of two things. */
export interface Point {
  /** What it is said of: a label, a column, a heading. */
  key: string;
  text: string;
  /** The stems of its key. */
  words: ReadonlySet<string>;
  /** The stems of its text without its values; empty where the key is a label. */
  subject: ReadonlySet<string>;
  values: readonly Value[];
  /** The headings above it. */
  headings: readonly string[];
  source: Omit<Citation, 'n'>;
}

/** A point of each. */
export interface Pair {
  key: string;
  left: Point;
  right: Point;
}

/** Points that are read of one side. */
const MOST_POINTS = 150;
const LONGEST = 300;
/** How much of one segment is read, in UTF-16 units. */
const LONGEST_SEGMENT = 10_000;
const LABEL = /^(?:[-–•*]\s+)?(?=.{2,60}?:\s)([^:\n]{2,60}):\s+(?=\S)/u;
/** The share of words that two labels, and two sentences, have in common at least. */
const LIKENESS = { key: 0.6, sentence: 0.5 } as const;

/** What segments of a document say, point by point: labelled lines, cells of two, definitions, sentences. */
export function pointsOf(
  document: LibraryDocument,
  segments: readonly SourceSegment[],
  language: string,
): Point[] {
  const points: Point[] = [];
  for (const segment of segments) {
    if (points.length >= MOST_POINTS) break;
    if (segment.kind === 'heading' || segment.kind === 'code') continue;
    for (const line of linesOf(document, segment))
      points.push(pointOf(document, segment, line, language));
  }
  return points;
}

interface Line {
  key: string;
  /** Offsets in the document. */
  start: number;
  end: number;
  labelled: boolean;
}

function linesOf({ text }: LibraryDocument, segment: SourceSegment): Line[] {
  const { start, end, kind, headings } = segment;
  const own = text.slice(start, Math.min(end, start + LONGEST_SEGMENT));
  if (kind === 'definition') {
    const stop = own.indexOf('\n');
    return stop < 1
      ? []
      : [{ key: own.slice(0, stop), start: start + stop + 1, end, labelled: true }];
  }
  return splitSentences(own).flatMap((span): Line[] => {
    const line = own.slice(span.start, span.end);
    if (line.length > LONGEST) return [];
    const place = { start: start + span.start, end: start + span.end };
    const cells = cellsOf(line);
    if (cells.length === 2) {
      const [name, value] = cells;
      if (name === undefined || value === undefined) return [];
      return [
        {
          key: name.text,
          start: place.start + value.start,
          end: place.start + value.end,
          labelled: true,
        },
      ];
    }
    if (cells.length > 2) return [];
    const label = LABEL.exec(line);
    if (label !== null) {
      const from = place.start + label[0].length;
      return [{ key: label[1] ?? '', start: from, end: place.end, labelled: true }];
    }
    return [{ key: bareHeading(headings.at(-1) ?? ''), ...place, labelled: false }];
  });
}

/** A heading without its number: '3.2 Fees', '§ 4 Fees'. */
const bareHeading = (heading: string): string =>
  heading.replace(/^(?:§\s?|art(?:icle|ikel)?\.?\s)?[\d.]{1,8}[.):]?\s+/iu, '');

/** What a stretch of a document says of a key. */
export function pointOf(
  { artifactId, fileName, text }: LibraryDocument,
  { location, headings }: SourceSegment,
  { key, start, end, labelled }: Line,
  language: string,
): Point {
  const said = text.slice(start, end);
  const values = valuesOf(said, [language, 'en']);
  return {
    key,
    text: said,
    words: stems(key, language),
    subject: labelled ? new Set() : stems(withoutValues(said, values), language),
    values,
    headings,
    source: { artifactId, fileName, location, quote: said, start, end },
  };
}

const stems = (text: string, language: string): ReadonlySet<string> =>
  new Set(analyze(text, language).filter((word) => word.length > 1));

function withoutValues(text: string, values: readonly Value[]): string {
  let bare = '';
  let from = 0;
  for (const { start, end, unit } of values) {
    bare += `${text.slice(from, start)} ${unit} `;
    from = end;
  }
  return bare + text.slice(from);
}

/** The cells of a row set with tabs or bars; one where it is none. */
export function cellsOf(row: string): { text: string; start: number; end: number }[] {
  const cells: { text: string; start: number; end: number }[] = [];
  if (!/\t|^\s*\|/u.test(row)) return [{ text: row.trim(), start: 0, end: row.length }];
  for (const match of row.matchAll(/[^\t|]+/gu)) {
    const text = match[0].trim();
    if (text === '') continue;
    const start = match.index + match[0].indexOf(text);
    cells.push({ text, start, end: start + text.length });
  }
  return cells;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.intersection(b).size / Math.max(1, a.union(b).size);

/** Points of the same label, or sentences of the same words, that say different things. */
export function differences(left: readonly Point[], right: readonly Point[]): Pair[] {
  const pairs: Pair[] = [];
  const taken = new Set<Point>();
  for (const one of left) {
    let best: { other: Point; fit: number } | null = null;
    for (const other of right) {
      if (taken.has(other)) continue;
      const fit = fitOf(one, other);
      if (fit > 0 && (best === null || fit > best.fit)) best = { other, fit };
    }
    if (best === null) continue;
    taken.add(best.other);
    if (plain(one.text) !== plain(best.other.text))
      pairs.push({ key: one.key, left: one, right: best.other });
  }
  return pairs;
}

function fitOf(one: Point, other: Point): number {
  const keys = likeness(one.words, other.words);
  const labelled = one.subject.size === 0;
  if (labelled !== (other.subject.size === 0)) return 0;
  if (labelled) return keys >= LIKENESS.key ? keys : 0;
  // Sentences say otherwise of the same thing where a value of one unit differs.
  const differ = one.values.some(({ unit, key }) =>
    other.values.some((value) => value.unit === unit && value.key !== key && unit !== ''),
  );
  const same = one.subject.intersection(other.subject).size;
  const share = same / Math.max(3, Math.min(one.subject.size, other.subject.size));
  const equal = plain(one.text) === plain(other.text);
  const sameHeading = keys >= LIKENESS.key && share >= LIKENESS.key;
  return (differ || equal || sameHeading) && share >= LIKENESS.sentence
    ? share + keys / 4 + (equal ? 1 : 0)
    : 0;
}

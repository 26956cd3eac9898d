import type { LibraryDocument } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { Sides } from './comparison-asked.ts';
import type { SourceSegment } from '../types.ts';
import { cellsOf, differences, pointOf, pointsOf } from './comparison-points.ts';
import type { Pair, Point } from './comparison-points.ts';
import type { Material } from './material.ts';
import { sectionsOf } from './sections.ts';

/** Tells whether some texts say all of a question's terms. */
export type Says = (texts: readonly string[], terms: readonly number[]) => boolean;

/** One of two things as it is found, with what is said of it. */
export interface Place {
  label: string;
  points: Point[];
}

/** Files, best first, that are looked through, and the segments of each. */
const FILES = 4;
const MOST_SEGMENTS = 2000;
const LONGEST_NAME = 60;
const LONGEST_ITEM = 250;

interface Pairing {
  left: Place;
  right: Place;
  pairs: Pair[];
}

/** Two rows, columns, sections or items of one file that the sides name. */
export function pairWithin(
  { question, ranked, documents, files }: Material,
  sides: Sides,
  says: Says,
): (Pairing & { names: string[] }) | null {
  if (sides.left.terms.length === 0 || sides.right.terms.length === 0) return null;
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, FILES);
  for (const id of ids) {
    const document = documents.get(id);
    if (document === undefined) continue;
    const title = files.find(({ artifactId }) => artifactId === id)?.title ?? '';
    const around = [wordsOfFileName(document.fileName), title];
    const part = { ...document, segments: document.segments.slice(0, MOST_SEGMENTS) };
    const context = { document: part, around, sides, says, language: question.language };
    const found = inTables(context) ?? inSections(context) ?? inItems(context);
    if (found !== null) {
      const headings = found.pairs.flatMap(({ left }) => left.headings);
      return { ...found, names: [...around, ...headings, found.left.label, found.right.label] };
    }
  }
  return null;
}

interface Context {
  document: LibraryDocument;
  /** What the file is called. */
  around: readonly string[];
  sides: Sides;
  says: Says;
  language: string;
}

interface Named {
  name: string;
  headings: readonly string[];
}

/**
 * The one thing that each side names: by its own name, of which the place may say a part. Null
 * unless there is exactly one for each, and not the same one.
 */
function named<T extends Named>(
  things: readonly T[],
  { sides, says, around }: Context,
): [T, T] | null {
  const pick = (terms: readonly number[], others: readonly number[]): T | null => {
    const fitting = things.filter(
      ({ name, headings }) =>
        terms.some((at) => says([name], [at])) &&
        says([name, ...headings, ...around], terms) &&
        !others
          .filter((at) => !terms.includes(at))
          .every((at, _, all) => all.length > 0 && says([name], [at])),
    );
    const own = fitting.filter(({ name }) => says([name], terms));
    const choice = own.length > 0 ? own : fitting;
    const shortest = choice.toSorted((a, b) => a.name.length - b.name.length)[0];
    return shortest ?? null;
  };
  const left = pick(sides.left.terms, sides.right.terms);
  const right = pick(sides.right.terms, sides.left.terms);
  return left === null || right === null || left === right ? null : [left, right];
}

interface Row {
  segment: SourceSegment;
  start: number;
  cells: { text: string; start: number; end: number }[];
}

/** The tables of a document: neighbouring rows of as many cells. */
function tablesOf({ text, segments }: LibraryDocument): Row[][] {
  const tables: Row[][] = [];
  let before: SourceSegment | undefined;
  for (const segment of segments) {
    if (segment.kind === 'table') {
      if (before?.kind !== 'table') tables.push([]);
      let start = segment.start;
      for (const line of text.slice(segment.start, segment.end).split('\n')) {
        const cells = cellsOf(line);
        if (cells.length > 1 && !/^[\s|:-]+$/u.test(line))
          tables.at(-1)?.push({ segment, start, cells });
        start += line.length + 1;
      }
    }
    before = segment;
  }
  return tables.filter((rows) => rows.length > 1);
}

function inTables(context: Context): Pairing | null {
  const { document, language } = context;
  for (const rows of tablesOf(document)) {
    const [header] = rows;
    if (header === undefined) continue;
    const headings = header.segment.headings;
    const cellPoint = (row: Row, at: number, key: string): Point[] => {
      const cell = row.cells[at];
      if (cell === undefined) return [];
      const place = { start: row.start + cell.start, end: row.start + cell.end };
      return [pointOf(document, row.segment, { key, ...place, labelled: true }, language)];
    };
    const byRow = named(
      rows.slice(1).map((row) => ({ row, name: row.cells[0]?.text ?? '', headings })),
      context,
    );
    if (byRow !== null) {
      const [left, right] = byRow.map(({ row, name }): Place => ({
        label: name,
        points: header.cells.flatMap(({ text }, at) =>
          at === 0 || row.cells.length !== header.cells.length ? [] : cellPoint(row, at, text),
        ),
      }));
      const found = pairing(left, right);
      if (found !== null) return found;
    }
    const offset = Math.max(0, (rows[1]?.cells.length ?? 0) - header.cells.length);
    const byColumn = named(
      header.cells.map(({ text }, at) => ({ name: text, at: at + offset, headings })),
      context,
    );
    if (byColumn === null) continue;
    const [left, right] = byColumn.map(({ name, at }): Place => ({
      label: name,
      points: rows.slice(1).flatMap((row) => cellPoint(row, at, row.cells[0]?.text ?? '')),
    }));
    const found = pairing(left, right);
    if (found !== null) return found;
  }
  return null;
}

function pairing(left: Place | undefined, right: Place | undefined): Pairing | null {
  if (left === undefined || right === undefined) return null;
  const pairs = differences(left.points, right.points);
  return pairs.length === 0 ? null : { left, right, pairs };
}

/** Two headings, and what stands under each: point by point, or else their first sentences. */
function inSections(context: Context): Pairing | null {
  const { document, language } = context;
  const sections = sectionsOf(document).flatMap(({ headings, segments }) => {
    const name = headings.at(-1) ?? '';
    if (name === '' || name.length > LONGEST_NAME) return [];
    return [{ name, headings: headings.slice(0, -1), segments }];
  });
  const both = named(sections, context);
  if (both === null) return null;
  const [left, right] = both.map(({ name, segments }): Place => ({
    label: name,
    points: pointsOf(document, segments, language),
  }));
  return pairing(left, right) ?? asWhole(left, right);
}

/** Two items of a list, labelled lines or definitions. */
function inItems(context: Context): Pairing | null {
  const { document, language } = context;
  const items = document.segments.flatMap((segment) => {
    const { kind, start, end, headings } = segment;
    if ((kind !== 'list' && kind !== 'definition') || end - start > LONGEST_ITEM) return [];
    const text = document.text.slice(start, end);
    const name = /^(?:[-–•*]\s+)?([^:\n]{2,60})[:\n]/u.exec(text)?.[1] ?? '';
    return name === '' ? [] : [{ name, headings, segments: [segment] }];
  });
  const both = named(items, context);
  if (both === null) return null;
  const [left, right] = both.map(({ name, segments }): Place => ({
    label: name,
    points: pointsOf(document, segments, language).slice(0, 1),
  }));
  return asWhole(left, right);
}

/** What is first said of each, where nothing of it is aligned. */
function asWhole(left: Place | undefined, right: Place | undefined): Pairing | null {
  const [one, other] = [left?.points[0], right?.points[0]];
  if (left === undefined || right === undefined || one === undefined || other === undefined)
    return null;
  return { left, right, pairs: [{ key: '', left: one, right: other }] };
}

import { splitSentences } from './text/sentences.ts';
import type { Chunk, Location, SourceDocument, SourceSegment } from './types.ts';

/** Sizes in UTF-16 units. */
export interface ChunkOptions {
  /** What a chunk is about as long as. */
  target?: number;
  /** What no chunk is longer than. */
  max?: number;
}

export const CHUNK_TARGET = 1000;
export const CHUNK_MAX = 1500;

/** Segments that say less in parts. */
const WHOLE: ReadonlySet<SourceSegment['kind']> = new Set(['table', 'code', 'definition']);

interface Piece {
  start: number;
  end: number;
  segment: SourceSegment;
  /** The first piece of its segment: the better place to cut before. */
  opens: boolean;
}

/**
 * Cuts a document into chunks of whole sentences and rows of one page, slide, sheet or member. Chunks
 * do not overlap, because overlaps found no more of the wanted excerpts (chunking_eval).
 */
export function chunk(document: SourceDocument, options: ChunkOptions = {}): Chunk[] {
  const max = Math.max(16, options.max ?? CHUNK_MAX);
  const target = Math.max(8, Math.min(options.target ?? CHUNK_TARGET, max));
  const chunks: Chunk[] = [];
  for (const part of byPart(segmentsOf(document))) {
    const sections = bySection(part).map((section) => piecesOf(document.text, section, max));
    for (const run of mergeSmall(sections, target)) {
      for (const pieces of splitEvenly(run, target, max)) {
        chunks.push(makeChunk(document.text, pieces, chunks.length));
      }
    }
  }
  return chunks;
}

function segmentsOf(document: SourceDocument): readonly SourceSegment[] {
  if (document.segments.length > 0 || document.text.trim() === '') return document.segments;
  const whole = { start: 0, end: document.text.length, location: { line: 1 }, headings: [] };
  return [{ ...whole, kind: 'prose' }];
}

/** What a chunk may not cross: equal for all segments of one page, slide, sheet, member. */
function partKey({ location }: SourceSegment): string {
  const { path, page, slide, sheet } = location;
  return JSON.stringify([path ?? null, page ?? null, slide ?? null, sheet ?? null]);
}

function groupRuns<T>(items: readonly T[], breaks: (before: T, item: T) => boolean): T[][] {
  const runs: T[][] = [];
  let before: T | undefined;
  for (const item of items) {
    const run = runs.at(-1);
    if (run === undefined || before === undefined || breaks(before, item)) runs.push([item]);
    else run.push(item);
    before = item;
  }
  return runs;
}

function byPart(segments: readonly SourceSegment[]): SourceSegment[][] {
  return groupRuns(segments, (before, segment) => partKey(before) !== partKey(segment));
}

function bySection(segments: readonly SourceSegment[]): SourceSegment[][] {
  return groupRuns(segments, (before, segment) => {
    if (before.kind === 'heading') return false;
    return segment.kind === 'heading' || !sameHeadings(before.headings, segment.headings);
  });
}

function sameHeadings(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((heading, i) => heading === b[i]));
}

function piecesOf(text: string, section: readonly SourceSegment[], max: number): Piece[] {
  return section.flatMap((segment) => {
    const { start, end } = segment;
    const source = text.slice(start, end);
    const whole = WHOLE.has(segment.kind) && source.length <= max;
    const spans = whole ? [{ start: 0, end: source.length }] : splitSentences(source);
    return spans
      .flatMap((span) => cutLong(source, span.start, span.end, max))
      .map(([from, to], i) => ({ start: start + from, end: start + to, segment, opens: i === 0 }));
  });
}

/** Cuts a stretch without sentence ends at the last white space before the limit, or right there. */
function cutLong(source: string, start: number, end: number, max: number): [number, number][] {
  const ranges: [number, number][] = [];
  let from = start;
  while (end - from > max) {
    const space = source.slice(from, from + max).search(/\s\S*$/u);
    let cut = from + (space > max / 2 ? space : max);
    const code = source.charCodeAt(cut - 1);
    if (code >= 0xd800 && code < 0xdc00) cut -= 1;
    ranges.push([from, cut]);
    from = cut;
    while (from < end && /\s/u.test(source[from] ?? '')) from += 1;
  }
  if (from < end) ranges.push([from, end]);
  return ranges;
}

const length = (pieces: readonly Piece[]): number =>
  (pieces.at(-1)?.end ?? 0) - (pieces[0]?.start ?? 0);

function mergeSmall(sections: readonly Piece[][], target: number): Piece[][] {
  const runs: Piece[][] = [];
  for (const section of sections) {
    if (section.length === 0) continue;
    const last = runs.at(-1);
    const joined = last === undefined ? Infinity : length(section) + length(last);
    if (last !== undefined && joined <= target) last.push(...section);
    else runs.push([...section]);
  }
  return runs;
}

/** Cuts a run into stretches of like length, rather between segments than inside of one. */
function splitEvenly(run: readonly Piece[], target: number, max: number): Piece[][] {
  const total = length(run);
  if (total <= Math.min(max, 1.25 * target)) return [[...run]];
  const goal = total / Math.ceil(total / (1.1 * target));
  const result: Piece[][] = [];
  let current: Piece[] = [];
  for (const piece of run) {
    const first = current[0];
    if (first !== undefined && cutsBefore(piece, first.start, current, goal, max)) {
      const carried = trailingHeadings(current);
      result.push(
        carried.length < current.length ? current.slice(0, -carried.length || undefined) : current,
      );
      current = carried.length < current.length ? carried : [];
    }
    current.push(piece);
  }
  if (current.length > 0) result.push(current);
  return result;
}

function cutsBefore(
  piece: Piece,
  start: number,
  current: readonly Piece[],
  goal: number,
  max: number,
): boolean {
  const grown = piece.end - start;
  if (grown > max) return true;
  const now = (current.at(-1)?.end ?? start) - start;
  if (piece.opens && now >= 0.8 * goal) return true;
  // The cut that comes nearer to the goal: before this piece, or after it.
  return grown > goal && goal - now < grown - goal;
}

/** Headings at a chunk's end belong to the text that follows. */
function trailingHeadings(pieces: readonly Piece[]): Piece[] {
  let at = pieces.length;
  while (at > 0 && pieces[at - 1]?.segment.kind === 'heading') at -= 1;
  return pieces.slice(at);
}

function makeChunk(text: string, pieces: readonly Piece[], ordinal: number): Chunk {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) throw new Error('A chunk needs a piece of text.');
  const places: Chunk['places'] = [];
  let { location } = first.segment;
  for (const piece of pieces) {
    if (!piece.opens || piece === first || sameLocation(location, piece.segment.location)) continue;
    ({ location } = piece.segment);
    places.push({ offset: piece.start - first.start, location });
  }
  return {
    ordinal,
    start: first.start,
    end: last.end,
    text: text.slice(first.start, last.end),
    location: first.segment.location,
    places,
    headings:
      first.segment.kind === 'heading' ? headingsUnder(first, pieces) : first.segment.headings,
  };
}

function headingsUnder(first: Piece, pieces: readonly Piece[]): string[] {
  const below = pieces.find((piece) => piece.segment.kind !== 'heading');
  return (below ?? first).segment.headings;
}

function sameLocation(a: Location, b: Location): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

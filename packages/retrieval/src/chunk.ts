import type { Chunk, Location, SourceDocument, SourceSegment, Span } from './types.ts';
import { splitSentences } from './text/sentences.ts';
import { analyze } from './text/words.ts';
import { foldersOf } from './scope/names.ts';

const CHUNK_TARGET = 1000;
export const CHUNK_MAX = 1500;

/** Segments that are not split. */
const WHOLE: ReadonlySet<SourceSegment['kind']> = new Set(['table', 'code', 'definition']);

interface Piece extends Span {
  segment: SourceSegment;
  /** Whether it begins its segment, which makes it a better place to cut. */
  opens: boolean;
}

/**
 * Splits a document into chunks of whole sentences and rows of one page, slide, sheet or member. Chunks
 * do not overlap, because overlaps did not find more relevant excerpts (chunking_eval).
 */
export function chunk(document: SourceDocument): Chunk[] {
  const { text } = document;
  return groupRuns(
    segmentsOf(document),
    ({ location }, next) => !isSamePart(location, next.location),
  )
    .flatMap((part) => mergeSmall(groupRuns(part, beginsSection).map((run) => piecesOf(text, run))))
    .flatMap(splitEvenly)
    .map((pieces, ordinal) => makeChunk(text, pieces, ordinal));
}

function segmentsOf(document: SourceDocument): readonly SourceSegment[] {
  if (document.segments.length > 0 || document.text.trim() === '') return document.segments;
  const fullText = { start: 0, end: document.text.length, location: { line: 1 }, headings: [] };
  return [{ ...fullText, kind: 'prose' }];
}

/** Whether two locations are in the same page, slide, sheet or archive member. */
export const isSamePart = (a: Location, b: Location): boolean =>
  ['path', 'page', 'slide', 'sheet'].every((key) => a[key] === b[key]);

/** A section begins at a heading or where the headings change. */
function beginsSection(previous: SourceSegment, { kind, headings }: SourceSegment): boolean {
  if (previous.kind === 'heading') return false;
  const above = previous.headings;
  const isSame =
    above === headings ||
    (above.length === headings.length && above.every((heading, i) => heading === headings[i]));
  return kind === 'heading' || !isSame;
}

function groupRuns<T>(items: readonly T[], breaks: (previous: T, item: T) => boolean): T[][] {
  const runs: T[][] = [];
  let previous: T | undefined;
  for (const item of items) {
    const run = runs.at(-1);
    if (run === undefined || previous === undefined || breaks(previous, item)) runs.push([item]);
    else run.push(item);
    previous = item;
  }
  return runs;
}

function piecesOf(text: string, section: readonly SourceSegment[]): Piece[] {
  return section.flatMap((segment) => {
    const { start, end } = segment;
    const source = text.slice(start, end);
    const fullText = WHOLE.has(segment.kind) && source.length <= CHUNK_MAX;
    const spans = fullText ? [{ start: 0, end: source.length }] : splitSentences(source);
    return spans
      .flatMap((span) => cutLong(source, span.start, span.end))
      .map(([from, to], i) => ({ start: start + from, end: start + to, segment, opens: i === 0 }));
  });
}

/** Splits text without sentence ends at the last space before the limit, or at the limit. */
function cutLong(source: string, start: number, end: number): [number, number][] {
  const ranges: [number, number][] = [];
  let from = start;
  while (end - from > CHUNK_MAX) {
    const space = source.slice(from, from + CHUNK_MAX).search(/\s\S*$/u);
    let cut = from + (space > CHUNK_MAX / 2 ? space : CHUNK_MAX);
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

/** Joins neighboring sections that fit into one chunk. */
function mergeSmall(sections: readonly Piece[][]): Piece[][] {
  const runs: Piece[][] = [];
  for (const section of sections) {
    if (section.length === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && length(section) + length(last) <= CHUNK_TARGET) last.push(...section);
    else runs.push([...section]);
  }
  return runs;
}

/** Splits a run into parts of similar length, preferably between segments. */
function splitEvenly(run: Piece[]): Piece[][] {
  const total = length(run);
  if (total <= 1.25 * CHUNK_TARGET) return [run];
  const goal = total / Math.ceil(total / (1.1 * CHUNK_TARGET));
  const result: Piece[][] = [];
  let current: Piece[] = [];
  for (const piece of run) {
    if (cutsBefore(piece, current, goal)) {
      const headings = trailingHeadings(current);
      const rest = current.slice(0, current.length - headings.length);
      result.push(rest.length > 0 ? rest : current);
      current = rest.length > 0 ? headings : [];
    }
    current.push(piece);
  }
  return [...result, current];
}

function cutsBefore(piece: Piece, current: readonly Piece[], goal: number): boolean {
  const [first] = current;
  if (first === undefined) return false;
  const grown = piece.end - first.start;
  if (grown > CHUNK_MAX) return true;
  const currentLength = length(current);
  if (piece.opens && currentLength >= 0.8 * goal) return true;
  // Cuts where the length is closer to the goal.
  return grown > goal && goal - currentLength < grown - goal;
}

/** Headings at the end of a chunk belong to the following text. */
function trailingHeadings(pieces: readonly Piece[]): Piece[] {
  let index = pieces.length;
  while (index > 0 && pieces[index - 1]?.segment.kind === 'heading') index -= 1;
  return pieces.slice(index);
}

function makeChunk(text: string, pieces: readonly Piece[], ordinal: number): Chunk {
  const first = pieces[0] as Piece;
  const end = first.start + length(pieces);
  const places: Chunk['places'] = [];
  let { location } = first.segment;
  for (const piece of pieces) {
    if (!piece.opens || piece === first || sameLocation(location, piece.segment.location)) continue;
    ({ location } = piece.segment);
    places.push({ offset: piece.start - first.start, location });
  }
  // A chunk that begins with a heading is below it.
  const below = pieces.find(({ segment }) => segment.kind !== 'heading') ?? first;
  return {
    ordinal,
    start: first.start,
    end,
    text: text.slice(first.start, end),
    location: first.segment.location,
    places,
    headings: below.segment.headings,
  };
}

function sameLocation(a: Location, b: Location): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

interface IndexContext {
  fileName: string;
  path?: string | null;
  keywords: readonly string[];
  language: string;
}

/**
 * The index terms of a chunk and of its file name, folders, headings and keywords.
 * More weight for the context did not improve the results (squad, cranfield).
 */
export function indexTerms(chunk: Pick<Chunk, 'text' | 'headings'>, context: IndexContext): string {
  const { fileName, path, keywords, language } = context;
  const lines = [fileName, foldersOf(path), ...chunk.headings, ...keywords, chunk.text];
  return lines.flatMap((line) => analyze(line, language)).join(' ');
}

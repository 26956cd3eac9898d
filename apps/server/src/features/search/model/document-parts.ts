import type { Passage, SourceDocument, SourceSegment } from '@engram/retrieval';

export interface Document extends SourceDocument {
  artifactId: string;
  fileName: string;
}

/** Files, tables and sections up to this length, in UTF-16 units, are shown whole. */
const MAX_WHOLE = 6000;

/** Where to open a file. Without fields, at its beginning. */
export interface Place {
  /** The first and last page or slide, from 1. */
  page?: number | undefined;
  pageTo?: number | undefined;
  /** A heading, or a part of one. */
  section?: string | undefined;
  words?: string | undefined;
}

export function passageAt(document: Document, start: number, end: number): Passage {
  const { artifactId, fileName, text, segments } = document;
  const inside = segments.filter((segment) => segment.start < end && start < segment.end);
  const [first] = inside;
  return {
    artifactId,
    fileName,
    ordinal: 0,
    score: 0,
    start,
    end,
    text: text.slice(start, end),
    location: first?.location ?? {},
    headings: first?.headings ?? [],
    places: inside.slice(1).map(({ start: at, location }) => ({ offset: at - start, location })),
  };
}

/** The run of related segments around a segment; null if it is too long. */
function relatedRun(
  segments: readonly SourceSegment[],
  i: number,
  isRelated: (segment: SourceSegment) => boolean,
): { start: number; end: number } | null {
  let [first, last] = [i, i];
  while (first > 0 && isRelated(segments[first - 1] as SourceSegment)) first -= 1;
  while (last + 1 < segments.length && isRelated(segments[last + 1] as SourceSegment)) last += 1;
  const [start, end] = [segments[first]?.start ?? 0, segments[last]?.end ?? 0];
  return end - start <= MAX_WHOLE ? { start, end } : null;
}

const isSameSheet = (a: SourceSegment, b: SourceSegment): boolean =>
  a.location['sheet'] === b.location['sheet'] && a.location['path'] === b.location['path'];

/** The whole document if it is short, else the table or section around the passage, else the passage itself. */
export function wholeAround(passage: Passage, document: Document | undefined): Passage {
  if (document === undefined || passage.text === '') return passage;
  const { text, segments } = document;
  if (text.length <= MAX_WHOLE) return passageAt(document, 0, text.length);
  const i = segments.findIndex(({ end }) => end > passage.start);
  const segment = segments[i];
  if (segment === undefined) return passage;
  const heading = segment.headings.join('\n');
  const run =
    segment.kind === 'table'
      ? relatedRun(segments, i, (other) => other.kind === 'table' && isSameSheet(segment, other))
      : relatedRun(segments, i, (other) => heading !== '' && other.headings.join('\n') === heading);
  const covers = run !== null && run.start <= passage.start && passage.end <= run.end;
  return covers ? passageAt(document, run.start, run.end) : passage;
}

const pageOf = ({ location }: SourceSegment): number =>
  Number(location['page'] ?? location['slide'] ?? Number.NaN);

const includes = (text: string, words: string): boolean =>
  text.toLowerCase().includes(words.toLowerCase());

/** The part of a document that begins at a place; null if the place does not exist. */
export function openAt(
  document: Document,
  { page, pageTo, section, words }: Place,
): Passage | null {
  const { text, segments } = document;
  const isUnderHeading = (segment: SourceSegment): boolean =>
    [
      ...segment.headings,
      segment.kind === 'heading' ? text.slice(segment.start, segment.end) : '',
    ].some((heading) => section !== undefined && includes(heading, section));
  let continues: (segment: SourceSegment) => boolean = () => true;
  let first = segments[0];
  if (page !== undefined) {
    first = segments.find((segment) => pageOf(segment) === page);
    continues = (segment) => pageOf(segment) <= Math.max(page, pageTo ?? page);
  } else if (section !== undefined) {
    first = segments.find(isUnderHeading);
    continues = isUnderHeading;
  } else if (words !== undefined) {
    const i = text.toLowerCase().indexOf(words.toLowerCase());
    first = i < 0 ? undefined : segments.find(({ end }) => end > i);
  }
  if (first === undefined) return null;
  let { end } = first;
  for (const segment of segments.slice(segments.indexOf(first))) {
    if (!continues(segment) || segment.end - first.start > MAX_WHOLE) break;
    ({ end } = segment);
  }
  return passageAt(document, first.start, Math.min(end, first.start + MAX_WHOLE));
}

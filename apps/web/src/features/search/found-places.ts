import type { Citation, FoundSection } from '@engram/contract';
import { isFound, type Answer } from './answer.ts';

type Span = readonly [start: number, end: number];

export interface FoundPlace {
  /** What a click opens: the first cited sentence, or the best one. */
  citation: Citation;
  numbers: number[];
  text: string;
  /** Offsets in `text` of the sentences that are quoted or cited. */
  sentences: Span[];
  /** Offsets in `text` of the words that match the question. */
  highlights: readonly Span[];
  newer: FoundSection['newer'];
}

export interface FoundPlaces {
  /** The places that the answer quotes or cites, else the first that were found. */
  shown: FoundPlace[];
  more: FoundPlace[];
}

const SHOWN = 3;

const isInside = (citation: Citation, section: FoundSection): boolean =>
  citation.artifactId === section.artifactId &&
  section.start <= citation.start &&
  citation.end <= section.end;

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentence with the most distinct highlighted words; null if none has any. */
export function bestSentence({ text, highlights }: Pick<FoundSection, 'text' | 'highlights'>) {
  let best: Span | null = null;
  let most = 0;
  for (const { segment, index } of sentenceSegmenter.segment(text)) {
    const begin = index + segment.length - segment.trimStart().length;
    const end = index + segment.trimEnd().length;
    const words = highlights.filter(([from, to]) => begin <= from && to <= end);
    const distinct = new Set(words.map(([from, to]) => text.slice(from, to).toLowerCase())).size;
    if (distinct > most) [best, most] = [[begin, end], distinct];
  }
  return best;
}

function quoteOf(section: FoundSection, n: number): Citation {
  const { text, start } = section;
  const [from, to] = bestSentence(section) ?? [0, text.length];
  return { ...section, n, quote: text.slice(from, to), start: start + from, end: start + to };
}

function placeOf(section: FoundSection, citations: readonly Citation[], n: number): FoundPlace {
  const { text, start, highlights, newer } = section;
  const [first = quoteOf(section, n), ...others] = citations;
  return {
    citation: first,
    numbers: [],
    text,
    sentences: [first, ...others].map((cited) => [cited.start - start, cited.end - start]),
    highlights,
    newer,
  };
}

const placeOfQuote = (citation: Citation): FoundPlace => ({
  citation,
  numbers: [],
  text: citation.quote,
  sentences: [[0, citation.quote.length]],
  highlights: [],
  newer: null,
});

function citedPlaces({ citations, found }: Answer): FoundPlace[] {
  const groups = Map.groupBy(
    citations,
    (citation) =>
      found.find((section) => isInside(citation, section)) ??
      `${citation.artifactId} ${citation.start} ${citation.end}`,
  );
  return [...groups].flatMap(([section, cited]) => {
    const [first] = cited;
    if (first === undefined) return [];
    const place =
      typeof section === 'string' ? placeOfQuote(first) : placeOf(section, cited, first.n);
    return { ...place, numbers: cited.map(({ n }) => n) };
  });
}

export function placesOf(answer: Answer): FoundPlaces {
  const { grounded, citations, found, nearest } = answer;
  if (!grounded) {
    const shown = nearest.map((quote) => ({ ...placeOfQuote(quote), sentences: [] }));
    return { shown, more: [] };
  }
  if (isFound(answer)) {
    const places = found.map((section) =>
      placeOf(
        section,
        citations.filter((citation) => isInside(citation, section)).slice(0, 1),
        section.n,
      ),
    );
    return { shown: places.slice(0, SHOWN), more: places.slice(SHOWN) };
  }
  const shown = citedPlaces(answer);
  const others = found
    .filter((section) => !citations.some((citation) => isInside(citation, section)))
    .map((section) => placeOf(section, [], section.n));
  return shown.length > 0
    ? { shown, more: others }
    : { shown: others.slice(0, SHOWN), more: others.slice(SHOWN) };
}

export const groupByFile = (places: readonly FoundPlace[]): FoundPlace[][] => [
  ...Map.groupBy(places, ({ citation }) => citation.artifactId).values(),
];

export interface MarkedPart {
  text: string;
  at: number;
  /** A match of the question, the label of a table cell, or plain text. */
  kind: 'match' | 'label' | null;
}

/** A sentence that is quoted or cited, or the text between two of them. */
interface MarkedRun {
  at: number;
  isSentence: boolean;
  parts: MarkedPart[];
}

/** The name of a column before its cell, as in 'Item: Rent · Amount: 900'. */
const LABEL = /(?<=^| · )[^:·]{1,60}: /gu;
const BETWEEN_CELLS = ' · ';

function labelsIn(text: string, inTable: boolean): Span[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const at = start;
    start += line.length + 1;
    if (!inTable && !line.includes(BETWEEN_CELLS)) return [];
    return Array.from(line.matchAll(LABEL), ({ 0: label, index }): Span => [
      at + index,
      at + index + label.length,
    ]);
  });
}

type Marked = Pick<FoundPlace, 'text' | 'sentences' | 'highlights'>;

/** The paragraphs (or table rows) of a text, cut where sentences, matches and column names begin and end. */
export function markedParagraphs(place: Marked, inTable: boolean): MarkedRun[][] {
  const { text } = place;
  const labels = labelsIn(text, inTable);
  const paragraphs: MarkedRun[][] = [];
  let start = 0;
  for (const line of [...text.matchAll(inTable ? /\n/gu : /\n[ \t]*\n/gu), null]) {
    const end = line?.index ?? text.length;
    if (text.slice(start, end).trim() !== '') {
      paragraphs.push(runsBetween([start, end], place, labels));
    }
    start = end + (line?.[0].length ?? 0);
  }
  return paragraphs;
}

/** Characters of the excerpt of a section, and of a section that is shown whole. */
const EXCERPT_LENGTH = 420;
const WHOLE_LENGTH = 600;
/** Characters before the marked sentence, which must be visible on phones. */
const LEAD_LENGTH = 160;

const lengthOf = (paragraph: readonly MarkedRun[]): number =>
  paragraph.flatMap(({ parts }) => parts).reduce((sum, { text }) => sum + text.length, 0);

/** Replaces the beginning of a long text before the marked sentence by '…'. */
function shortenLead(paragraph: readonly MarkedRun[]): readonly MarkedRun[] {
  const [lead, ...rest] = paragraph;
  if (lead === undefined || lead.isSentence || rest.length === 0) return paragraph;
  let excess = lengthOf([lead]) - LEAD_LENGTH;
  if (excess <= 0) return paragraph;
  const parts = lead.parts.flatMap((part): MarkedPart[] => {
    const { text, at } = part;
    const cut = Math.min(text.length, Math.max(0, excess));
    excess -= text.length;
    const from = cut === 0 ? 0 : cut + text.slice(cut).search(/(?<=\s)\S|$/u);
    return from === text.length ? [] : [{ ...part, text: text.slice(from), at: at + from }];
  });
  return [{ ...lead, parts: [{ text: '… ', at: -1, kind: null }, ...parts] }, ...rest];
}

/** The paragraphs to show first: all of a short section, else those around the marked sentence. */
export function excerptOf(paragraphs: readonly MarkedRun[][]): readonly (readonly MarkedRun[])[] {
  if (paragraphs.reduce((sum, paragraph) => sum + lengthOf(paragraph), 0) <= WHOLE_LENGTH)
    return paragraphs;
  const marked = paragraphs.findIndex((runs) => runs.some(({ isSentence }) => isSentence));
  const previous = paragraphs[marked - 1];
  const from = previous && lengthOf(previous) <= LEAD_LENGTH ? marked - 1 : Math.max(0, marked);
  let length = 0;
  const to = paragraphs.findIndex((paragraph, at) => {
    if (at < from) return false;
    length += lengthOf(paragraph);
    return at > Math.max(marked, from) && length > EXCERPT_LENGTH;
  });
  return paragraphs.slice(from, to === -1 ? undefined : to).map(shortenLead);
}

const isWithin = (at: number, spans: readonly Span[]): boolean =>
  spans.some(([start, end]) => start <= at && at < end);

function runsBetween(
  [from, to]: Span,
  { text, sentences, highlights }: Marked,
  labels: readonly Span[],
): MarkedRun[] {
  const cuts = [...sentences, ...highlights, ...labels].flat();
  const edges = [...new Set([from, ...cuts.filter((at) => from < at && at < to), to])];
  const runs: MarkedRun[] = [];
  const sorted = edges.toSorted((a, b) => a - b);
  for (const [index, at] of sorted.slice(0, -1).entries()) {
    const kind = isWithin(at, labels) ? 'label' : isWithin(at, highlights) ? 'match' : null;
    const part: MarkedPart = { text: text.slice(at, sorted[index + 1]), at, kind };
    const isSentence = isWithin(at, sentences);
    const last = runs.at(-1);
    if (last?.isSentence === isSentence) last.parts.push(part);
    else runs.push({ at, isSentence, parts: [part] });
  }
  return runs;
}

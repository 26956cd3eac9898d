import { isSamePart } from '../chunk.ts';
import { analyzePassage, type PassageAnalysis } from '../text/passage-analysis.ts';
import type { SourceDocument, Span } from '../types.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Question } from '../question/question.ts';
import { createMatcher, type Matcher } from './matching.ts';
import { plainText, type RankedPassage, relevanceOf } from './rank.ts';

export interface Section extends Span {
  artifactId: string;
  fileName: string;
  text: string;
  sentence: Span;
  highlights: Span[];
  relevance: number;
  scores: Record<string, number>;
}

export interface SectionOptions {
  /** Whole files by ID. A passage of any other file is its own section. */
  documents: ReadonlyMap<string, SourceDocument>;
  limit: number;
}

const MAX_WORDS = 150;
const REACH = 1600;
/** Maximum sections of one file among the first three, unless the question names it. */
const MAX_OF_ONE_FILE = 2;
const FIRST = 3;
/** Share of words that near-duplicates have in common. */
const DUPLICATE = 0.9;
/** Bonuses of a run of sentences. */
const GAIN = { length: 0.5, following: 0.2, passage: 3, repeated: 0.25 } as const;

/** Joins ranked passages to sections of up to 150 words, best first, without near-duplicates. */
export function sectionsOf(
  question: Question,
  ranked: readonly RankedPassage[],
  { documents, limit }: SectionOptions,
): Section[] {
  const matcher = createMatcher(question);
  const sections: Section[] = [];
  const waiting = [...ranked];
  while (sections.length < limit && waiting.length > 0) {
    const [passage] = waiting.splice(nextAmong(waiting, sections, question), 1);
    if (passage === undefined) break;
    const others = sections.filter(({ artifactId }) => artifactId === passage.artifactId);
    const document = documents.get(passage.artifactId);
    const section = sectionAround(question, { passage, document, others, matcher });
    if (section !== null && !sections.some((other) => isDuplicate(section, other)))
      sections.push(section);
  }
  return sections;
}

/** The best passage whose file may have another section. */
function nextAmong(
  waiting: readonly RankedPassage[],
  sections: readonly Section[],
  { files: { named } }: Question,
): number {
  const countOf = (id: string): number =>
    sections.filter(({ artifactId }) => artifactId === id).length;
  const isFree = ({ artifactId }: RankedPassage): boolean =>
    sections.length >= FIRST || named.includes(artifactId) || countOf(artifactId) < MAX_OF_ONE_FILE;
  return Math.max(0, waiting.findIndex(isFree));
}

function isDuplicate(section: Section, other: Section): boolean {
  const [a, b] = [section, other].map(({ text }) => new Set(plainText(text).split(' ')));
  if (a === undefined || b === undefined) return false;
  return a.intersection(b).size >= DUPLICATE * Math.max(a.size, b.size);
}

interface Around {
  passage: RankedPassage;
  document: SourceDocument | undefined;
  others: readonly Span[];
  matcher: Matcher;
}

/** The section around a passage's best sentence, or null if another section contains it. */
function sectionAround(
  question: Question,
  { passage, document, others, matcher }: Around,
): Section | null {
  const [best] = passage.sentences;
  const anchor = passage.start + (best?.start ?? 0);
  if (others.some(({ start, end }) => start <= anchor && anchor < end)) return null;
  const bounds = document === undefined ? passage : partAround(document, anchor);
  const from = Math.max(
    bounds.start,
    anchor - REACH,
    ...others.map(({ end }) => end).filter((end) => end <= anchor),
  );
  const to = Math.min(
    bounds.end,
    anchor + REACH,
    ...others.map(({ start }) => start).filter((start) => start > anchor),
  );
  const [source, offset] =
    document === undefined ? [passage.text, passage.start] : [document.text, 0];
  const text = source.slice(from - offset, to - offset).replace(/[\uD800-\uDBFF]$/u, '');
  const analysis = analyzePassage(text);
  const { sentences } = analysis;
  // Instructions to models are not quoted.
  const stated = withoutInstructions(text, sentences, question.text);
  const isOrder = sentences.map(({ start, end }) => stated.slice(start, end).trim() === '');
  const at = passage.sentences
    .map(({ start }) => sentences.findIndex(({ end }) => from + end > passage.start + start))
    .find((index) => isOrder[index] === false);
  const sentence = at === undefined ? undefined : sentences[at];
  if (at === undefined || sentence === undefined) return null;
  const passageSpan = { start: passage.start - from, end: passage.end - from };
  // Sentences cut off by the limit are left out.
  const cut = { first: from === anchor - REACH ? 1 : 0, last: to === anchor + REACH ? 1 : 0 };
  const nextOrder = isOrder.indexOf(true, at);
  const first = Math.min(at, Math.max(cut.first, isOrder.lastIndexOf(true, at) + 1));
  const last = (nextOrder === -1 ? sentences.length - cut.last : nextOrder) - 1;
  const run = { analysis, at, first, last: Math.max(at, last), own: passageSpan, matcher };
  const { start, end } = bestRun(question, text, run);
  const shift = (span: Span): Span => ({ start: span.start - start, end: span.end - start });
  return {
    artifactId: passage.artifactId,
    fileName: passage.fileName,
    start: from + start,
    end: from + end,
    text: text.slice(start, end),
    sentence: shift(sentence),
    highlights: matchesIn(analysis, { start, end }, matcher).map(shift),
    relevance: relevanceOf(passage),
    scores: passage.scores,
  };
}

/** The page, slide, sheet or archive member around a position. Sections stay within it. */
function partAround({ text, segments }: SourceDocument, anchor: number): Span {
  const index = segments.findIndex((segment) => segment.end > anchor);
  const segment = segments[index];
  if (segment === undefined) return { start: 0, end: text.length };
  const isSame = (other: (typeof segments)[number] | undefined): boolean =>
    other !== undefined && isSamePart(other.location, segment.location);
  let [first, last] = [index, index];
  while (isSame(segments[first - 1]) && (segments[first]?.start ?? 0) > anchor - REACH) first -= 1;
  while (isSame(segments[last + 1]) && (segments[last]?.end ?? 0) < anchor + REACH) last += 1;
  return { start: segments[first]?.start ?? 0, end: segments[last]?.end ?? text.length };
}

interface Run {
  analysis: PassageAnalysis;
  at: number;
  first: number;
  last: number;
  own: Span;
  matcher: Matcher;
}

/** The run of up to 150 words that matches the question best. */
function bestRun(
  { terms }: Question,
  text: string,
  { analysis: { sentences, tokens }, at, own, matcher, ...among }: Run,
): Span {
  const known = sentences.map(({ start, end, firstWord, endWord }) => ({
    words: text.slice(start, end).match(/\S+/gu)?.length ?? 0,
    terms: new Set(
      tokens.words.slice(firstWord, endWord).flatMap((word) => {
        const match = matcher(word);
        return match === null ? [] : [...match.exact, ...match.lowered];
      }),
    ),
  }));
  let best = { start: sentences[at]?.start ?? 0, end: sentences[at]?.end ?? 0, value: -1 };
  for (let first = at; first >= among.first; first -= 1) {
    const start = sentences[first]?.start ?? 0;
    const seen = new Set<number>();
    let [words, value] = [0, 0];
    for (let last = first; last <= among.last; last += 1) {
      const sentence = known[last];
      words += sentence?.words ?? 0;
      if (words > MAX_WORDS && last > first) break;
      for (const term of sentence?.terms ?? []) {
        value += (terms[term]?.weight ?? 0) * (seen.has(term) ? GAIN.repeated : 1);
        seen.add(term);
      }
      if (last < at) continue;
      const end = sentences[last]?.end ?? 0;
      const overlap = Math.max(0, Math.min(end, own.end) - Math.max(start, own.start));
      const total =
        value +
        (GAIN.length * words) / MAX_WORDS +
        (GAIN.following * (last - at)) / Math.max(1, last - first) +
        (GAIN.passage * overlap) / Math.max(1, own.end - own.start);
      if (total > best.value) best = { start, end, value: total };
    }
  }
  return best;
}

function matchesIn({ tokens }: PassageAnalysis, part: Span, matcher: Matcher): Span[] {
  return tokens.words.flatMap((word, i): Span[] => {
    const [start = 0, end = 0] = [tokens.starts[i], tokens.ends[i]];
    if (start < part.start || end > part.end) return [];
    const match = matcher(word);
    return match !== null && match.exact.length + match.lowered.length > 0 ? [{ start, end }] : [];
  });
}

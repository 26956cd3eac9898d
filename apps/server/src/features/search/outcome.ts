import { locationText, NEAREST_LIMIT, type RelatedFile } from '@engram/contract';
import {
  type Answer,
  type Citation,
  foundMarkdown,
  MAX_QUOTED,
  NO_ANSWER,
  type RankedPassage,
  type Recommendation,
  RELEVANCE_THRESHOLD,
  scoreShare,
} from '@engram/retrieval';
import type { Library } from '../artifacts/library.ts';
import type { StoredCitation, StoredRelated, StoredSection } from '../history/history.tables.ts';
import type { SectionWithNewer } from './analysis/tasks.ts';
import type { Found } from './question-search.ts';

interface Cited {
  citations: StoredCitation[];
  /** The nearest passages, if there is no answer. */
  nearest: StoredCitation[];
}

export interface Outcome extends Cited {
  answer: Answer;
  found: StoredSection[];
  scores: Record<string, number>[];
  recommendations: Recommendation[];
  model: string | null;
  notice: string | null;
  related: StoredRelated[];
  similar: RelatedFile[];
  terms: string[];
}

export const unsearched = (markdown: string): Outcome => ({
  answer: { markdown, citations: [], grounded: false },
  citations: [],
  nearest: [],
  model: null,
  notice: null,
  related: [],
  similar: [],
  found: [],
  scores: [],
  recommendations: [],
  terms: [],
});

export async function citedIn(
  userId: string,
  { citations, nearest = [] }: Answer,
  locate: Library['locate'],
): Promise<Cited> {
  const located = await locate(userId, [...citations, ...nearest.slice(0, NEAREST_LIMIT)]);
  return {
    citations: located.slice(0, citations.length),
    nearest: located.slice(citations.length),
  };
}

function citationOf(section: SectionWithNewer, n: number): Citation {
  const { artifactId, fileName, text, sentence } = section;
  return {
    n,
    artifactId,
    fileName,
    quote: text.slice(sentence.start, sentence.end),
    start: section.start + sentence.start,
    end: section.start + sentence.end,
  };
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function newerText({ newer }: SectionWithNewer): string | null {
  if (newer === null) return null;
  const { fileName, title, date } = newer;
  return [title ?? fileName, date && DAY.format(new Date(date))].filter(Boolean).join(', ');
}

/** Creates the found answer: up to three quoted sections, or 'Your files don't seem to say.' */
export async function foundAnswerOf(
  userId: string,
  { sections, relevance }: Pick<Found, 'sections' | 'relevance'>,
  locate: Library['locate'],
): Promise<{ answer: Answer; cited: Cited; sections: StoredSection[] }> {
  const citations = sections.map((section, i) => citationOf(section, i + 1));
  const located = await locate(userId, citations);
  const stored = sections.map((section, i): StoredSection => ({
    n: i + 1,
    artifactId: section.artifactId,
    fileName: section.fileName,
    location: located[i]?.location ?? { line: 1 },
    start: section.start,
    end: section.end,
    text: section.text,
    highlights: section.highlights.map(({ start, end }) => [start, end]),
    score: section.relevance,
    newer: section.newer && {
      artifactId: section.newer.artifactId,
      fileName: section.newer.fileName,
    },
  }));
  const quoted = citations.slice(0, MAX_QUOTED);
  const locatedQuotes = located.slice(0, MAX_QUOTED);
  if (sections.length === 0 || relevance < RELEVANCE_THRESHOLD) {
    return {
      answer: { markdown: NO_ANSWER, citations: [], grounded: false, nearest: quoted },
      cited: { citations: [], nearest: locatedQuotes },
      sections: stored,
    };
  }
  const markdown = foundMarkdown(
    sections.slice(0, MAX_QUOTED).map((section, i) => ({
      n: i + 1,
      fileName: section.fileName,
      location: locationText(stored[i]?.location ?? { line: 1 }, section),
      text: section.text,
      newer: newerText(section),
    })),
  );
  return {
    answer: { markdown, citations: quoted, grounded: true },
    cited: { citations: locatedQuotes, nearest: [] },
    sections: stored,
  };
}

const MAX_RELATED = 20;

/** A file is related if its best passage has at least this share of the top score. */
const RELATED_SHARE = 0.25;

export function relatedFiles(ranked: readonly RankedPassage[]): StoredRelated[] {
  const best = new Map<string, number>();
  for (const { artifactId, score } of ranked) {
    if (!best.has(artifactId)) best.set(artifactId, score);
  }
  const top = Math.max(0, ...best.values());
  return [...best]
    .filter(([, score]) => score >= top * RELATED_SHARE)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_RELATED)
    .map(([artifactId, score]) => ({ artifactId, score: scoreShare(score) }));
}

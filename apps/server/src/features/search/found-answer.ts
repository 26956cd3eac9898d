import { locationText } from '@engram/contract';
import {
  type Answer,
  type Citation,
  foundMarkdown,
  MAX_QUOTED,
  NO_ANSWER,
  RELEVANCE_THRESHOLD,
} from '@engram/retrieval';
import type { Library } from '../artifacts/library.ts';
import type { StoredSection } from '../history/history.tables.ts';
import type { Found } from './question-search.ts';
import type { Cited } from './outcome.ts';
import type { SectionWithNewer } from './analysis/tasks.ts';

/** A found answer with the sections that it is made of. */
export interface FoundAnswer {
  answer: Answer;
  cited: Cited;
  /** Best first. */
  sections: StoredSection[];
}

/** The sentence of a section that matches best, as a citation. */
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

/** Makes the found answer of sections: up to three as quotes, or that the files do not seem to say. */
export async function foundAnswerOf(
  userId: string,
  { sections, relevance }: Pick<Found, 'sections' | 'relevance'>,
  locate: Library['locate'],
): Promise<FoundAnswer> {
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
  if (sections.length === 0 || relevance < RELEVANCE_THRESHOLD) {
    const answer = { markdown: NO_ANSWER, citations: [], grounded: false, nearest: quoted };
    const cited = { citations: [], nearest: located.slice(0, MAX_QUOTED) };
    return { answer, cited, sections: stored };
  }
  const markdown = foundMarkdown(
    sections.slice(0, MAX_QUOTED).map((section, i) => ({
      n: i + 1,
      fileName: section.fileName,
      place: locationText(stored[i]?.location ?? { line: 1 }, section),
      text: section.text,
      newer: newerText(section),
    })),
  );
  return {
    answer: { markdown, citations: quoted, grounded: true },
    cited: { citations: located.slice(0, MAX_QUOTED), nearest: [] },
    sections: stored,
  };
}

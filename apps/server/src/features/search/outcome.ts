import type { RelatedFile } from '@engram/contract';
import type { Answer, Recommendation } from '@engram/retrieval';
import type { StoredCitation, StoredSection } from '../history/history.tables.ts';

/** The quotes of an answer, each with its location. */
export interface Cited {
  citations: StoredCitation[];
  /** Where there is no answer, the passages nearest to one. */
  nearest: StoredCitation[];
}

/** What a question is answered with. */
export interface Outcome extends Cited {
  answer: Answer;
  /** The sections that were found, best first. */
  found: StoredSection[];
  /** The features of each section. */
  scores: Record<string, number>[];
  recommendations: Recommendation[];
  /** The model that wrote the answer; null where none did. */
  model: string | null;
  notice: string | null;
  related: { artifactId: string; score: number; line?: number | undefined }[];
  similar: RelatedFile[];
  /** The words that the question was searched by. */
  terms: string[];
}

/** The answer while there is nothing to search. */
export const NO_FILES =
  'There are no files to search yet. Upload files or add a note, and then ask again.';

/** An answer that no file was searched for. */
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

export const notLookedAt = (files: number): string =>
  files === 1
    ? 'One of your files is being indexed again and was not looked at.'
    : `${files.toLocaleString('en-US')} of your files are being indexed again and were not looked at.`;

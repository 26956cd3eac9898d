import type {
  AnswerMode,
  ChosenFile,
  Citation,
  FoundSection,
  HistoryEntry,
  RelatedFile,
  SearchData,
} from '@engram/contract';
import type { Question } from './ask-question.ts';

export type Explanation = NonNullable<SearchData['explain']>;

/** A question with as much of its answer as is known. */
export interface Answer {
  /** The same from the question on until it is read again. */
  key: string;
  /** The history entry; null while the answer is still coming. */
  id: string | null;
  question: string;
  /** The keywords and the files that it was limited to; none for all. */
  keywords: string[];
  files: ChosenFile[];
  /** When it was asked, ISO 8601. */
  date: string;
  markdown: string;
  citations: Citation[];
  related: RelatedFile[];
  recommendations: string[];
  grounded: boolean;
  /** Where there is no answer, the passages that come nearest to one. */
  nearest: Citation[];
  /** Whether it quotes files or a model wrote it; null while that is not known yet. */
  mode: AnswerMode | null;
  /** The sections that were found, best first. */
  found: FoundSection[];
  /** Its sentences that could not be verified; each is marked in the Markdown. */
  unverified: string[];
  notice: string | null;
  /** `files` where it quotes them, else the model that wrote it; null where that is not known. */
  writtenBy: string | null;
  /** Whether the person stopped it before it was whole. */
  stopped: boolean;
  /** What is being looked for while the answer is coming; null when its text comes. */
  step: string | null;
  isBookmark: boolean;
  isArchived: boolean;
  /** The history entry that the question follows up on. */
  follows: string | null;
  /** How the answer was found; null for one that comes from the history. */
  explain: Explanation | null;
  /** When the answer came, in milliseconds since the epoch: the links in `related` are as old. */
  receivedAt: number;
}

export const answerOfEntry = (entry: HistoryEntry, receivedAt: number): Answer => ({
  key: entry.id,
  id: entry.id,
  question: entry.searchText,
  keywords: entry.keywords,
  files: entry.chosenFiles,
  date: entry.date,
  markdown: entry.answers[0] ?? '',
  citations: entry.citations,
  related: entry.similarVectors,
  recommendations: entry.recommendations,
  grounded: entry.grounded,
  nearest: entry.nearest,
  mode: entry.mode,
  found: entry.found,
  unverified: entry.unverified,
  step: null,
  notice: entry.notice,
  writtenBy: entry.writtenBy,
  stopped: false,
  isBookmark: entry.isBookmark,
  isArchived: entry.isArchived,
  follows: entry.follows,
  explain: null,
  receivedAt,
});

export const answerOfSearch = (
  data: SearchData,
  { key, keywords, files, follows }: Answer,
  receivedAt: number,
): Answer => ({
  key,
  id: data.history_id,
  question: data.text,
  keywords,
  files,
  date: data.date,
  markdown: data.answers[0] ?? '',
  citations: data.citations,
  related: data.similar_vectors,
  recommendations: data.recommendations,
  grounded: data.grounded,
  nearest: data.nearest,
  mode: data.mode,
  found: data.found,
  unverified: data.unverified,
  step: null,
  notice: data.notice,
  writtenBy: data.writtenBy,
  stopped: false,
  isBookmark: false,
  isArchived: false,
  follows,
  explain: data.explain ?? null,
  receivedAt,
});

/** What is known of an answer before anything has come. */
export const beginAnswer = ({ text, keywords, files, after }: Question, now: Date): Answer => ({
  key: `asked at ${now.getTime()}`,
  id: null,
  question: text,
  keywords,
  files,
  date: now.toISOString(),
  markdown: '',
  citations: [],
  related: [],
  recommendations: [],
  grounded: true,
  nearest: [],
  mode: null,
  found: [],
  unverified: [],
  step: null,
  notice: null,
  writtenBy: null,
  stopped: false,
  isBookmark: false,
  isArchived: false,
  follows: after,
  explain: null,
  receivedAt: now.getTime(),
});

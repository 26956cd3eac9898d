import type {
  AnswerMode,
  ChosenFile,
  Citation,
  FoundSection,
  HistoryEntry,
  RelatedFile,
  SearchData,
} from '@engram/contract';

export interface Question {
  text: string;
  /** Only files with one of these are searched; empty for all. */
  keywords: string[];
  /** Only these files are searched; empty for all. */
  files: ChosenFile[];
  /** The history entry that the question follows up on. */
  after: string | null;
}

export type Explanation = NonNullable<SearchData['explain']>;

/** A question with as much of its answer as is known. */
export interface Answer {
  /** Stays the same from the question on until the conversation is read again. */
  key: string;
  /** The history entry; null while the answer is still coming. */
  id: string | null;
  question: string;
  /** The keywords and files that the question is limited to; empty for all. */
  keywords: string[];
  files: ChosenFile[];
  /** When it was asked, ISO 8601. */
  date: string;
  markdown: string;
  citations: Citation[];
  related: RelatedFile[];
  recommendations: string[];
  grounded: boolean;
  /** Without an answer, the passages that come nearest to one. */
  nearest: Citation[];
  /** Whether it quotes files or a model wrote it; null while that is not known yet. */
  mode: AnswerMode | null;
  /** The sections that were found, best first. */
  found: FoundSection[];
  /** Its sentences that could not be verified; each is marked in the Markdown. */
  unverified: string[];
  notice: string | null;
  /** `files` if it quotes them, else the model that wrote it; null if that is not known. */
  writtenBy: string | null;
  /** Whether the user stopped it before it was complete. */
  stopped: boolean;
  /** The current step before the text arrives, else null. */
  step: string | null;
  isBookmark: boolean;
  isArchived: boolean;
  /** The history entry that the question follows up on. */
  follows: string | null;
  /** How the answer was found; null for one that comes from the history. */
  explain: Explanation | null;
  /** When the answer arrived, in milliseconds since the epoch: the links in `related` are as old. */
  receivedAt: number;
}

/** A question before anything of its answer has arrived. */
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
  notice: null,
  writtenBy: null,
  stopped: false,
  step: null,
  isBookmark: false,
  isArchived: false,
  follows: after,
  explain: null,
  receivedAt: now.getTime(),
});

/** What a history entry and the answer to a search name alike. */
const sharedFields = (data: HistoryEntry | SearchData) => ({
  date: data.date,
  markdown: data.answers[0] ?? '',
  citations: data.citations,
  recommendations: data.recommendations,
  grounded: data.grounded,
  nearest: data.nearest,
  mode: data.mode,
  found: data.found,
  unverified: data.unverified,
  notice: data.notice,
  writtenBy: data.writtenBy,
  stopped: false,
  step: null,
});

export const answerOfEntry = (entry: HistoryEntry, receivedAt: number): Answer => ({
  ...sharedFields(entry),
  key: entry.id,
  id: entry.id,
  question: entry.searchText,
  keywords: entry.keywords,
  files: entry.chosenFiles,
  related: entry.similarVectors,
  isBookmark: entry.isBookmark,
  isArchived: entry.isArchived,
  follows: entry.follows,
  explain: null,
  receivedAt,
});

export const answerOfSearch = (data: SearchData, begun: Answer, receivedAt: number): Answer => ({
  ...begun,
  ...sharedFields(data),
  id: data.history_id,
  question: data.text,
  related: data.similar_vectors,
  explain: data.explain ?? null,
  receivedAt,
});

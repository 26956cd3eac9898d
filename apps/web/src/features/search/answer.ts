import type {
  AnswerMode,
  ChosenFile,
  HistoryEntry,
  RelatedFile,
  SearchData,
} from '@engram/contract';

export interface Question {
  text: string;
  /** Only files with one of these are searched; empty for all. */
  keywords: string[];
  files: ChosenFile[];
  after: string | null;
}

export type Explanation = NonNullable<SearchData['explain']>;

/** A question with as much of its answer as is known. */
export interface Answer extends Pick<
  HistoryEntry,
  | 'citations'
  | 'date'
  | 'follows'
  | 'found'
  | 'grounded'
  | 'isArchived'
  | 'isBookmark'
  | 'keywords'
  | 'nearest'
  | 'notice'
  | 'recommendations'
  | 'unverified'
  | 'writtenBy'
> {
  /** Stays the same from the question on until the conversation is read again. */
  key: string;
  /** The history entry; null while the answer is still coming. */
  id: string | null;
  question: string;
  files: ChosenFile[];
  markdown: string;
  related: RelatedFile[];
  /** Whether it quotes files or a model wrote it; null while that is not known yet. */
  mode: AnswerMode | null;
  stopped: boolean;
  /** The current step before the text arrives, else null. */
  step: string | null;
  explain: Explanation | null;
  /** The device and the position; null for a question of this visit. */
  askedFrom: Pick<HistoryEntry, 'device' | 'latitude' | 'longitude'> | null;
  /** When the answer arrived, in milliseconds since the epoch: the links in `related` are as old. */
  receivedAt: number;
}

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
  askedFrom: null,
  receivedAt: now.getTime(),
});

export const answerOfEntry = (entry: HistoryEntry, receivedAt: number): Answer => ({
  ...entry,
  key: entry.id,
  question: entry.searchText,
  files: entry.chosenFiles,
  markdown: entry.answers[0] ?? '',
  related: entry.similarVectors,
  stopped: false,
  step: null,
  explain: null,
  askedFrom: entry,
  receivedAt,
});

export const answerOfSearch = (data: SearchData, begun: Answer, receivedAt: number): Answer => ({
  ...begun,
  ...data,
  id: data.history_id,
  question: data.text,
  markdown: data.answers[0] ?? '',
  related: data.similar_vectors,
  step: null,
  explain: data.explain ?? null,
  receivedAt,
});

import type {
  AnswerMode,
  ChosenFile,
  HistoryEntry,
  RelatedFile,
  SearchData,
} from '@engram/contract';
import { plural } from '../../format/format.ts';
import { unescapeMarkdown } from '../../components/markdown/markdown-text.ts';

export interface Question {
  text: string;
  /** Only files with one of these are searched; empty for all. */
  keywords: string[];
  files: ChosenFile[];
  after: string | null;
}

export type Explanation = NonNullable<SearchData['explain']>;

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
  /** Constant until the conversation is reloaded. */
  key: string;
  /** The id of the history entry; null until the answer is complete. */
  id: string | null;
  question: string;
  files: ChosenFile[];
  markdown: string;
  related: RelatedFile[];
  /** Whether it quotes files or a model wrote it; null until that is known. */
  mode: AnswerMode | null;
  stopped: boolean;
  step: string | null;
  explain: Explanation | null;
  /** The device and the position; null for a question asked on this page. */
  askedFrom: Pick<HistoryEntry, 'device' | 'latitude' | 'longitude'> | null;
  /** When the answer and the links in `related` arrived, in milliseconds since the epoch. */
  receivedAt: number;
}

export const startAnswer = ({ text, keywords, files, after }: Question, now: Date): Answer => ({
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

export const answerFromEntry = (entry: HistoryEntry, receivedAt: number): Answer => ({
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

export const answerFromSearch = (
  data: SearchData,
  partial: Answer,
  receivedAt: number,
): Answer => ({
  ...partial,
  ...data,
  id: data.history_id,
  question: data.text,
  markdown: data.answers[0] ?? '',
  related: data.similar_vectors,
  step: null,
  explain: data.explain ?? null,
  receivedAt,
});

export const isFound = ({ mode, grounded, found }: Answer): boolean =>
  mode === 'found' && grounded && found.length > 0;

export function statusOf(answer: Answer, pending: boolean): string {
  const { grounded, citations, found, nearest, step, unverified, stopped } = answer;
  if (stopped) return 'The answer was stopped.';
  if (pending) return step ?? 'Searching your files';
  if (!grounded) {
    const shown = nearest.length > 0 ? ` Below: ${plural(nearest.length, 'nearest passage')}.` : '';
    return `Your files hold no answer.${shown}`;
  }
  if (isFound(answer)) return `Found in your files: ${plural(found.length, 'place')}.`;
  const sources = `The answer is complete, with ${plural(citations.length, 'source')}.`;
  if (unverified.length === 0) return sources;
  return `${sources} Not verified: ${plural(unverified.length, 'sentence')}.`;
}

export function originOf(answer: Answer): string | null {
  const { writtenBy, grounded, citations, nearest, stopped } = answer;
  if (stopped) return 'Stopped before it was complete';
  if (!grounded) return nearest.length > 0 ? plural(nearest.length, 'nearest passage') : null;
  if (writtenBy !== null && writtenBy !== 'files') return `Written by ${writtenBy}`;
  const files = new Set(citations.map(({ artifactId }) => artifactId)).size;
  if (files === 0) return null;
  return `${writtenBy === null ? 'From' : 'Quoted from'} ${plural(files, 'file')}`;
}

const PREVIEW_LENGTH = 220;
const READ_LENGTH = 1200;

/** The beginning of an answer as one line of plain text, without citations. */
export function previewOf(markdown: string): string {
  const plain = markdown
    .slice(0, READ_LENGTH)
    .replaceAll(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|[ \t:|-]+$)\s*/gmu, '')
    .replaceAll(/(?<!\\)\[\d+\]/gu, '')
    .replaceAll('[unverified]', '(not verified)')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '$1')
    .replaceAll(/(?<!\\)(?:\*{1,3}|`+|~~)/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}\\])_{1,2}(?=\S)|(?<=\S)(?<!\\)_{1,2}(?![\p{L}\p{N}])/gu, '')
    .replaceAll('|', ' ');
  const text = unescapeMarkdown(plain)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[.,;:!?])/gu, '')
    .trim();
  return text.length <= PREVIEW_LENGTH
    ? text
    : `${text.slice(0, PREVIEW_LENGTH).trimEnd().toWellFormed()}…`;
}

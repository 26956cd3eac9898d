import type { Citation } from '@engram/contract';
import {
  type EarlierTurn,
  mergePassages,
  type PartOfQuestion,
  type Question,
  rankFollowUp,
  splitQuestion,
  standaloneQuestion,
} from '@engram/retrieval';
import { HttpError } from '../../platform/http/errors.ts';
import type { HistoryService } from '../history/history.service.ts';
import type { Retrieved } from './retrieval.ts';

/** What was asked and answered before a question that follows up on it. */
export interface Conversation {
  /** Oldest first; empty for a question that follows up on none. */
  turns: EarlierTurn[];
  /** What the last answer cites. */
  cited: readonly Pick<Citation, 'artifactId' | 'start' | 'end'>[];
}

/** Earlier questions that are read at most. */
const MOST_TURNS = 3;

/**
 * The entries of the history that a question follows up on.
 * @throws HttpError 404 when there is no such entry, or it is somebody else's
 */
export async function readConversation(
  history: Pick<HistoryService, 'find'>,
  userId: string,
  after: string | undefined,
): Promise<Conversation> {
  const turns: EarlierTurn[] = [];
  let cited: Conversation['cited'] = [];
  let next: string | null = after ?? null;
  while (next !== null && turns.length < MOST_TURNS) {
    const entry = await history.find(userId, next);
    if (entry === undefined && next === after) {
      throw new HttpError(
        404,
        'history_not_found',
        'The question that this one follows up on is not in your history.',
      );
    }
    if (entry === undefined) break;
    if (turns.length === 0) cited = entry.citations;
    turns.unshift({ question: entry.question, answer: entry.grounded ? entry.answer : '' });
    next = entry.follows;
  }
  return { turns, cited };
}

/** A question as it is searched for. */
export interface Understood {
  /** Made whole with what was asked before. */
  question: Question;
  /** Its parts where it asks for several things, else none. */
  parts: { asked: string; question: Question }[];
}

/** What a part of a question says of files counts before what the whole does. */
function inFilesOf(part: Question, { files }: Question): Question {
  const { named, hinted, uploaded, kinds } = part.files;
  const says = named.length > 0 || hinted.length > 0 || kinds.length > 0 || uploaded !== null;
  return says ? part : { ...part, files };
}

/** Makes a question whole and takes it apart. @param read analyses a question of this person */
export function understand(
  text: string,
  { turns }: Conversation,
  read: (text: string) => Question,
): Understood {
  const whole = standaloneQuestion(text, turns);
  const parts = splitQuestion(whole);
  const question = read(whole);
  return {
    question,
    parts:
      parts.length < 2
        ? []
        : parts.map((part) => ({
            asked: part.asked,
            question: inFilesOf(read(part.text), question),
          })),
  };
}

/** What was found for a question and for each of its parts. */
export interface FoundForAll extends Retrieved {
  parts: PartOfQuestion[];
}

/** Looks for the whole question and for each of its parts, all at once. */
export async function findForAll(
  find: (question: Question) => Promise<Retrieved>,
  { question, parts }: Understood,
  { cited }: Conversation,
): Promise<FoundForAll> {
  const found = await Promise.all([question, ...parts.map((part) => part.question)].map(find));
  const lists = found.map(({ ranked }) =>
    cited.length === 0 ? ranked : rankFollowUp(ranked, cited),
  );
  return {
    ranked: lists.length === 1 ? (lists[0] ?? []) : mergePassages(lists),
    files: new Map(found.flatMap(({ files }) => [...files])),
    parts: parts.map((part, i) => ({ ...part, passages: quotable(lists[i + 1] ?? []) })),
  };
}

/** Passages with a text: a file that is found by its name alone has nothing to quote. */
export const quotable = <T extends { text: string }>(passages: readonly T[]): T[] =>
  passages.filter(({ text }) => text !== '');

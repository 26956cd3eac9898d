import type { Citation } from '@engram/contract';
import type { EarlierTurn } from '@engram/retrieval';
import { HttpError } from '../../platform/http/errors.ts';
import type { HistoryService } from '../history/history.service.ts';

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

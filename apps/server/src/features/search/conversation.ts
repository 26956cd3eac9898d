import type { EarlierTurn } from '@engram/retrieval';
import { HttpError } from '../../platform/http/errors.ts';
import type { HistoryService } from '../history/history.service.ts';

/** Earlier questions that are read at most. */
const MOST_TURNS = 3;

/**
 * What was asked and answered before a question that follows up on it, oldest first.
 * @throws HttpError 404 when there is no such entry, or it is somebody else's
 */
export async function readConversation(
  history: Pick<HistoryService, 'find'>,
  userId: string,
  after: string | undefined,
): Promise<EarlierTurn[]> {
  const turns: EarlierTurn[] = [];
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
    turns.unshift({ question: entry.question, answer: entry.grounded ? entry.answer : '' });
    next = entry.follows;
  }
  return turns;
}

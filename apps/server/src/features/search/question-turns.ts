import { availableParallelism } from 'node:os';
import { createCounts, createTurns } from '../../platform/threads/turns.ts';
import { LINE } from './thinking/thinking.ts';

/** Questions that are looked for at a time: the next ones wait for their turn. */
const AT_ONCE = 64;

/** … of those that people ask beside another of their own: a processor is left to everybody else. */
const BESIDE_AT_ONCE = Math.max(1, availableParallelism() - 1);

/**
 * Does the looking for a question when it is its turn: at once for a person's only question, and in
 * one line of all people for what they ask beside it. Fifty questions of one person would else hold up
 * everybody's in the database, the index and the threads.
 * @throws HttpError 429 when too many questions of the person or of all wait
 */
export function createQuestionTurns(besideAtOnce: number = BESIDE_AT_ONCE) {
  const alone = createTurns({ ...LINE, atOnce: AT_ONCE });
  const beside = createTurns({ ...LINE, atOnce: besideAtOnce });
  const asking = createCounts();

  return async <T>(userId: string, task: () => Promise<T>): Promise<T> => {
    const turns = asking.of(userId) === 0 ? alone : beside;
    asking.add(userId, 1);
    try {
      return await turns.run(userId, null, task);
    } finally {
      asking.add(userId, -1);
    }
  };
}

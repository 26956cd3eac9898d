import { availableParallelism } from 'node:os';
import { createCounts, createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import { QUEUE_LIMITS } from './analysis/analysis-threads.ts';

/** Questions that are searched at a time. */
const AT_ONCE = 64;

/** … of users who have another one running: a processor is left to everybody else. */
const BESIDE_AT_ONCE = Math.max(1, availableParallelism() - 1);

/**
 * Limits the searches for questions. A user's only question starts at once. Further ones of users who
 * have one running share a smaller limit: fifty questions of one user would otherwise hold up everybody
 * in the database, the index and the threads.
 * @throws HttpError 429 when too many questions of the user or of all users wait
 */
export function createQuestionLimiter(besideAtOnce: number = BESIDE_AT_ONCE) {
  const alone = createFairLimiter({ ...QUEUE_LIMITS, concurrency: AT_ONCE });
  const beside = createFairLimiter({ ...QUEUE_LIMITS, concurrency: besideAtOnce });
  const running = createCounts();

  return async <T>(userId: string, task: () => Promise<T>): Promise<T> => {
    const limiter = running.of(userId) === 0 ? alone : beside;
    running.add(userId, 1);
    try {
      return await limiter.run(userId, null, task);
    } finally {
      running.add(userId, -1);
    }
  };
}

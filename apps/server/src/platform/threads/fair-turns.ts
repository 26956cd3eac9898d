import { LRUCache } from 'lru-cache';
import { ThreadEnded } from './threads.ts';
import { createTurns, type TurnsOptions } from './turns.ts';

/** How long a user whose task was ended shares one thread with all such users, in milliseconds. */
const SLOW_TTL_MS = 600_000;
const MAX_SLOW_USERS = 10_000;

/**
 * Shares a few threads fairly: each user has one at a time, and all users whose task had to be ended
 * a while ago have one together.
 */
export function createFairTurns(options: Omit<TurnsOptions, 'atOnceOfGroup'>) {
  const turns = createTurns({ ...options, atOnceOfGroup: 1 });
  const slowTurns = createTurns({ ...options, atOnce: 1 });
  const slow = new LRUCache<string, true>({ max: MAX_SLOW_USERS, ttl: SLOW_TTL_MS });

  return {
    /**
     * Runs a task of a user when it is the user's turn.
     * @param signal removes the task while it waits
     * @throws what the task throws, what `full` makes, or the signal's reason
     */
    async run<T>(userId: string, signal: AbortSignal | null, task: () => Promise<T>): Promise<T> {
      const inTurn = (): Promise<T> => turns.run(userId, signal, task);
      try {
        return await (slow.has(userId) ? slowTurns.run(userId, signal, inTurn) : inTurn());
      } catch (error) {
        if (error instanceof ThreadEnded) slow.set(userId, true);
        throw error;
      }
    },

    /** Call it when a user is deleted. */
    forget: (userId: string): void => void slow.delete(userId),
  };
}

import { LRUCache } from 'lru-cache';
import { ThreadEnded } from './threads.ts';
import { createFairLimiter, type FairLimiterOptions } from './fair-limiter.ts';

/** How long a user whose task was aborted shares one thread with all such users, in milliseconds. */
const SLOW_TTL_MS = 600_000;
const MAX_SLOW_USERS = 10_000;

/** Shares threads fairly: each user has one at a time, and all users with an aborted task share one. */
export function createFairThreadLimiter(options: Omit<FairLimiterOptions, 'concurrencyPerGroup'>) {
  const limiter = createFairLimiter({ ...options, concurrencyPerGroup: 1 });
  const slowLimiter = createFairLimiter({ ...options, concurrency: 1 });
  const slow = new LRUCache<string, true>({ max: MAX_SLOW_USERS, ttl: SLOW_TTL_MS });

  return {
    /** Runs a task when its user has no other one running. The signal removes it from the queue. */
    async run<T>(userId: string, signal: AbortSignal | null, task: () => Promise<T>): Promise<T> {
      const runFairly = (): Promise<T> => limiter.run(userId, signal, task);
      try {
        return await (slow.has(userId) ? slowLimiter.run(userId, signal, runFairly) : runFairly());
      } catch (error) {
        if (error instanceof ThreadEnded) slow.set(userId, true);
        throw error;
      }
    },

    forget: (userId: string): void => void slow.delete(userId),
  };
}

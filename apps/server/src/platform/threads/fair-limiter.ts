import { LRUCache } from 'lru-cache';
import { createFairQueue } from './fair-queue.ts';
import { ThreadEnded } from './threads.ts';

export interface FairLimiterOptions {
  /** The maximum cost of all running tasks, and of those of one group. Default for a group: no limit. */
  concurrency: number;
  concurrencyPerGroup?: number;
  maxQueued?: number;
  maxQueuedPerGroup?: number;
  /** Creates the error of a task that is refused because too many are queued. */
  whenFull?: () => Error;
}

/** Limits the number of running tasks. Groups, such as users, are served round robin. */
export function createFairLimiter({
  concurrency,
  concurrencyPerGroup = Infinity,
  maxQueued = Infinity,
  maxQueuedPerGroup = Infinity,
  whenFull = () => new Error('Too many tasks are queued.'),
}: FairLimiterOptions) {
  const queue = createFairQueue<{ group: string; cost: number; start: () => void }>();
  const running = createCounts();

  const mayRun = (group: string): boolean =>
    running.all() < concurrency && running.of(group) < concurrencyPerGroup;

  const next = (): void => {
    for (;;) {
      const first = queue.peek(mayRun);
      if (!first || running.all() + first.cost > concurrency) return;
      queue.take(mayRun);
      running.add(first.group, first.cost);
      first.start();
    }
  };

  const admit = (group: string, signal: AbortSignal | null, cost: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const item = {
        group,
        cost,
        start() {
          signal?.removeEventListener('abort', cancel);
          resolve();
        },
      };
      function cancel(): void {
        if (!queue.remove(item)) return;
        reject(signal?.reason as Error);
        next();
      }
      signal?.addEventListener('abort', cancel, { once: true });
      queue.add(group, item);
      next();
    });

  return {
    /** Runs a task when it is first in the queue and its cost fits. The signal removes it from the queue. */
    async run<T>(
      group: string,
      signal: AbortSignal | null,
      task: () => Promise<T>,
      cost = 1,
    ): Promise<T> {
      signal?.throwIfAborted();
      const tooMany = queue.size >= maxQueued || queue.sizeOf(group) >= maxQueuedPerGroup;
      if (tooMany && !mayRun(group)) throw whenFull();
      await admit(group, signal, cost);
      try {
        return await task();
      } finally {
        running.add(group, -cost);
        next();
      }
    },
  };
}

export type FairLimiter = ReturnType<typeof createFairLimiter>;

export function createCounts() {
  const counts = new Map<string, number>();
  let totalCost = 0;
  return {
    add(group: string, by: number): void {
      const count = (counts.get(group) ?? 0) + by;
      if (count === 0) counts.delete(group);
      else counts.set(group, count);
      totalCost += by;
    },
    of: (group: string): number => counts.get(group) ?? 0,
    all: (): number => totalCost,
  };
}

/** How long users whose task was aborted share one thread. */
const SLOW_TTL_MS = 600_000;
const MAX_SLOW_USERS = 10_000;

/** Shares threads fairly. Each user has one at a time, and users whose task was aborted share one. */
export function createFairThreadLimiter(options: Omit<FairLimiterOptions, 'concurrencyPerGroup'>) {
  const limiter = createFairLimiter({ ...options, concurrencyPerGroup: 1 });
  const slowLimiter = createFairLimiter({ ...options, concurrency: 1 });
  const slow = new LRUCache<string, true>({ max: MAX_SLOW_USERS, ttl: SLOW_TTL_MS });

  return {
    /** Runs a task when its user has no other running task. The signal removes it from the queue. */
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

import type { FastifyBaseLogger } from 'fastify';
import { HttpError, tooManyRequests } from '../../../platform/http/errors.ts';
import { createThreads, ThreadEnded } from '../../../platform/threads/threads.ts';
import { createFairThreadLimiter } from '../../../platform/threads/fair-thread-limiter.ts';
import type { TaskCall, TaskName, Tasks } from './tasks.ts';

export interface ThinkingOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds of a thread's time that one question may take. */
  limitMs?: number | undefined;
  /** The threads' program. */
  script?: URL | undefined;
}

/**
 * Does one of the tasks for a question in a thread.
 * @throws ThreadEnded, or HttpError 429 when too many questions of the person or of all wait
 */
export type Think = <Name extends TaskName>(
  name: Name,
  input: TaskCall<Name>['input'],
) => Promise<ReturnType<Tasks[Name]>>;

/** What is not needed for an answer is left out where it takes too long. */
export const unlessTooLong =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof ThreadEnded) return instead;
    throw error;
  };

/** What the person reads then. */
export const TOO_LONG = 'This question took too long to answer. Please ask it in other words.';

const SCRIPT = new URL('./thinking-worker.ts', import.meta.url);

/** Ordinary questions take some 10 ms, the longest of the benches 60 ms; a slow machine is slower. */
const LIMIT_MS = 2000;

/**
 * One thread stays. While questions come there is one more than are busy, so that somebody's many
 * questions leave one to others; three at most: one for what people ask beside a question of their own,
 * one for everybody else, and one where either takes long. A start takes some 300 ms of a processor and
 * 85 MB.
 */
const THREADS = { least: 1, most: 3, spare: 1, idleMs: 60_000, heapMb: 256 };

const RETRY_SECONDS = 5;

/** How long before the connections the threads end at a stop, in milliseconds: the answers say so. */
const LAST_WORD_MS = 1000;

/** How many questions may wait, and the error of those beyond. */
export const QUEUE_LIMITS = {
  maxQueued: 500,
  maxQueuedPerGroup: 50,
  whenFull: () => tooManyRequests('Too many questions wait to be answered.', RETRY_SECONDS),
};

/**
 * Thinks about questions in threads, so that no question holds up another person's call. Everybody has
 * one thread at a time; those whose question had to be ended a while ago have one together.
 */
export function createThinking({ log, limitMs = LIMIT_MS, script = SCRIPT }: ThinkingOptions) {
  const threads = createThreads<TaskCall>({ script, ...THREADS });
  const limiter = createFairThreadLimiter({ ...QUEUE_LIMITS, concurrency: THREADS.most });
  const stopping = new AbortController();

  return {
    /** What thinks about one question of a person: all its tasks together have the limit's time. */
    forQuestion(userId: string): Think {
      const budget = { leftMs: limitMs };
      /** A stop sends away what waits to begin; what has begun may go on. */
      let sentAway: AbortSignal | null = stopping.signal;

      const inThread = async (call: TaskCall): Promise<unknown> => {
        sentAway = null;
        try {
          return await threads.run(call, budget);
        } catch (error) {
          if (error instanceof ThreadEnded) {
            log.warn({ err: error, task: call.name, userId }, 'a question was given up');
          }
          throw error;
        }
      };

      return ((name: TaskName, input: TaskCall['input']): Promise<unknown> =>
        limiter.run(userId, sentAway, () => inThread({ name, input } as TaskCall))) as Think;
    },

    /** Starts the thread that stays. */
    warmUp: threads.warmUp,

    /** To be called when a person is gone. */
    forget: limiter.forget,

    /**
     * Sends away what waits to begin. What has begun gets nearly so many milliseconds, then it is
     * ended, too, told and kept.
     */
    stop(graceMs: number): void {
      stopping.abort(
        new HttpError(503, 'stopping', 'Engram is being stopped. Please ask again soon.'),
      );
      const leftMs = Math.max(graceMs - LAST_WORD_MS, graceMs / 2);
      setTimeout(() => void threads.close(), leftMs).unref();
    },

    close: threads.close,
  };
}

export type Thinking = ReturnType<typeof createThinking>;

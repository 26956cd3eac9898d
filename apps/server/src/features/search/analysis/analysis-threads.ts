import { availableParallelism } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { HttpError, tooManyRequests } from '../../../platform/http/errors.ts';
import { createThreads, ThreadEnded } from '../../../platform/threads/threads.ts';
import { createCounts, createFairLimiter } from '../../../platform/threads/fair-limiter.ts';
import { createFairThreadLimiter } from '../../../platform/threads/fair-limiter.ts';
import type { TaskCall, TaskName, Tasks } from './tasks.ts';

export interface AnalysisThreadsOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds of a thread's time that one question may take. */
  limitMs?: number | undefined;
  script?: URL | undefined;
}

/**
 * Runs one of the tasks of a question in a thread.
 * @throws ThreadEnded, or HttpError 429 when too many questions of the user or of all users wait
 */
export type RunAnalysis = <Name extends TaskName>(
  name: Name,
  ...input: Parameters<Tasks[Name]>
) => Promise<ReturnType<Tasks[Name]>>;

/** Replaces a result that an answer can do without, if its task takes too long. */
export const unlessTooLong =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof ThreadEnded) return instead;
    throw error;
  };

export const TOO_LONG = 'This question took too long to answer. Please ask it in other words.';

const SCRIPT = new URL('./analysis-worker.ts', import.meta.url);

/** Ordinary questions take some 10 ms, and the longest of the benches 60 ms. */
const LIMIT_MS = 2000;

/**
 * One thread stays, and while questions come one more than are busy is ready, so that many questions of
 * one user leave one to others. A start takes some 300 ms of a processor and 85 MB.
 */
const THREADS = { least: 1, most: 3, spare: 1, idleMs: 60_000, heapMb: 256 };

const RETRY_SECONDS = 5;

/** How long before the end of the grace period threads are ended, so that answers can report it. */
const ANSWER_MARGIN_MS = 1000;

/** How many questions may wait, and the error of those beyond. */
const QUEUE_LIMITS = {
  maxQueued: 500,
  maxQueuedPerGroup: 50,
  whenFull: () => tooManyRequests('Too many questions wait to be answered.', RETRY_SECONDS),
};

/**
 * Analyses questions in worker threads, so that no question holds up another user's call. Each user has
 * one thread at a time. Users whose question was ended a while ago share one.
 */
export function createAnalysisThreads({
  log,
  limitMs = LIMIT_MS,
  script = SCRIPT,
}: AnalysisThreadsOptions) {
  const threads = createThreads<TaskCall>({ script, ...THREADS });
  const limiter = createFairThreadLimiter({ ...QUEUE_LIMITS, concurrency: THREADS.most });
  const stopping = new AbortController();

  return {
    /** Runs the tasks of one question of a user. All of them share the time limit. */
    forQuestion(userId: string): RunAnalysis {
      const budget = { leftMs: limitMs };
      /** A stop rejects tasks that wait to start. Running ones may continue. */
      let rejected: AbortSignal | null = stopping.signal;

      const inThread = async (call: TaskCall): Promise<unknown> => {
        rejected = null;
        try {
          return await threads.run(call, budget);
        } catch (error) {
          if (error instanceof ThreadEnded) {
            log.warn({ err: error, task: call.name, userId }, 'a question was given up');
          }
          throw error;
        }
      };

      return ((name: TaskName, ...input: unknown[]): Promise<unknown> =>
        limiter.run(userId, rejected, () => inThread({ name, input }))) as RunAnalysis;
    },

    warmUp: threads.warmUp,

    forget: limiter.forget,

    /** Rejects tasks that wait to start. Running ones are ended shortly before `graceMs` milliseconds. */
    stop(graceMs: number): void {
      stopping.abort(
        new HttpError(503, 'stopping', 'Engram is being stopped. Please ask again soon.'),
      );
      const leftMs = Math.max(graceMs - ANSWER_MARGIN_MS, graceMs / 2);
      setTimeout(() => void threads.close(), leftMs).unref();
    },

    close: threads.close,
  };
}

export type AnalysisThreads = ReturnType<typeof createAnalysisThreads>;

/** Questions that are searched at once, and those of users who have another one running. */
const AT_ONCE = 64;
const BESIDE_AT_ONCE = Math.max(1, availableParallelism() - 1);

/**
 * Limits the searches for questions. A user's only question starts at once. Further ones of users who
 * have one running share a smaller limit, so that a processor is left for everybody else.
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

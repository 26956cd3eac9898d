import { availableParallelism } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { HttpError, tooManyRequests } from '../../../platform/http/errors.ts';
import { createThreads, ThreadEnded } from '../../../platform/threads/threads.ts';
import {
  createCounts,
  createFairLimiter,
  createFairThreadLimiter,
} from '../../../platform/threads/fair-limiter.ts';
import type { TaskCall, TaskName, Tasks } from './tasks.ts';

export interface AnalysisThreadsOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** The milliseconds of a thread's time that one question may use. */
  limitMs?: number | undefined;
  script?: URL | undefined;
}

/**
 * Runs a task of a question in a thread.
 * @throws ThreadEnded, or HttpError 429 if too many questions of the user or of all users are queued
 */
export type RunAnalysis = <Name extends TaskName>(
  name: Name,
  ...input: Parameters<Tasks[Name]>
) => Promise<ReturnType<Tasks[Name]>>;

/** Uses a fallback for an optional result if its task takes too long. */
export const unlessTooLong =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof ThreadEnded) return fallback;
    throw error;
  };

export const TOO_LONG = 'This question took too long to answer. Please try rephrasing it.';

const SCRIPT = new URL('./analysis-worker.ts', import.meta.url);

/** Ordinary questions take about 10 ms, and the longest benchmark question 60 ms. */
const LIMIT_MS = 2000;

/**
 * One thread always runs, and one spare thread is ready for other users. Starting a thread takes about
 * 300 ms of CPU time and 85 MB.
 */
const THREADS = { min: 1, max: 3, spare: 1, idleMs: 60_000, heapMb: 256 };

const RETRY_SECONDS = 5;

/** Threads end this long before the grace period does, so that answers can report it. */
const ANSWER_MARGIN_MS = 1000;

const QUEUE_LIMITS = {
  maxQueued: 500,
  maxQueuedPerGroup: 50,
  whenFull: () => tooManyRequests('Too many questions are waiting to be answered.', RETRY_SECONDS),
};

/**
 * Analyzes questions in worker threads, so that no question blocks other users' calls. Each user has one
 * thread at a time. Users whose question recently exceeded the time limit share one.
 */
export function createAnalysisThreads({
  log,
  limitMs = LIMIT_MS,
  script = SCRIPT,
}: AnalysisThreadsOptions) {
  const threads = createThreads<TaskCall>({ script, ...THREADS });
  const limiter = createFairThreadLimiter({ ...QUEUE_LIMITS, concurrency: THREADS.max });
  const stopping = new AbortController();

  return {
    /** Runs the tasks of one question of a user. All of them share the time limit. */
    forQuestion(userId: string): RunAnalysis {
      const budget = { leftMs: limitMs };
      /** A stop rejects queued tasks. Running ones may continue. */
      let rejected: AbortSignal | null = stopping.signal;

      const inThread = async (call: TaskCall): Promise<unknown> => {
        rejected = null;
        try {
          return await threads.run(call, budget);
        } catch (error) {
          if (error instanceof ThreadEnded) {
            log.warn({ err: error, task: call.name, userId }, 'a question exceeded its time limit');
          }
          throw error;
        }
      };

      return ((name: TaskName, ...input: unknown[]): Promise<unknown> =>
        limiter.run(userId, rejected, () => inThread({ name, input }))) as RunAnalysis;
    },

    warmUp: threads.warmUp,

    forget: limiter.forget,

    /** Rejects queued tasks. Running ones are ended shortly before `graceMs` milliseconds. */
    stop(graceMs: number): void {
      stopping.abort(new HttpError(503, 'stopping', 'Engram is stopping. Please ask again soon.'));
      const leftMs = Math.max(graceMs - ANSWER_MARGIN_MS, graceMs / 2);
      setTimeout(() => void threads.close(), leftMs).unref();
    },

    close: threads.close,
  };
}

export type AnalysisThreads = ReturnType<typeof createAnalysisThreads>;

/** Questions that are searched at once, and those of users who already have one running. */
const CONCURRENCY = 64;
const PARALLEL_CONCURRENCY = Math.max(1, availableParallelism() - 1);

/**
 * Limits the searches for questions. A user's only question starts immediately. Parallel questions of one
 * user share a smaller limit, which leaves a CPU core for other users.
 * @throws HttpError 429 if too many questions of the user or of all users are queued
 */
export function createQuestionLimiter(parallelConcurrency: number = PARALLEL_CONCURRENCY) {
  const first = createFairLimiter({ ...QUEUE_LIMITS, concurrency: CONCURRENCY });
  const parallel = createFairLimiter({ ...QUEUE_LIMITS, concurrency: parallelConcurrency });
  const running = createCounts();

  return async <T>(userId: string, task: () => Promise<T>): Promise<T> => {
    const limiter = running.of(userId) === 0 ? first : parallel;
    running.add(userId, 1);
    try {
      return await limiter.run(userId, null, task);
    } finally {
      running.add(userId, -1);
    }
  };
}

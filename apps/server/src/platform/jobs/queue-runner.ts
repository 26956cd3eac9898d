import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import { messageOf } from '../database/query-error.ts';
import type { JobOutcome } from '../observability/metrics.ts';
import type { Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError, restoreFailure } from './failure.ts';
import type { ClaimedJob, JobStore, Retries } from './job-store.ts';

/** Jobs shorter than this are claimed several at a time: claiming them costs more than running them. */
const SHORT_JOB_MS = 25;
/** Jobs that are claimed ahead. A job of another group waits behind them. */
const CLAIMED_AHEAD = 8;
/** Time for an aborted handler to end. */
const ABORT_TIMEOUT_MS = 1000;
/** Delay before the query for the next due time, after a claim. */
const RECHECK_MS = 50;
const RETRY_AFTER_ERROR_MS = 1000;
/** How often a failure is reported again if `onFailed` throws. */
const REPORTS = { retryLimit: 10, retryDelaySeconds: 5 };

export interface Job<Data extends object = object> {
  id: string;
  data: Data;
  /** 1 for the first attempt. Attempts that an outage or shutdown interrupted do not count. */
  attempt: number;
  signal: AbortSignal;
}

export interface QueueDefinition<Data extends object> extends Retries {
  /**
   * Does the work. Must be idempotent, as it may run again after a crash. After a `PermanentError` there
   * is no retry, and an error with `outage` does not count.
   */
  handler(job: Job<Data>): Promise<void>;
  concurrency: number;
  /** Maximum number of running jobs of a group. Default: `concurrency`. */
  groupConcurrency?: number;
  timeoutSeconds: number;
  /** Whether each job enqueues the next one. `onIdle` does not wait for such jobs. */
  recurring?: boolean;
  /**
   * Called once after the last attempt failed, unless the process crashes first, and retried if it
   * throws. The error has the message and the plain properties of the one that was thrown.
   */
  onFailed?(data: Data, error: Error): Promise<void>;
}

/** The abort reason when the process stops. */
class Stopping extends Error {}

/** The abort reason of a job that was deleted or claimed by another process. */
class Cancelled extends Error {}

/** Rejects some time after an abort if the handler has not ended. */
function withAbortTimeout(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), ABORT_TIMEOUT_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}

function countGroups(jobs: readonly ClaimedJob[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { group } of jobs) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}

export function createQueueRunner(
  queue: string,
  definition: QueueDefinition<object>,
  {
    store,
    log,
    observer,
    pollMs,
  }: {
    store: JobStore;
    log: DatabaseLog;
    observer: Pick<Observer, 'job'>;
    pollMs: number;
  },
) {
  const { concurrency, groupConcurrency = concurrency, timeoutSeconds } = definition;
  const running = new Map<ClaimedJob, { controller: AbortController; ended: Promise<void> }>();
  let claimed: ClaimedJob[] = [];
  /** Finished jobs that are still to be deleted. */
  let done: ClaimedJob[] = [];
  let averageMs = Infinity;
  let stopped = false;
  /** While a stop waits for the running jobs. */
  let stopping = false;
  /** The loop that deletes finished jobs and claims new ones, while there is something to do. */
  let loop: Promise<void> | null = null;
  let loopAgain = false;
  /** Whether a statement failed, so that this process may have claimed an unknown job. */
  let mayHoldUnknown = false;
  /** The groups that the last claim excluded when it found no jobs; null if there may be some. */
  let emptyExcept: string[] | null = null;
  let timer: NodeJS.Timeout | undefined;

  const isQuiet = (): boolean => running.size + claimed.length + done.length === 0 && !loop;

  const held = (): ClaimedJob[] => [...running.keys(), ...claimed];

  function reportError(action: string, error: unknown): void {
    log.error(
      `The queue ${queue} could not ${action}: ${error instanceof Error ? messageOf(error) : String(error)}`,
    );
    mayHoldUnknown = true;
    wakeIn(RETRY_AFTER_ERROR_MS);
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(wake, Math.max(0, Math.min(milliseconds, pollMs))).unref();
  }

  function wake(): void {
    emptyExcept = null;
    runLoop();
  }

  function runLoop(): void {
    loopAgain = true;
    loop ??= (async () => {
      while (loopAgain) {
        loopAgain = false;
        // Jobs that end together are deleted together.
        await nextTurn();
        await deleteDone().catch((error) => reportError('delete finished jobs', error));
        await claim().catch((error) => reportError('claim jobs', error));
      }
      loop = null;
    })();
  }

  async function deleteDone(): Promise<void> {
    const batch = done;
    done = [];
    if (batch.length > 0) await store.complete(batch);
  }

  async function claim(): Promise<void> {
    if (stopped) return;
    if (mayHoldUnknown) await putBackUnknown();
    const ahead = averageMs < SHORT_JOB_MS ? CLAIMED_AHEAD : 0;
    const room = concurrency + ahead - running.size - claimed.length;
    // If all claimed jobs are of full groups, slots are idle. Then others are claimed.
    const enoughClaimed = running.size >= concurrency && claimed.length > ahead / 2;
    if (enoughClaimed || room <= 0) return;
    const { full, most } = groupRoom(groupConcurrency + ahead);
    if (emptyExcept?.every((group) => full.includes(group))) return;
    emptyExcept = full;
    const limit = Math.min(room, most);
    const jobs = await store.claim(queue, limit, full);
    claimed.push(...jobs);
    startClaimed();
    if (jobs.length === limit) wake();
    else if (jobs.length > 0) wakeIn(RECHECK_MS);
    else if (emptyExcept) {
      wakeIn(Math.ceil((await store.millisecondsToNext(queue, full)) ?? Infinity) + 1);
    }
  }

  async function putBackUnknown(): Promise<void> {
    await store.putBackLost(queue, [...held(), ...done]);
    mayHoldUnknown = false;
    emptyExcept = null;
  }

  /** The groups at the limit, and how many more jobs any other group may get. */
  function groupRoom(limit: number): { full: string[]; most: number } {
    const counts = countGroups(held());
    const full = [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
    const others = [...counts.values()].filter((count) => count < limit);
    return { full, most: limit - Math.max(0, ...others) };
  }

  /** Starts claimed jobs while there is room. Jobs with the same key never run in parallel. */
  function startClaimed(): void {
    if (stopped) return;
    while (running.size < concurrency) {
      const jobs = [...running.keys()];
      const busyKeys = new Set(jobs.map(({ key }) => key));
      const counts = countGroups(jobs);
      const index = claimed.findIndex(
        ({ key, group }) =>
          (key === null || !busyKeys.has(key)) &&
          (group === null || (counts.get(group) ?? 0) < groupConcurrency),
      );
      const [job] = index < 0 ? [] : claimed.splice(index, 1);
      if (!job) return;
      void run(job);
    }
  }

  function run(job: ClaimedJob): Promise<void> {
    const controller = new AbortController();
    const observed = { id: job.id, queue, attempt: job.attempts + 1 };
    const ended = observer
      .job(observed, () => runAttempt(job, controller))
      .finally(() => {
        running.delete(job);
        startClaimed();
        runLoop();
      });
    running.set(job, { controller, ended });
    return ended;
  }

  async function runAttempt(job: ClaimedJob, controller: AbortController): Promise<JobOutcome> {
    const startedAt = performance.now();
    const { signal } = controller;
    const limit = `The job took longer than ${timeoutSeconds} s.`;
    const timeout = setTimeout(() => controller.abort(new Error(limit)), timeoutSeconds * 1000);
    try {
      await withAbortTimeout(handle(job, signal), signal);
      done.push(job);
      return 'done';
    } catch (error) {
      if (signal.reason instanceof Cancelled) return 'cancelled';
      // A failure during a stop may be caused by it, as in a child process that gets the same signal.
      if (stopping && !(error instanceof PermanentError)) {
        await putBack([job]);
        return 'given back';
      }
      await fail(job, signal.reason ?? error);
      return 'failed';
    } finally {
      clearTimeout(timeout);
      const milliseconds = performance.now() - startedAt;
      averageMs = averageMs === Infinity ? milliseconds : averageMs * 0.8 + milliseconds * 0.2;
    }
  }

  async function handle(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { id, data, attempts, failure } = job;
    if (!failure) return definition.handler({ id, data, attempt: attempts + 1, signal });
    const error = restoreFailure(failure);
    // A permanent failure is reported to the user, and is not the server's fault.
    const level = error instanceof PermanentError ? 'info' : 'error';
    log[level](`A job of the queue ${queue} failed permanently: ${error.message}`);
    await definition.onFailed?.(data, error);
  }

  async function putBack(jobs: ClaimedJob[]): Promise<void> {
    await store.putBack(jobs).catch((error) => reportError('put jobs back', error));
  }

  async function fail(job: ClaimedJob, thrown: unknown): Promise<void> {
    const failure = describeFailure(thrown);
    // A permanent failure is logged when it is reported.
    if (!failure.permanent) {
      log.warn(
        `A job of the queue ${queue} failed (attempt ${job.attempts + 1}): ${failure.message}`,
      );
    }
    await store
      .fail(job, failure, job.failure ? REPORTS : definition)
      .catch((cause) => reportError('record a failure', cause));
    wake();
  }

  return {
    wake,
    run,
    held,
    isQuiet,

    abort(isLost: (job: ClaimedJob) => boolean): void {
      claimed = claimed.filter((job) => !isLost(job));
      for (const [job, { controller }] of running) {
        if (isLost(job)) controller.abort(new Cancelled('The job was cancelled.'));
      }
    },

    /** Claims a job that must run alone, while this runner is stopped. */
    async claimQuarantined(): Promise<ClaimedJob | undefined> {
      try {
        return await store.claimQuarantined(queue);
      } catch (error) {
        mayHoldUnknown = true;
        throw error;
      }
    },

    /** Claims no more jobs, waits for the running ones, and aborts and puts them back after the grace. */
    async stop(graceMs: number): Promise<void> {
      stopped = true;
      stopping = true;
      clearTimeout(timer);
      await loop;
      if (claimed.length > 0) await putBack(claimed.splice(0));
      const grace = setTimeout(() => {
        for (const { controller } of running.values())
          controller.abort(new Stopping('Engram is stopping.'));
      }, graceMs);
      while (running.size > 0) await Promise.all(running.values().map(({ ended }) => ended));
      clearTimeout(grace);
      await loop;
      stopping = false;
    },

    resume(): void {
      stopped = false;
      wake();
    },
  };
}

export type QueueRunner = ReturnType<typeof createQueueRunner>;

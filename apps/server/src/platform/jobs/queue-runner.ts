import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import { messageOf } from '../database/query-error.ts';
import type { JobOutcome } from '../observability/metrics.ts';
import type { Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError, restoreFailure } from './failure.ts';
import type { ClaimedJob, JobStore, Retries } from './job-store.ts';

/** Shorter jobs are claimed ahead, because claiming takes longer than running them. */
const SHORT_JOB_MS = 25;
/** The number of jobs claimed ahead. Jobs of other groups wait for them. */
const CLAIMED_AHEAD = 8;
/** How long an aborted handler may take to end. */
const ABORT_TIMEOUT_MS = 1000;
/** The delay after a claim before the next due time is queried. */
const RECHECK_MS = 50;
const RETRY_AFTER_ERROR_MS = 1000;
/** The retries of a report if `onFailed` throws. */
const REPORT_RETRIES = { retryLimit: 10, retryDelaySeconds: 5 };

export interface Job<Data extends object = object> {
  id: string;
  data: Data;
  /** From 1. Attempts that an outage or shutdown interrupted do not count. */
  attempt: number;
  signal: AbortSignal;
}

export interface QueueDefinition<Data extends object> extends Retries {
  /**
   * Must be idempotent, because it may run again after a crash. A `PermanentError` is not retried, and an
   * error with `outage` does not count.
   */
  handler(job: Job<Data>): Promise<void>;
  concurrency: number;
  /** The maximum number of running jobs of a group. Default: `concurrency`. */
  groupConcurrency?: number;
  timeoutSeconds: number;
  /** Whether each job enqueues the next one, so that `onIdle` does not wait for them. */
  recurring?: boolean;
  /**
   * Called after the last attempt failed, and retried if it throws. The error has the message and the plain
   * properties of the thrown one.
   */
  onFailed?(data: Data, error: Error): Promise<void>;
}

/** The abort reason if the process is stopping. */
class Stopping extends Error {}

/** The abort reason of a job that was deleted or claimed by another process. */
class Cancelled extends Error {}

/** Rejects if the handler does not end soon after an abort. */
function withAbortTimeout(run: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), ABORT_TIMEOUT_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([run, promise]).finally(() => {
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
  /** Finished jobs that will be deleted. */
  let done: ClaimedJob[] = [];
  let averageMs = Infinity;
  let stopped = false;
  /** Whether a stop is waiting for running jobs. */
  let stopping = false;
  /** The running loop that deletes finished jobs and claims new ones. */
  let loop: Promise<void> | null = null;
  let loopAgain = false;
  /** Whether a statement failed, so that this process may have claimed jobs without noticing. */
  let mayHoldUnknown = false;
  /** The groups excluded when the last claim found no jobs; null if there may be jobs. */
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
        // Jobs that end in the same iteration are deleted together.
        await yieldToEventLoop();
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
    // If the claimed jobs belong to full groups, others are claimed for the idle slots.
    const enoughClaimed = running.size >= concurrency && claimed.length > ahead / 2;
    if (enoughClaimed || room <= 0) return;
    const { full, maxPerGroup } = groupRoom(groupConcurrency + ahead);
    if (emptyExcept?.every((group) => full.includes(group))) return;
    emptyExcept = full;
    const limit = Math.min(room, maxPerGroup);
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

  /** The groups at the limit, and the number of jobs that any other group may still get. */
  function groupRoom(limit: number): { full: string[]; maxPerGroup: number } {
    const counts = countGroups(held());
    const full = [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
    const others = [...counts.values()].filter((count) => count < limit);
    return { full, maxPerGroup: limit - Math.max(0, ...others) };
  }

  /** Starts claimed jobs in free slots. Jobs with the same key never run in parallel. */
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
      // The stop itself may cause a failure, for example in a child process that gets the same signal.
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
    // Permanent failures are reported to users, and are not the server's fault.
    const level = error instanceof PermanentError ? 'info' : 'error';
    log[level](`A job of the queue ${queue} failed permanently: ${error.message}`);
    await definition.onFailed?.(data, error);
  }

  async function putBack(jobs: ClaimedJob[]): Promise<void> {
    await store.putBack(jobs).catch((error) => reportError('put jobs back', error));
  }

  async function fail(job: ClaimedJob, thrown: unknown): Promise<void> {
    const failure = describeFailure(thrown);
    // Permanent failures are logged when they are reported.
    if (!failure.permanent) {
      log.warn(
        `A job of the queue ${queue} failed (attempt ${job.attempts + 1}): ${failure.message}`,
      );
    }
    await store
      .fail(job, failure, job.failure ? REPORT_RETRIES : definition)
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

    /** Claims a job to run alone, while this runner is stopped. */
    async claimQuarantined(): Promise<ClaimedJob | undefined> {
      try {
        return await store.claimQuarantined(queue);
      } catch (error) {
        mayHoldUnknown = true;
        throw error;
      }
    },

    /** Claims no more jobs. After `graceMs`, running ones are aborted and put back. */
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

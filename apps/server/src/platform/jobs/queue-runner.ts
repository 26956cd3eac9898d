import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import type { JobOutcome } from '../observability/metrics.ts';
import type { Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError } from './failure.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';

/** Jobs shorter than this are claimed several at a time: claiming them costs more than running them. */
const SHORT_JOB_MS = 25;
/** Jobs that are claimed ahead. A job of another group waits behind them. */
const CLAIMED_AHEAD = 8;
/** Time for an aborted handler to end. */
const ABORT_TIMEOUT_MS = 1000;
/** Delay before the query for the next due time, after a claim. */
const RECHECK_MS = 50;
const RETRY_AFTER_ERROR_MS = 1000;

export interface QueueLimits {
  concurrency: number;
  /** Maximum number of running jobs of a group. Default: `concurrency`. */
  groupConcurrency?: number;
  timeoutSeconds: number;
}

/** The abort reason when the process stops. */
class Stopping extends Error {}

/** The abort reason of a job that was deleted or claimed by another process. */
class Cancelled extends Error {}

interface RunningJob {
  job: ClaimedJob;
  controller: AbortController;
  ended: Promise<void>;
}

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
  name: string,
  { concurrency, groupConcurrency = concurrency, timeoutSeconds }: QueueLimits,
  options: {
    store: JobStore;
    log: DatabaseLog;
    observer: Pick<Observer, 'job'>;
    pollMs: number;
    run(job: ClaimedJob, signal: AbortSignal): Promise<void>;
    onFailed(): void;
    onQuiet(): void;
  },
) {
  const { store, log } = options;
  const running = new Set<RunningJob>();
  let claimed: ClaimedJob[] = [];
  /** Finished jobs that are still to be deleted. */
  let done: ClaimedJob[] = [];
  let averageMs = Infinity;
  let stopped = false;
  /** While a stop waits for the running jobs. */
  let stopping = false;
  let claiming: Promise<void> | null = null;
  let claimAgain = false;
  let mayHaveMore = false;
  /** Whether a statement failed: this process may have claimed a job without knowing it. */
  let mayHoldUnknown = false;
  /** Groups that the last claim excluded, because enough of their jobs run here. */
  let excludedGroups: string[] = [];
  /** Excluded groups with which the last claim found nothing; null when there may be news. */
  let nothingBeside: string[] | null = null;
  let settling: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const isQuiet = (): boolean =>
    running.size + claimed.length + done.length === 0 && !claiming && !settling;

  const runningJobs = (): ClaimedJob[] => [...running].map(({ job }) => job);

  const held = (): ClaimedJob[] => [...runningJobs(), ...claimed, ...done];

  function reportError(action: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    log.error(`The queue ${name} could not ${action}: ${message}`);
    mayHoldUnknown = true;
    wakeIn(RETRY_AFTER_ERROR_MS);
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(wake, Math.max(0, Math.min(milliseconds, options.pollMs)));
    timer.unref();
  }

  /** Starts claimed jobs while there is room. Two of one key never run at once. */
  function startClaimed(): void {
    if (stopped) return;
    while (running.size < concurrency) {
      const jobs = runningJobs();
      const busyKeys = new Set(jobs.map(({ key }) => key));
      const counts = countGroups(jobs);
      const index = claimed.findIndex(
        ({ key, group }) =>
          (key === null || !busyKeys.has(key)) &&
          (group === null || (counts.get(group) ?? 0) < groupConcurrency),
      );
      const [job] = index < 0 ? [] : claimed.splice(index, 1);
      if (!job) return;
      void begin(job);
    }
  }

  function begin(job: ClaimedJob): Promise<void> {
    const controller = new AbortController();
    const entry: RunningJob = { job, controller, ended: Promise.resolve() };
    running.add(entry);
    const watched = { id: job.id, queue: name, attempt: job.retryCount + 1 };
    const run = () => runOne(job, controller);
    entry.ended = options.observer.job(watched, run).finally(() => {
      running.delete(entry);
      if (job.group !== null && excludedGroups.includes(job.group)) mayHaveMore = true;
      startClaimed();
      claimMore();
    });
    return entry.ended;
  }

  async function runOne(job: ClaimedJob, controller: AbortController): Promise<JobOutcome> {
    const startedAt = performance.now();
    const { signal } = controller;
    const limit = `The job took longer than ${timeoutSeconds} s.`;
    const timeout = setTimeout(() => controller.abort(new Error(limit)), timeoutSeconds * 1000);
    try {
      await withAbortTimeout(options.run(job, signal), signal);
      done = [...done, job];
      settleDone();
      return 'done';
    } catch (error) {
      const cancelled = signal.reason instanceof Cancelled;
      // A failure during a stop may be caused by it, as in a child process that gets the same signal.
      const interrupted = stopping && !(error instanceof PermanentError);
      if (cancelled) return 'cancelled';
      if (interrupted) await putBack(job);
      else await fail(job, signal.reason ?? error);
      return interrupted ? 'given back' : 'failed';
    } finally {
      clearTimeout(timeout);
      const milliseconds = performance.now() - startedAt;
      averageMs = averageMs === Infinity ? milliseconds : averageMs * 0.8 + milliseconds * 0.2;
    }
  }

  async function putBack(job: ClaimedJob): Promise<void> {
    await store.putBack(name, job).catch((error) => reportError('give a job back', error));
  }

  async function fail(job: ClaimedJob, thrown: unknown): Promise<void> {
    const failure = describeFailure(thrown);
    // A permanent failure is logged by the dead letter queue.
    if (!failure.permanent) {
      log.warn(`A job of the queue ${name} failed (try ${job.retryCount + 1}): ${failure.message}`);
    }
    await store.fail(name, job, failure).catch((error) => reportError('record a failure', error));
    options.onFailed();
    wake();
  }

  function settleDone(): void {
    settling ??= (async () => {
      while (done.length > 0) {
        await nextTurn();
        const batch = done;
        await store.remove(name, batch).catch((error) => reportError('remove jobs', error));
        done = done.slice(batch.length);
      }
      settling = null;
      if (isQuiet()) options.onQuiet();
    })();
  }

  async function claim(): Promise<void> {
    // First puts back what this process may have claimed without knowing it.
    if (mayHoldUnknown && !stopped) await putBackUnknown();
    const ahead = averageMs < SHORT_JOB_MS ? CLAIMED_AHEAD : 0;
    const room = concurrency + ahead - running.size - claimed.length;
    // Claimed jobs leave slots idle when their groups have enough running. Then others are claimed.
    const enoughClaimed = running.size >= concurrency && claimed.length > ahead / 2;
    if (stopped || !mayHaveMore || enoughClaimed || room <= 0) return;
    mayHaveMore = false;
    const { full, most } = groupRoom(groupConcurrency + ahead);
    excludedGroups = full;
    if (nothingBeside?.every((group) => full.includes(group))) return;
    const limit = Math.min(room, most);
    const jobs = await store.claim(name, limit, full);
    claimed.push(...jobs);
    startClaimed();
    if (jobs.length === limit) {
      mayHaveMore = true;
      claimAgain = true;
    } else if (jobs.length > 0) wakeIn(RECHECK_MS);
    else if (!mayHaveMore) {
      nothingBeside = full;
      wakeIn(Math.ceil((await store.millisecondsToNext(name, full)) ?? Infinity) + 1);
    }
  }

  async function putBackUnknown(): Promise<void> {
    mayHoldUnknown = false;
    try {
      await store.processes.putBackLost(name, held(), 0);
    } catch (error) {
      mayHoldUnknown = true;
      throw error;
    }
    mayHaveMore = true;
    nothingBeside = null;
  }

  /** Groups that have as many jobs as they may, and the number that any other group may get. */
  function groupRoom(limit: number): { full: string[]; most: number } {
    const counts = countGroups([...runningJobs(), ...claimed]);
    const full = [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
    const others = [...counts.values()].filter((count) => count < limit);
    return { full, most: limit - Math.max(0, ...others) };
  }

  function wake(): void {
    mayHaveMore = true;
    nothingBeside = null;
    claimMore();
  }

  /** Claims jobs again without expecting news. */
  function claimMore(): void {
    claimAgain = true;
    claiming ??= (async () => {
      while (claimAgain) {
        claimAgain = false;
        await nextTurn();
        await claim().catch((error) => reportError('look for jobs', error));
      }
      claiming = null;
      if (isQuiet()) options.onQuiet();
    })();
  }

  /** Claims no more jobs, waits for the running ones, and aborts and puts them back after the grace. */
  async function stop(graceMs: number): Promise<void> {
    stopped = true;
    stopping = true;
    clearTimeout(timer);
    await claiming;
    const unstarted = claimed;
    claimed = [];
    for (const job of unstarted) await putBack(job);
    const grace = setTimeout(() => {
      for (const { controller } of running) controller.abort(new Stopping('Engram is stopping.'));
    }, graceMs);
    while (running.size > 0) await Promise.all([...running].map(({ ended }) => ended));
    clearTimeout(grace);
    await settling;
    stopping = false;
  }

  function resume(): void {
    stopped = false;
    wake();
  }

  return {
    wake,
    abort(isLost: (job: ClaimedJob) => boolean): void {
      claimed = claimed.filter((job) => !isLost(job));
      for (const { job, controller } of running) {
        if (isLost(job)) controller.abort(new Cancelled('The job was cancelled.'));
      }
    },
    running: (): ClaimedJob[] => [...runningJobs(), ...claimed],
    held,
    isQuiet,
    stop,
    resume,
    run: begin,
  };
}

export type QueueRunner = ReturnType<typeof createQueueRunner>;

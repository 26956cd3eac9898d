import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import type { JobOutcome } from '../observability/metrics.ts';
import type { Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError } from './failure.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';

/** What runs a queue's jobs in this process. */
export interface QueueRunnerOptions {
  name: string;
  concurrency: number;
  /** Most running jobs of one group. */
  groupConcurrency: number;
  timeoutSeconds: number;
  store: JobStore;
  log: DatabaseLog;
  /** Runs one job; a rejection is a failed try. */
  run(job: ClaimedJob, signal: AbortSignal): Promise<void>;
  /** Follows a try from its beginning to its end. */
  observer: Pick<Observer, 'job'>;
  /** Longest time in milliseconds between two looks at the queue. */
  pollMs: number;
  /** Told after a try has failed: it may have been the last. */
  onFailed(): void;
  /** Told whenever nothing is due and nothing runs here. */
  onQuiet(): void;
}

/** Takes jobs from one queue and runs them. */
export interface QueueRunner {
  /** Looks for jobs now. */
  wake(): void;
  /** Drops and aborts the jobs that are meant: they are somebody else's now, or nobody's. */
  abort(isMeant: (job: ClaimedJob) => boolean): void;
  /** The jobs that this process has not ended yet. */
  running(): ClaimedJob[];
  /** The jobs that this process holds. */
  held(): ClaimedJob[];
  isQuiet(): boolean;
  /** Takes no more jobs, waits for the running ones, aborts them after the grace and gives them back. */
  stop(graceMs: number): Promise<void>;
  /** Takes jobs again after a stop. */
  resume(): void;
  /** Runs a job that was taken elsewhere, also while stopped; resolves once it has ended. */
  run(job: ClaimedJob): Promise<void>;
}

/** Jobs shorter than this are taken several at a time: taking them costs more than running them. */
const SHORT_JOB_MS = 25;
/** How many are taken ahead. Small: a job of another group waits behind them. */
const TAKEN_AHEAD = 8;
/** How long an aborted handler may take to end. */
const ABORT_PATIENCE_MS = 1000;
/** When to ask what is due next, after a look that found something. */
const LOOK_AFTER_MS = 50;
const RETRY_AFTER_ERROR_MS = 1000;

/** The reason with which running jobs are aborted when the process stops. */
class Stopping extends Error {}

/** The reason with which a job is aborted whose row is gone, or another process's. */
class Cancelled extends Error {}

interface RunningJob {
  job: ClaimedJob;
  controller: AbortController;
  ended: Promise<void>;
}

/** Rejects some time after the signal, when the handler has not ended by then. */
function withPatience(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), ABORT_PATIENCE_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}

/** How many of the jobs each group has. */
function countGroups(jobs: readonly ClaimedJob[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { group } of jobs) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}

/** Creates a runner; it does nothing until it is woken. */
export function createQueueRunner(options: QueueRunnerOptions): QueueRunner {
  const { name, store, log, concurrency, groupConcurrency } = options;
  const running = new Set<RunningJob>();
  let taken: ClaimedJob[] = [];
  /** Jobs that have gone well and are still to be removed. */
  let done: ClaimedJob[] = [];
  let averageMs = Infinity;
  let stopped = false;
  /** While a stop waits for the running jobs. */
  let stopping = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let mayHaveMore = false;
  /** Whether a statement failed: a job may say that it runs here, and does not. */
  let astray = false;
  /** Groups that the last look at the queue passed by, because they had enough under way here. */
  let passedBy: string[] = [];
  /** Groups besides which nothing waited when that was last asked; `null` when there may be news. */
  let nothingBeyond: string[] | null = null;
  let settling: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const isQuiet = () => running.size + taken.length + done.length === 0 && !looking && !settling;

  const held = () => [...[...running].map(({ job }) => job), ...taken, ...done];

  function reportError(action: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    log.error(`The queue ${name} could not ${action}: ${message}`);
    astray = true;
    wakeIn(RETRY_AFTER_ERROR_MS);
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(wake, Math.max(0, Math.min(milliseconds, options.pollMs)));
    timer.unref();
  }

  /** Starts taken jobs while there is room; two of one key never run at once. */
  function startTaken(): void {
    if (stopped) return;
    while (running.size < concurrency) {
      const jobs = [...running].map(({ job }) => job);
      const busyKeys = new Set(jobs.map(({ key }) => key));
      const counts = countGroups(jobs);
      const index = taken.findIndex(
        ({ key, group }) =>
          (key === null || !busyKeys.has(key)) &&
          (group === null || (counts.get(group) ?? 0) < groupConcurrency),
      );
      const [job] = index < 0 ? [] : taken.splice(index, 1);
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
      if (job.group !== null && passedBy.includes(job.group)) mayHaveMore = true;
      startTaken();
      lookOn();
    });
    return entry.ended;
  }

  async function runOne(job: ClaimedJob, controller: AbortController): Promise<JobOutcome> {
    const startedAt = performance.now();
    const { signal } = controller;
    const limit = `The job took longer than ${options.timeoutSeconds} s.`;
    const timeout = setTimeout(
      () => controller.abort(new Error(limit)),
      options.timeoutSeconds * 1000,
    );
    try {
      await withPatience(options.run(job, signal), signal);
      done = [...done, job];
      settleDone();
      return 'done';
    } catch (error) {
      const cancelled = signal.reason instanceof Cancelled;
      // What goes wrong during a stop may do so because of it, as a child process that gets it too.
      const interrupted = stopping && !(error instanceof PermanentError);
      if (cancelled) return 'cancelled';
      if (interrupted) await giveBack(job);
      else await fail(job, signal.reason ?? error);
      return interrupted ? 'given back' : 'failed';
    } finally {
      clearTimeout(timeout);
      const milliseconds = performance.now() - startedAt;
      averageMs = averageMs === Infinity ? milliseconds : averageMs * 0.8 + milliseconds * 0.2;
    }
  }

  async function giveBack(job: ClaimedJob): Promise<void> {
    await store.giveBack(name, job).catch((error) => reportError('give a job back', error));
  }

  async function fail(job: ClaimedJob, thrown: unknown): Promise<void> {
    const failure = describeFailure(thrown);
    // What can never go well is told once, by the one who takes its end.
    if (!failure.permanent) {
      log.warn(`A job of the queue ${name} failed (try ${job.retryCount + 1}): ${failure.message}`);
    }
    await store.fail(name, job, failure).catch((error) => reportError('record a failure', error));
    options.onFailed();
    wake();
  }

  /** Removes finished jobs, all that have gathered at a time. */
  function settleDone(): void {
    settling ??= (async () => {
      while (done.length > 0) {
        // Jobs that end together leave together.
        await nextTurn();
        const batch = done;
        await store.remove(name, batch).catch((error) => reportError('remove jobs', error));
        done = done.slice(batch.length);
      }
      settling = null;
      if (isQuiet()) options.onQuiet();
    })();
  }

  async function look(): Promise<void> {
    // Before anything is taken: what this process has taken and does not hold was lost on the way.
    if (astray && !stopped) await giveBackAstray();
    const ahead = averageMs < SHORT_JOB_MS ? TAKEN_AHEAD : 0;
    const room = concurrency + ahead - running.size - taken.length;
    // Taken jobs leave slots idle when their groups have enough running: look for other groups' then.
    const enoughTaken = running.size >= concurrency && taken.length > ahead / 2;
    if (stopped || !mayHaveMore || enoughTaken || room <= 0) return;
    mayHaveMore = false;
    const { full, most } = groupRoom(groupConcurrency + ahead);
    passedBy = full;
    if (nothingBeyond?.every((group) => full.includes(group))) return;
    const limit = Math.min(room, most);
    const jobs = await store.claim(name, limit, full);
    taken.push(...jobs);
    startTaken();
    if (jobs.length === limit) {
      mayHaveMore = true;
      lookAgain = true;
    } else if (jobs.length > 0) wakeIn(LOOK_AFTER_MS);
    else if (!mayHaveMore) {
      nothingBeyond = full;
      wakeIn(Math.ceil((await store.millisecondsToNext(name, full)) ?? Infinity) + 1);
    }
  }

  async function giveBackAstray(): Promise<void> {
    astray = false;
    try {
      await store.processes.giveBackLost(name, held(), 0);
    } catch (error) {
      astray = true;
      throw error;
    }
    mayHaveMore = true;
    nothingBeyond = null;
  }

  /** Groups that hold as many jobs as they may, and how many any other group may surely be given. */
  function groupRoom(limit: number): { full: string[]; most: number } {
    const counts = countGroups([...[...running].map(({ job }) => job), ...taken]);
    const full = [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
    const others = [...counts.values()].filter((count) => count < limit);
    return { full, most: limit - Math.max(0, ...others) };
  }

  function wake(): void {
    mayHaveMore = true;
    nothingBeyond = null;
    lookOn();
  }

  /** Goes on with what is known to wait, without asking the database for news. */
  function lookOn(): void {
    lookAgain = true;
    looking ??= (async () => {
      while (lookAgain) {
        lookAgain = false;
        // Jobs that end together are replaced together.
        await nextTurn();
        await look().catch((error) => reportError('look for jobs', error));
      }
      looking = null;
      if (isQuiet()) options.onQuiet();
    })();
  }

  async function stop(graceMs: number): Promise<void> {
    stopped = true;
    stopping = true;
    clearTimeout(timer);
    await looking;
    const unstarted = taken;
    taken = [];
    for (const job of unstarted) await giveBack(job);
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
    abort(isMeant) {
      taken = taken.filter((job) => !isMeant(job));
      for (const { job, controller } of running) {
        if (isMeant(job)) controller.abort(new Cancelled('The job was cancelled.'));
      }
    },
    running: () => [...[...running].map(({ job }) => job), ...taken],
    held,
    isQuiet,
    stop,
    resume,
    run: begin,
  };
}

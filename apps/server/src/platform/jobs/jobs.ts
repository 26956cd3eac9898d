import type { Database, DatabaseLog, Executor } from '../database/database.ts';
import { keepConnection } from '../database/kept-connection.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError, restoreFailure } from './failure.ts';
import {
  CANCELLED,
  CHANNEL,
  type ClaimedJob,
  type JobCount,
  type NewJob,
  openJobStore,
} from './job-store.ts';
import { createJobQuarantine, QUARANTINE_TIMES, type QuarantineTimes } from './job-quarantine.ts';
import { createQueueRunner, type QueueRunner } from './queue-runner.ts';
import { HEARTBEAT_MS } from './processes.ts';

export { PermanentError } from './failure.ts';

/** What a handler is given. */
export interface Job<Data extends object = object> {
  id: string;
  data: Data;
  /** 1 for the first try. A try counts once it has ended: one that the process's end cut short does not. */
  attempt: number;
  /** Aborted when the job was cancelled, took too long, or the process stops: end soon. */
  signal: AbortSignal;
}

/** A queue: what its jobs do, and how they are treated. */
export interface QueueDefinition<Data extends object> {
  /**
   * Does the work; may run again after a kill, so it must be idempotent. What it throws is a failed
   * try, a `PermanentError` the last one; an error with `outage` takes nothing of the `retryLimit`.
   */
  handler(job: Job<Data>): Promise<void>;
  /** Most jobs at a time in this process. */
  concurrency: number;
  /**
   * Most jobs of one group at a time in this process, so that a group's slow jobs leave room for
   * another's: while a group has so many running, other groups' jobs pass its waiting ones by.
   * Default: as many as `concurrency`.
   */
  groupConcurrency?: number;
  /** A try that takes longer is aborted and has failed. */
  timeoutSeconds: number;
  /** Tries after the first. */
  retryLimit: number;
  /** Wait before the second try, in whole seconds; doubles with each, with jitter, up to an hour. */
  retryDelaySeconds: number;
  /** Whether each job adds the next one without end: {@link Jobs.onIdle} waits for none. */
  recurring?: boolean;
  /**
   * Called after the last try failed, once unless the process dies meanwhile; tried again itself
   * when it throws. The error has the message and the plain properties of what was thrown, and is a
   * `PermanentError` if that was one.
   */
  onFailed?(data: Data, error: Error): Promise<void>;
}

/** How one job is added to its queue. */
export interface EnqueueOptions {
  /**
   * At most one job of a key waits in a queue: while one does, it takes over the new data, is due at
   * once unless the new one has a `startAfter`, and nothing is added; a failed one that waits for its
   * next try is replaced. Two of a key never run at once.
   */
  key?: string;
  /** Whose work it is (a user's id): groups take turns, so that none waits for another's backlog. */
  group?: string;
  /** The transaction that the job joins: it exists if that commits. */
  tx?: Executor;
  /** Not before. */
  startAfter?: Date;
}

/** Background work on the database that holds the truth. */
export interface Jobs {
  /** Makes a queue known. To be called in every process before it enqueues or starts. */
  define<Data extends object>(queue: string, definition: QueueDefinition<Data>): Promise<void>;
  enqueue<Data extends object>(queue: string, data: Data, options?: EnqueueOptions): Promise<void>;
  /** Enqueues many at once, to be run in their order. */
  enqueueAll<Data extends object>(
    queue: string,
    jobs: readonly { data: Data; key?: string }[],
    options?: Omit<EnqueueOptions, 'key'>,
  ): Promise<void>;
  /** Removes the jobs of some keys, waiting or running; their handlers are aborted. */
  cancel(queue: string, ...keys: string[]): Promise<void>;
  /** The data of a group's jobs that are not done: those that wait, run, or just failed for good. */
  unfinished(queue: string, group: string): Promise<object[]>;
  /** Makes the waiting job of a key due now; `false` when none waits. */
  retryNow(queue: string, key: string): Promise<boolean>;
  /**
   * Begins to run jobs in this process, and takes up what killed ones leave behind: at once on an
   * embedded database, within 20 seconds on a server.
   */
  start(): Promise<void>;
  /** How many jobs there are in each queue; of a queue without any it says that none waits. */
  counts(): Promise<JobCount[]>;
  /**
   * Takes no more jobs, as a stop comes soon: running ones get so many seconds to end, and what is
   * added waits for the next start.
   */
  drain(graceSeconds: number): void;
  /**
   * Stops running jobs. `graceful`: running ones get `graceSeconds` (default 10) to end, then their
   * signal is aborted; otherwise it is at once. What did not end waits to be run again, and the try
   * does not count.
   */
  stop(options?: { graceful?: boolean; graceSeconds?: number }): Promise<void>;
  /** Resolves when no job waits or runs, here or elsewhere. Jobs due later are waited for. */
  onIdle(): Promise<void>;
}

/** What jobs need. */
export interface JobsDependencies {
  database: Database;
  log: DatabaseLog;
  quarantineTimes?: QuarantineTimes;
  /** Interval of the heartbeat in milliseconds. Default: {@link HEARTBEAT_MS}. */
  heartbeatMs?: number;
  /** What follows jobs. Default: the log alone. */
  observer?: Pick<Observer, 'job'>;
}

/** Jobs of one statement: about 20 ms on the embedded database. */
const JOBS_PER_INSERT = 500;
const DEAD_LETTERS = 'dead-letters';
const SERVER_POLL_MS = 5000;
const EMBEDDED_POLL_MS = 60_000;
const RECOVER_EVERY_MS = 60_000;
/** What the owner of a job is told that ends the process whenever it runs. */
const ENDS_THE_PROCESS = 'Engram stopped each time it worked on this.';

/** What other processes on a server say. */
interface Heard {
  /** A queue got a job; without a name, any may have. */
  onJob(queue?: string): void;
  /** Jobs of a queue were cancelled while they ran; without a name, any may have been. */
  onCancelled(queue?: string): void;
}

/** Hears what other processes on a server enqueue and cancel; reconnects by itself. Returns what ends it. */
function listen(database: Database, { onJob, onCancelled }: Heard): () => void {
  const { end, open, openLater } = keepConnection(database.pool, async (client) => {
    client.on('notification', ({ channel, payload }) =>
      channel === CANCELLED ? onCancelled(payload) : onJob(payload),
    );
    await client.query(`listen ${CHANNEL}; listen ${CANCELLED}`);
    // Something may have been announced while nobody listened.
    onJob();
    onCancelled();
  });
  void open().catch(openLater);
  return end;
}

/** Opens the queues; creates or upgrades their tables. Jobs run after {@link Jobs.start}. */
export async function createJobs({
  database,
  log,
  quarantineTimes = QUARANTINE_TIMES,
  heartbeatMs = HEARTBEAT_MS,
  observer = createObserver(),
}: JobsDependencies): Promise<Jobs> {
  const store = await openJobStore(database, log);
  const { processes } = store;
  const definitions = new Map<string, QueueDefinition<object>>();
  const runners = new Map<string, QueueRunner>();
  const quarantine = createJobQuarantine({ store, runners, times: quarantineTimes, log });
  let idleWaiters: (() => void)[] = [];
  let timers: NodeJS.Timeout[] = [];
  let stopListening = () => {};

  async function checkIdle(): Promise<void> {
    const ending = [...definitions.keys()].filter((queue) => !definitions.get(queue)?.recurring);
    const isQuiet = ending.every((queue) => runners.get(queue)?.isQuiet() ?? true);
    if (idleWaiters.length === 0 || !isQuiet) return;
    if (await store.hasUnfinished(ending)) return;
    const resolved = idleWaiters;
    idleWaiters = [];
    for (const resolve of resolved) resolve();
  }

  function wake(queue?: string): void {
    if (queue === undefined) for (const runner of runners.values()) runner.wake();
    else runners.get(queue)?.wake();
  }

  async function runHandler(queue: string, job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { id, data, retryCount } = job;
    await definitions.get(queue)?.handler({ id, data, attempt: retryCount + 1, signal });
  }

  /** Calls `onFailed` of the queue in which a dead letter's job failed. */
  async function handleDeadLetter({ sourceName, sourceOutput, data }: ClaimedJob): Promise<void> {
    const definition = definitions.get(sourceName ?? '');
    const error = restoreFailure(sourceOutput);
    // What can never go well is no trouble of the server's: it is told where the job came from.
    const level = error instanceof PermanentError ? 'info' : 'error';
    log[level](`A job of the queue ${sourceName} failed for good: ${error.message}`);
    await definition?.onFailed?.(data, error);
  }

  function createRunner(queue: string, definition: QueueDefinition<object>): QueueRunner {
    return createQueueRunner({
      name: queue,
      concurrency: definition.concurrency,
      groupConcurrency: definition.groupConcurrency ?? definition.concurrency,
      timeoutSeconds: definition.timeoutSeconds,
      store,
      log,
      observer,
      pollMs: database.kind === 'server' ? SERVER_POLL_MS : EMBEDDED_POLL_MS,
      async run(job, signal) {
        if (queue === DEAD_LETTERS) await handleDeadLetter(job);
        else await runHandler(queue, job, signal);
      },
      onFailed: () => wake(DEAD_LETTERS),
      onQuiet: () => void checkIdle().catch(() => undefined),
    });
  }

  async function define<Data extends object>(
    queue: string,
    definition: QueueDefinition<Data>,
    deadLetter?: string,
  ): Promise<void> {
    await store.createQueue(queue, { ...definition, ...(deadLetter ? { deadLetter } : {}) });
    // What is read from a queue is what was written to it: `define` and `enqueue` share its type.
    definitions.set(queue, definition as unknown as QueueDefinition<object>);
  }

  async function enqueueAll(
    queue: string,
    added: readonly NewJob[],
    { group, startAfter, tx }: Omit<EnqueueOptions, 'key'> = {},
  ): Promise<void> {
    for (let from = 0; from < added.length; from += JOBS_PER_INSERT) {
      const some = added.slice(from, from + JOBS_PER_INSERT);
      await store.add(queue, some, { group, startAfter, executor: tx });
    }
    if (tx) database.afterCommit(() => wake(queue));
    else wake(queue);
  }

  /** Takes up what dead processes have left behind. */
  async function releaseInterrupted(): Promise<void> {
    const failure = describeFailure(new PermanentError(ENDS_THE_PROCESS));
    const count = await processes.releaseOrphans(
      [...definitions.keys()],
      quarantineTimes.backoff,
      failure,
    );
    if (count === 0) return;
    log.info(`Jobs that an end of Engram interrupted run again: ${count}.`);
    wake();
    quarantine.start();
  }

  /** Aborts the jobs that run here, but are not this process's any more. */
  async function abortLost(queue?: string): Promise<void> {
    const names = queue === undefined ? [...runners.keys()] : [queue];
    for (const name of names) {
      const runner = runners.get(name);
      const held = runner?.running() ?? [];
      if (!runner || held.length === 0) continue;
      const lost = await processes.lost(name, held);
      runner.abort(({ id }) => lost.has(id));
    }
  }

  /** Says that this process lives, and looks after those that do not. */
  async function beat(): Promise<void> {
    if (!(await processes.sendHeartbeat())) await abortLost();
    await processes.removeStaleWorkers();
    await releaseInterrupted();
  }

  async function giveBackLost(): Promise<void> {
    for (const [queue, runner] of runners) await processes.giveBackLost(queue, runner.held());
  }

  /** Does a task regularly, never twice at a time. A database that does not answer is heard of elsewhere. */
  function every(milliseconds: number, task: () => Promise<void>): NodeJS.Timeout {
    let running: Promise<void> | null = null;
    return setInterval(() => {
      running ??= task()
        .catch(() => undefined)
        .finally(() => (running = null));
    }, milliseconds).unref();
  }

  await define(DEAD_LETTERS, {
    handler: async () => {},
    concurrency: 1,
    timeoutSeconds: 300,
    retryLimit: 10,
    retryDelaySeconds: 5,
  });

  return {
    define: (queue, definition) => define(queue, definition, DEAD_LETTERS),

    enqueue: (queue, data, { key, ...options } = {}) => enqueueAll(queue, [{ data, key }], options),

    enqueueAll,

    async cancel(queue, ...keys) {
      await store.removeKeys(queue, keys);
      const cancelled = new Set(keys);
      runners.get(queue)?.abort(({ key }) => key !== null && cancelled.has(key));
    },

    unfinished: (queue, group) => store.unfinished(queue, group, DEAD_LETTERS),

    async retryNow(queue, key) {
      const found = await store.hurry(queue, key);
      if (found) wake(queue);
      return found;
    },

    async start() {
      await processes.register();
      for (const [queue, definition] of definitions) {
        await store.forgetTurns(queue);
        runners.set(queue, createRunner(queue, definition));
      }
      await releaseInterrupted();
      timers = [every(RECOVER_EVERY_MS, giveBackLost)];
      if (database.kind === 'server') {
        timers.push(every(heartbeatMs, beat));
        stopListening = listen(database, {
          onJob: wake,
          onCancelled: (queue) => void abortLost(queue).catch(() => undefined),
        });
      }
      wake();
      quarantine.start();
    },

    async counts() {
      const found = await store.counts();
      const waiting = new Set(found.map(({ queue, state }) => `${state} ${queue}`));
      const empty = [...definitions.keys()].filter((queue) => !waiting.has(`waiting ${queue}`));
      const none = { state: 'waiting', count: 0, oldestSeconds: 0 } as const;
      return [...found, ...empty.map((queue) => ({ queue, ...none }))];
    },

    drain(graceSeconds) {
      void quarantine.stop();
      for (const runner of runners.values()) void runner.stop(graceSeconds * 1000);
    },

    async stop({ graceful = true, graceSeconds = 10 } = {}) {
      stopListening();
      stopListening = () => {};
      for (const timer of timers) clearInterval(timer);
      const quarantineStopped = quarantine.stop();
      const graceMs = graceful ? graceSeconds * 1000 : 0;
      await Promise.all([...runners.values()].map((runner) => runner.stop(graceMs)));
      await quarantineStopped;
      runners.clear();
      // Who cannot say so is found dead.
      await processes.unregister().catch(() => undefined);
      await store.stop();
    },

    onIdle() {
      const { promise, resolve } = Promise.withResolvers<void>();
      idleWaiters.push(resolve);
      void checkIdle().catch(() => undefined);
      return promise;
    },
  };
}

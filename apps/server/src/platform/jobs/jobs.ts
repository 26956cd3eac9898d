import type { Database, DatabaseLog } from '../database/database.ts';
import { holdConnection } from '../database/session-connection.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import { describeFailure, PermanentError, restoreFailure } from './failure.ts';
import {
  CANCELLED,
  CHANNEL,
  type ClaimedJob,
  type EnqueueOptions,
  type JobCount,
  type JobsOptions,
  type NewJob,
  openJobStore,
} from './job-store.ts';
import { createJobQuarantine, QUARANTINE_TIMES, type QuarantineTimes } from './job-quarantine.ts';
import { createQueueRunner, type QueueLimits, type QueueRunner } from './queue-runner.ts';
import { HEARTBEAT_MS } from './processes.ts';

export { PermanentError } from './failure.ts';

export interface Job<Data extends object = object> {
  id: string;
  data: Data;
  /** 1 for the first attempt. One that was interrupted by the end of a process does not count. */
  attempt: number;
  signal: AbortSignal;
}

export interface QueueDefinition<Data extends object> extends QueueLimits {
  /**
   * Does the work. Must be idempotent, as it may run again after a kill. After a `PermanentError` there
   * is no retry, and an error with `outage` does not count.
   */
  handler(job: Job<Data>): Promise<void>;
  retryLimit: number;
  /** Delay of the first retry; doubles with each, with jitter, up to an hour. */
  retryDelaySeconds: number;
  /** Whether each job adds the next one: `onIdle` does not wait for them. */
  recurring?: boolean;
  /**
   * Called once after the last attempt failed, unless the process dies meanwhile, and retried if it
   * throws. The error has the message and the plain properties of the one that was thrown.
   */
  onFailed?(data: Data, error: Error): Promise<void>;
}

/** Jobs of one INSERT: about 20 ms on the embedded database. */
const JOBS_PER_INSERT = 500;
const DEAD_LETTERS = 'dead-letters';
const SERVER_POLL_MS = 5000;
const EMBEDDED_POLL_MS = 60_000;
const RECOVER_EVERY_MS = 60_000;
const ENDS_THE_PROCESS = 'Engram stopped each time it worked on this.';

/** Listens for jobs that other processes add or cancel; without a queue any may have news. */
function listen(
  database: Database,
  onJob: (queue?: string) => void,
  onCancelled: (queue?: string) => void,
): () => void {
  const { end, open, openLater } = holdConnection(database.pool, async (client) => {
    client.on('notification', ({ channel, payload }) =>
      channel === CANCELLED ? onCancelled(payload) : onJob(payload),
    );
    await client.query(`listen ${CHANNEL}; listen ${CANCELLED}`);
    onJob();
    onCancelled();
  });
  void open().catch(openLater);
  return end;
}

/** Opens the queues and their tables. Jobs run after `start`. */
export async function createJobs({
  database,
  log,
  quarantineTimes = QUARANTINE_TIMES,
  heartbeatMs = HEARTBEAT_MS,
  observer = createObserver(),
}: {
  database: Database;
  log: DatabaseLog;
  quarantineTimes?: QuarantineTimes;
  heartbeatMs?: number;
  observer?: Pick<Observer, 'job'>;
}) {
  const store = await openJobStore(database, log);
  const { processes } = store;
  const definitions = new Map<string, QueueDefinition<object>>();
  const runners = new Map<string, QueueRunner>();
  const quarantine = createJobQuarantine(store, runners, quarantineTimes, log);
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

  async function handleDeadLetter({ sourceName, sourceOutput, data }: ClaimedJob): Promise<void> {
    const definition = definitions.get(sourceName ?? '');
    const error = restoreFailure(sourceOutput);
    // A permanent failure is reported to the user, and is not the server's fault.
    const level = error instanceof PermanentError ? 'info' : 'error';
    log[level](`A job of the queue ${sourceName} failed for good: ${error.message}`);
    await definition?.onFailed?.(data, error);
  }

  function createRunner(queue: string, definition: QueueDefinition<object>): QueueRunner {
    return createQueueRunner(queue, definition, {
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
    await store.createQueue(queue, { ...definition, deadLetter });
    // `define` and `enqueue` of a queue use the same type of data.
    definitions.set(queue, definition as unknown as QueueDefinition<object>);
  }

  async function enqueueAll(
    queue: string,
    added: readonly NewJob[],
    options: JobsOptions = {},
  ): Promise<void> {
    for (let from = 0; from < added.length; from += JOBS_PER_INSERT) {
      await store.add(queue, added.slice(from, from + JOBS_PER_INSERT), options);
    }
    if (options.tx) database.afterCommit(() => wake(queue));
    else wake(queue);
  }

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

  /** Sends a heartbeat, and releases the jobs of processes that do not. */
  async function beat(): Promise<void> {
    if (!(await processes.sendHeartbeat())) await abortLost();
    await processes.removeStaleWorkers();
    await releaseInterrupted();
  }

  async function putBackLost(): Promise<void> {
    for (const [queue, runner] of runners) await processes.putBackLost(queue, runner.held());
  }

  /** Runs a task at an interval, one run at a time. The database's errors are reported elsewhere. */
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
    define: <Data extends object>(queue: string, definition: QueueDefinition<Data>) =>
      define(queue, definition, DEAD_LETTERS),

    enqueue: <Data extends object>(
      queue: string,
      data: Data,
      { key, ...options }: EnqueueOptions = {},
    ): Promise<void> => enqueueAll(queue, [{ data, key }], options),

    enqueueAll: <Data extends object>(
      queue: string,
      added: readonly { data: Data; key?: string }[],
      options?: JobsOptions,
    ): Promise<void> => enqueueAll(queue, added, options),

    /** Deletes waiting and running jobs by their keys, and aborts their handlers. */
    async cancel(queue: string, ...keys: string[]): Promise<void> {
      await store.deleteByKeys(queue, keys);
      const cancelled = new Set(keys);
      runners.get(queue)?.abort(({ key }) => key !== null && cancelled.has(key));
    },

    /** The data of a group's jobs that wait, run, or have just failed permanently. */
    unfinished: (queue: string, group: string): Promise<object[]> =>
      store.unfinished(queue, group, DEAD_LETTERS),

    async retryNow(queue: string, key: string): Promise<boolean> {
      const found = await store.makeDue(queue, key);
      if (found) wake(queue);
      return found;
    },

    /** Starts to run jobs, and releases those of dead processes: on a server within 20 seconds. */
    async start(): Promise<void> {
      await processes.register();
      for (const [queue, definition] of definitions) {
        await store.deleteStartTags(queue);
        runners.set(queue, createRunner(queue, definition));
      }
      await releaseInterrupted();
      timers = [every(RECOVER_EVERY_MS, putBackLost)];
      if (database.kind === 'server') {
        timers.push(every(heartbeatMs, beat));
        const onCancelled = (queue?: string) => void abortLost(queue).catch(() => undefined);
        stopListening = listen(database, wake, onCancelled);
      }
      wake();
      quarantine.start();
    },

    /** Counts the jobs of each queue, with 0 waiting for an empty one. */
    async counts(): Promise<JobCount[]> {
      const found = await store.counts();
      const waiting = new Set(found.map(({ queue, state }) => `${state} ${queue}`));
      const empty = [...definitions.keys()].filter((queue) => !waiting.has(`waiting ${queue}`));
      const none = { state: 'waiting', count: 0, oldestSeconds: 0 } as const;
      return [...found, ...empty.map((queue) => ({ queue, ...none }))];
    },

    /** Claims no more jobs before a stop. Running ones get `graceSeconds` to end. */
    drain(graceSeconds: number): void {
      void quarantine.stop();
      for (const runner of runners.values()) void runner.stop(graceSeconds * 1000);
    },

    /**
     * Stops running jobs. With `graceful` they get `graceSeconds` to end before their signal is aborted.
     * The interrupted attempt does not count.
     */
    async stop({ graceful = true, graceSeconds = 10 } = {}): Promise<void> {
      stopListening();
      stopListening = () => {};
      for (const timer of timers) clearInterval(timer);
      const quarantineStopped = quarantine.stop();
      const graceMs = graceful ? graceSeconds * 1000 : 0;
      await Promise.all([...runners.values()].map((runner) => runner.stop(graceMs)));
      await quarantineStopped;
      runners.clear();
      // If this fails, other processes detect the timeout.
      await processes.unregister().catch(() => undefined);
      await store.stop();
    },

    /** Resolves when no job waits or runs in any process. */
    onIdle(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      idleWaiters.push(resolve);
      void checkIdle().catch(() => undefined);
      return promise;
    },
  };
}

export type Jobs = Awaited<ReturnType<typeof createJobs>>;

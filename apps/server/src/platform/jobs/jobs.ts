import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, DatabaseLog } from '../database/database.ts';
import { keepConnection } from '../database/session-connection.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import {
  CANCELLED_CHANNEL,
  createJobStore,
  ENQUEUED_CHANNEL,
  type EnqueueOptions,
  type JobCount,
  type JobsOptions,
  type NewJob,
} from './job-store.ts';
import { createJobQuarantine, QUARANTINE_TIMES } from './job-quarantine.ts';
import { createQueueRunner, type QueueDefinition, type QueueRunner } from './queue-runner.ts';

export { PermanentError } from './failure.ts';
export type { Job, QueueDefinition } from './queue-runner.ts';

/** One INSERT takes about 20 ms on the embedded database. */
const JOBS_PER_INSERT = 500;
const HEARTBEAT_MS = 5000;
const SERVER_POLL_MS = 5000;
const EMBEDDED_POLL_MS = 60_000;
const IDLE_POLL_MS = 3;
const HOUR_MS = 3_600_000;

/** Listens for jobs that other processes add or cancel. `onJob` without a queue means any queue. */
function listen(
  database: Database,
  onJob: (queue?: string) => void,
  onCancelled: () => void,
): () => void {
  const { end, open, openLater } = keepConnection(database.pool, async (client) => {
    client.on('notification', ({ channel, payload }) =>
      channel === CANCELLED_CHANNEL ? onCancelled() : onJob(payload),
    );
    await client.query(`listen ${ENQUEUED_CHANNEL}; listen ${CANCELLED_CHANNEL}`);
    onJob();
    onCancelled();
  });
  void open().catch(openLater);
  return end;
}

/** Runs a task at an interval, one run at a time. Errors are reported elsewhere. */
function every(milliseconds: number, task: () => Promise<unknown>): NodeJS.Timeout {
  let running: Promise<unknown> | null = null;
  return setInterval(() => {
    running ??= task()
      .catch(() => undefined)
      .finally(() => (running = null));
  }, milliseconds).unref();
}

export function createJobs({
  database,
  log,
  quarantineTimes = QUARANTINE_TIMES,
  heartbeatMs = HEARTBEAT_MS,
  observer = createObserver(),
}: {
  database: Database;
  log: DatabaseLog;
  quarantineTimes?: typeof QUARANTINE_TIMES;
  heartbeatMs?: number;
  observer?: Pick<Observer, 'job'>;
}) {
  const store = createJobStore(database);
  const definitions = new Map<string, QueueDefinition<object>>();
  const runners = new Map<string, QueueRunner>();
  const quarantine = createJobQuarantine(store, runners, quarantineTimes, log);
  const isServer = database.kind === 'server';
  let timers: NodeJS.Timeout[] = [];
  let stopListening = () => {};

  function wake(queue?: string): void {
    if (queue === undefined) for (const runner of runners.values()) runner.wake();
    else runners.get(queue)?.wake();
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
    const count = await store.releaseInterrupted(quarantineTimes.backoff);
    if (count === 0) return;
    log.info(`Interrupted jobs will run again: ${count}.`);
    wake();
    quarantine.start();
  }

  async function abortLost(): Promise<void> {
    const held = [...runners.values()].flatMap((runner) => runner.held());
    if (held.length === 0) return;
    const lost = await store.findLost(held);
    for (const runner of runners.values()) runner.abort(({ id }) => lost.has(id));
  }

  async function heartbeat(): Promise<void> {
    await store.sendHeartbeat();
    await abortLost();
    await releaseInterrupted();
  }

  return {
    define<Data extends object>(queue: string, definition: QueueDefinition<Data>): void {
      // `define` and `enqueue` use the same data type for a queue.
      definitions.set(queue, definition as unknown as QueueDefinition<object>);
    },

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
      await store.cancel(queue, keys);
      const cancelled = new Set(keys);
      runners.get(queue)?.abort(({ key }) => key !== null && cancelled.has(key));
    },

    unfinished: store.unfinished,

    /** Starts to run jobs, and releases those of dead processes, on a database server within 20 seconds. */
    async start(): Promise<void> {
      await store.sendHeartbeat();
      await store.deleteOldFailed();
      const pollMs = isServer ? SERVER_POLL_MS : EMBEDDED_POLL_MS;
      for (const [queue, definition] of definitions) {
        const options = { store, log, observer, pollMs };
        runners.set(queue, createQueueRunner(queue, definition, options));
      }
      await releaseInterrupted();
      timers = [every(HOUR_MS, store.deleteOldFailed)];
      if (isServer) {
        timers.push(every(heartbeatMs, heartbeat));
        stopListening = listen(database, wake, () => void abortLost().catch(() => undefined));
      }
      wake();
      quarantine.start();
    },

    /** Counts the jobs of each queue, including 0 waiting jobs of empty ones. */
    async counts(): Promise<JobCount[]> {
      const counts = await store.counts();
      const waiting = new Set(counts.map(({ queue, state }) => `${state} ${queue}`));
      const empty = [...definitions.keys()].filter((queue) => !waiting.has(`waiting ${queue}`));
      const noJobs = { state: 'waiting', count: 0, oldestSeconds: 0 } as const;
      return [...counts, ...empty.map((queue) => ({ queue, ...noJobs }))];
    },

    /** Claims no more jobs. Running ones get `graceSeconds` to end. */
    drain(graceSeconds: number): void {
      void quarantine.stop();
      for (const runner of runners.values()) void runner.stop(graceSeconds * 1000);
    },

    /**
     * Stops running jobs. If `graceful`, they get `graceSeconds` to end before their signal is aborted.
     * Interrupted attempts do not count.
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
      await store.unregister().catch(() => undefined);
    },

    /** Resolves when no job waits or runs in any process. */
    async onIdle(): Promise<void> {
      const queues = [...definitions.keys()].filter((queue) => !definitions.get(queue)?.recurring);
      const isQuiet = () => queues.every((queue) => runners.get(queue)?.isQuiet() ?? true);
      const isBusy = () => store.hasUnfinished(queues).catch(() => true);
      while (!isQuiet() || (await isBusy())) await sleep(IDLE_POLL_MS);
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;

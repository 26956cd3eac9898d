import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from './jobs.ts';

export interface ScheduledTask {
  name: string;
  everyMs: number;
  /** Whether it also runs at startup, if no other server uses the database. */
  atStart?: boolean;
  /** Should end early when aborted. Errors are logged. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** Short, for servers that are often restarted. */
const FIRST_DELAY_MS = 5 * 60_000;
const MAX_RUN_SECONDS = 6 * 3600;

/** Runs tasks at an interval, each in one process at a time, as jobs that enqueue their next run. */
export function createScheduledTasks({
  jobs,
  queue,
  tasks,
  log,
  firstDelayMs = FIRST_DELAY_MS,
  hasOtherServers,
}: {
  jobs: Jobs;
  queue: string;
  tasks: readonly ScheduledTask[];
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Milliseconds from the first start on a database to the first run. */
  firstDelayMs?: number;
  hasOtherServers: boolean;
}) {
  const enqueueIn = (milliseconds: number, name: string): Promise<void> =>
    jobs.enqueue(queue, { name }, { key: name, startAfter: new Date(Date.now() + milliseconds) });

  const enqueueNext = async ({ name }: { name: string }): Promise<void> => {
    const task = tasks.find((candidate) => candidate.name === name);
    // The task may belong to another version of Engram.
    if (task) await enqueueIn(task.everyMs, name);
  };

  jobs.define<{ name: string }>(queue, {
    concurrency: 1,
    timeoutSeconds: MAX_RUN_SECONDS,
    retryLimit: 0,
    retryDelaySeconds: 0,
    recurring: true,
    async handler({ data, signal }) {
      await tasks
        .find(({ name }) => name === data.name)
        ?.run(signal)
        .catch((err: unknown) => log.error({ err, task: data.name }, 'a scheduled task failed'));
      if (!signal.aborted) await enqueueNext(data);
    },
    onFailed: enqueueNext,
  });

  return {
    async start(): Promise<void> {
      for (const { name, atStart = false } of tasks) {
        if (atStart && !hasOtherServers) await jobs.enqueue(queue, { name }, { key: name });
        else await enqueueIn(firstDelayMs, name);
      }
    },
  };
}

import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from './jobs.ts';

export interface RegularTask {
  name: string;
  everyMs: number;
  /** Whether it also runs when a server starts that is alone on its database. */
  atStart?: boolean;
  /** Ends early when aborted. An error is logged, and the next run comes as scheduled. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** The first runs come soon after the first start, also if the server never runs for long. */
const FIRST_AFTER_MS = 5 * 60_000;
const LONGEST_RUN_SECONDS = 6 * 3600;

/** Regular work of one process at a time: each task is a job that adds its next run. */
export function createRegular({
  jobs,
  queue,
  tasks,
  log,
  firstAfterMs = FIRST_AFTER_MS,
  besideOthers,
}: {
  jobs: Jobs;
  queue: string;
  tasks: readonly RegularTask[];
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Milliseconds from the first start on a database to the first run. */
  firstAfterMs?: number;
  besideOthers: boolean;
}) {
  const enqueueIn = (milliseconds: number, name: string): Promise<void> =>
    jobs.enqueue(queue, { name }, { key: name, startAfter: new Date(Date.now() + milliseconds) });

  const enqueueNext = async ({ name }: { name: string }): Promise<void> => {
    const task = tasks.find((each) => each.name === name);
    // A task may belong to a newer or older version.
    if (task) await enqueueIn(task.everyMs, name);
  };

  jobs.define<{ name: string }>(queue, {
    concurrency: 1,
    timeoutSeconds: LONGEST_RUN_SECONDS,
    retryLimit: 0,
    retryDelaySeconds: 0,
    recurring: true,
    async handler({ data, signal }) {
      await tasks
        .find(({ name }) => name === data.name)
        ?.run(signal)
        .catch((err: unknown) => log.error({ err, task: data.name }, 'a regular task failed'));
      if (!signal.aborted) await enqueueNext(data);
    },
    onFailed: enqueueNext,
  });

  return {
    async start(): Promise<void> {
      for (const { name, atStart = false } of tasks) {
        if (atStart && !besideOthers) await jobs.enqueue(queue, { name }, { key: name });
        else await enqueueIn(firstAfterMs, name);
      }
    },
  };
}

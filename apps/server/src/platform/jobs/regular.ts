import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from './jobs.ts';

/** Work that is done again and again. */
export interface RegularTask {
  /** Names it in the queue. */
  name: string;
  /** Milliseconds from the end of one run to the next. */
  everyMs: number;
  /** Whether it is also due when a server starts that is alone on its database. */
  atStart?: boolean;
  /** Does it; ends early when it is aborted. What it throws is logged, and the next run comes as ever. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface RegularOptions {
  jobs: Jobs;
  /** A queue of their own: they run one after the other. */
  queue: string;
  tasks: readonly RegularTask[];
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Milliseconds from the first start on a database to the first run. */
  firstAfterMs: number;
  /** Whether other servers may be on the database. */
  besideOthers: boolean;
}

/** For how long one run may go on, in seconds. */
const LONGEST_RUN_SECONDS = 6 * 3600;

/**
 * Regular work of one process at a time, whatever number there is: each task is a job, of which only
 * one can wait, and which adds the next one when it has ended.
 */
export function createRegular(options: RegularOptions) {
  const { jobs, queue, tasks, log, firstAfterMs, besideOthers } = options;

  const enqueueIn = (milliseconds: number, name: string): Promise<void> =>
    jobs.enqueue(queue, { name }, { key: name, startAfter: new Date(Date.now() + milliseconds) });

  const enqueueNext = async ({ name }: { name: string }): Promise<void> => {
    const task = tasks.find((each) => each.name === name);
    // One that a newer version has, or an older one had, is not for this server.
    if (task) await enqueueIn(task.everyMs, name);
  };

  return {
    async define(): Promise<void> {
      await jobs.define<{ name: string }>(queue, {
        concurrency: 1,
        timeoutSeconds: LONGEST_RUN_SECONDS,
        retryLimit: 0,
        retryDelaySeconds: 0,
        recurring: true,
        async handler({ data, signal }) {
          await tasks
            .find(({ name }) => name === data.name)
            ?.run(signal)
            .catch((err: unknown) => log.error({ err, task: data.name }, 'the upkeep failed'));
          if (!signal.aborted) await enqueueNext(data);
        },
        onFailed: enqueueNext,
      });
    },

    /** Makes the first run of each task due. */
    async start(): Promise<void> {
      for (const { name, atStart = false } of tasks) {
        await enqueueIn(firstAfterMs, name);
        if (atStart && !besideOthers) await jobs.retryNow(queue, name);
      }
    },
  };
}

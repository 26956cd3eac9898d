import type { FastifyBaseLogger } from 'fastify';

/** What is done in a round, one after the other. */
export type RoundTask = () => Promise<unknown>;

export interface RoundsOptions {
  log: FastifyBaseLogger;
  /** Milliseconds from the start to the first round. */
  firstAfterMs: number;
  /** Milliseconds between two rounds. */
  everyMs: number;
}

/** Regular upkeep: rounds of tasks that follow each other, and end when the server stops. */
export function createRounds({ log, firstAfterMs, everyMs }: RoundsOptions) {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const run = (tasks: readonly RoundTask[]): void => {
    running = running
      .then(async () => {
        for (const task of tasks) if (!closing.signal.aborted) await task();
      })
      .catch((error: unknown) => log.error({ err: error }, 'the upkeep failed'));
  };

  return {
    /** Aborted when the server stops: a long task ends soon. */
    signal: closing.signal,

    /** Does some tasks at once, and all of a round's as often as is set. */
    start(atOnce: readonly RoundTask[], round: readonly RoundTask[]): void {
      run(atOnce);
      timer = setTimeout(() => {
        run(round);
        timer = setInterval(() => run(round), everyMs).unref();
      }, firstAfterMs).unref();
    },

    async close(): Promise<void> {
      // Either kind of timer.
      clearTimeout(timer);
      closing.abort();
      await running;
    },
  };
}

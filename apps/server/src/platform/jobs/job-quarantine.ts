import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import type { JobStore } from './job-store.ts';
import type { QueueRunner } from './queue-runner.ts';

export interface QuarantineTimes {
  /** From the start of the process until the first quarantined job runs. Doubles with each of its runs. */
  backoff: number;
  /** For the other running jobs to end, before they are put back into their queues. */
  drain: number;
  /** How long a job runs alone. If the process survives it, the job continues beside others. */
  isolation: number;
}

export const QUARANTINE_TIMES: QuarantineTimes = { backoff: 10, drain: 30, isolation: 60 };

/** Runs alone the jobs that were interrupted often, as one of them may have ended the process. */
export function createJobQuarantine(
  store: JobStore,
  runners: ReadonlyMap<string, QueueRunner>,
  times: QuarantineTimes,
  log: DatabaseLog,
) {
  const stopping = new AbortController();
  let work = Promise.resolve();

  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: stopping.signal, ref: false });

  const isAnotherJobDue = async (): Promise<boolean> => {
    for (const name of runners.keys()) {
      if (((await store.millisecondsToNext(name, [])) ?? 1) <= 0) return true;
    }
    return false;
  };

  /** Runs the next job. False if there is none, or it continues beside others. */
  async function runNext(): Promise<boolean> {
    const job = await store.claimAlone([...runners.keys()]);
    const runner = runners.get(job?.name ?? '');
    if (!job || !runner) return false;
    if (stopping.signal.aborted) {
      await store.putBack(job.name, job);
      return false;
    }
    log.info(
      `A job of the queue ${job.name} that the end of Engram has interrupted often runs alone: ${job.key ?? job.id}.`,
    );
    const timer = new AbortController();
    const ended = runner.run(job).then(() => true);
    const survived = sleep(times.isolation * 1000, false, { signal: timer.signal });
    const hasEnded = await Promise.race([ended, survived]).finally(() => timer.abort());
    if (!hasEnded) await store.processes.resetInterruptions(job.name, job);
    return hasEnded;
  }

  /** Runs the jobs that are due, while the others of this process are held back. */
  async function runDue(): Promise<void> {
    const until = performance.now() + times.isolation * 1000;
    await Promise.all([...runners.values()].map((runner) => runner.stop(times.drain * 1000)));
    try {
      while (!stopping.signal.aborted && (await runNext())) {
        if (performance.now() >= until && (await isAnotherJobDue())) return;
      }
    } finally {
      if (!stopping.signal.aborted) for (const runner of runners.values()) runner.resume();
    }
  }

  async function runAll(): Promise<void> {
    for (;;) {
      const wait = await store.millisecondsToNextAlone([...runners.keys()]);
      // Further jobs come only when a process has ended again.
      if (wait === null) return;
      await pause(Math.max(wait, 0) + 1);
      const startedAt = performance.now();
      await runDue();
      // Other jobs get as much time as they were held back.
      await pause(performance.now() - startedAt);
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await runAll();
      } catch (error) {
        if (stopping.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        log.error(`A job that was interrupted often could not be run: ${message}`);
        await pause(times.isolation * 1000).catch(() => undefined);
      }
    }
  }

  return {
    /** Looks for such jobs, after any earlier look has ended. */
    start(): void {
      work = work.then(runUntilStopped);
    },

    /** Starts no further job, and resolves when none runs. The runner of its queue ends it. */
    async stop(): Promise<void> {
      stopping.abort();
      await work;
    },
  };
}

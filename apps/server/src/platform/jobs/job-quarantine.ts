import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import { messageOf } from '../database/query-error.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';
import type { QueueRunner } from './queue-runner.ts';

interface QuarantineTimes {
  /** The delay before a quarantined job runs. It doubles with each run. */
  backoff: number;
  /** How long other running jobs may take to end, before they are put back into their queues. */
  drain: number;
  /** How long a job runs alone. If the process survives, the job continues in parallel with others. */
  isolation: number;
}

export const QUARANTINE_TIMES: QuarantineTimes = { backoff: 10, drain: 30, isolation: 60 };

/** Runs frequently interrupted jobs alone, because one of them may have crashed the process. */
export function createJobQuarantine(
  store: JobStore,
  runners: ReadonlyMap<string, QueueRunner>,
  { drain, isolation }: QuarantineTimes,
  log: DatabaseLog,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastRun = Promise.resolve();

  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal, ref: false });

  /** Returns whether the job ended. Otherwise the process has survived, and the job continues. */
  async function runAlone(queue: string, runner: QueueRunner, job: ClaimedJob): Promise<boolean> {
    log.info(
      `A frequently interrupted job of the queue ${queue} runs alone: ${job.key ?? job.id}.`,
    );
    const timer = new AbortController();
    const hasEnded = await Promise.race([
      runner.run(job).then(() => true),
      sleep(isolation * 1000, false, { signal: timer.signal }),
    ]);
    timer.abort();
    if (!hasEnded) await store.resetInterruptions(job);
    return hasEnded;
  }

  async function runDue(): Promise<void> {
    const endsAt = performance.now() + isolation * 1000;
    for (const [queue, runner] of runners) {
      for (;;) {
        const job = await runner.claimQuarantined();
        if (!job) break;
        if (signal.aborted) return store.putBack([job]);
        if (!(await runAlone(queue, runner, job)) || performance.now() >= endsAt) return;
      }
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      try {
        const wait = await store.millisecondsToNextQuarantined([...runners.keys()]);
        // Jobs are quarantined only when a process has ended.
        if (wait === null) return;
        await pause(Math.max(wait, 0) + 1);
        const startedAt = performance.now();
        await Promise.all([...runners.values()].map((runner) => runner.stop(drain * 1000)));
        await runDue().finally(() => {
          if (!signal.aborted) for (const runner of runners.values()) runner.resume();
        });
        // Other jobs run for as long as they were paused.
        await pause(performance.now() - startedAt);
      } catch (error) {
        if (signal.aborted) return;
        const message = error instanceof Error ? messageOf(error) : String(error);
        log.error(`A frequently interrupted job could not be run: ${message}`);
        await pause(isolation * 1000).catch(() => undefined);
      }
    }
  }

  return {
    /** Runs quarantined jobs, after an earlier call has ended. */
    start(): void {
      lastRun = lastRun.then(runUntilStopped);
    },

    /** Starts no further job, and resolves when none runs. Queue runners end running jobs. */
    async stop(): Promise<void> {
      stopping.abort();
      await lastRun;
    },
  };
}

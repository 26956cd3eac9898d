import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseLog } from '../database/database.ts';
import type { JobStore } from './job-store.ts';
import type { QueueRunner } from './queue-runner.ts';

/** Times of what runs alone, in seconds. */
export interface LoneTimes {
  /** From a start until a job that was interrupted often runs; twice as long after each time it ran alone. */
  quiet: number;
  /** Given to the other running jobs to end, before they are put back to wait. */
  patience: number;
  /** For how long a job runs alone: what the process has lived with so long goes on beside others. */
  alone: number;
}

export const LONE_TIMES: LoneTimes = { quiet: 10, patience: 30, alone: 60 };

export interface LoneTurnsOptions {
  store: JobStore;
  runners: ReadonlyMap<string, QueueRunner>;
  times: LoneTimes;
  log: DatabaseLog;
}

/** Runs by themselves the jobs that the end of a process has interrupted often: one of them may be why. */
export interface LoneTurns {
  /** Looks for them, once it has ended looking for earlier ones. */
  start(): void;
  /** Begins no more; resolves once none runs, which the runner of its queue sees to. */
  stop(): Promise<void>;
}

/** Creates the turns of one process; nothing happens before their start. */
export function createLoneTurns({ store, runners, times, log }: LoneTurnsOptions): LoneTurns {
  const stopping = new AbortController();
  let turns = Promise.resolve();

  const all = (): QueueRunner[] => [...runners.values()];

  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: stopping.signal, ref: false });

  const somethingElseIsDue = async (): Promise<boolean> => {
    for (const name of runners.keys()) {
      if (((await store.millisecondsToNext(name, [])) ?? 1) <= 0) return true;
    }
    return false;
  };

  /** Runs the next one; answers false when there is none, or it goes on beside others. */
  async function runNext(): Promise<boolean> {
    const job = await store.claimAlone([...runners.keys()]);
    const runner = runners.get(job?.name ?? '');
    if (!job || !runner) return false;
    if (stopping.signal.aborted) {
      await store.giveBack(job.name, job);
      return false;
    }
    log.info(
      `A job of the queue ${job.name} that the end of Engram has interrupted often runs alone: ${job.key ?? job.id}.`,
    );
    const enough = new AbortController();
    const ended = runner.run(job).then(() => true);
    const lived = sleep(times.alone * 1000, false, { signal: enough.signal });
    const hasEnded = await Promise.race([ended, lived]).finally(() => enough.abort());
    if (!hasEnded) await store.processes.acquit(job.name, job);
    return hasEnded;
  }

  /** Runs those that are due, for as long as others may be kept waiting. */
  async function takeTurn(): Promise<void> {
    const until = performance.now() + times.alone * 1000;
    await Promise.all(all().map((runner) => runner.stop(times.patience * 1000)));
    try {
      do {
        if (stopping.signal.aborted || !(await runNext())) return;
      } while (performance.now() < until || !(await somethingElseIsDue()));
    } finally {
      if (!stopping.signal.aborted) for (const runner of all()) runner.resume();
    }
  }

  /** Waits for the next turn, takes it, and answers whether there may be another one. */
  async function awaitTurn(): Promise<boolean> {
    const wait = await store.millisecondsToNextAlone([...runners.keys()]);
    // When none is left, there is nothing more to look for until a process ends again.
    if (wait === null) return false;
    await pause(Math.max(wait, 0) + 1);
    const startedAt = performance.now();
    await takeTurn();
    // Others get as long as they were kept waiting.
    await pause(performance.now() - startedAt);
    return true;
  }

  async function takeTurns(): Promise<void> {
    for (let more = true; more && !stopping.signal.aborted;) {
      more = await awaitTurn().catch(async (error: unknown) => {
        if (stopping.signal.aborted) return false;
        const message = error instanceof Error ? error.message : String(error);
        log.error(`What was interrupted often could not be run: ${message}`);
        await pause(times.alone * 1000).catch(() => undefined);
        return true;
      });
    }
  }

  return {
    start() {
      turns = turns.then(takeTurns);
    },
    async stop() {
      stopping.abort();
      await turns;
    },
  };
}

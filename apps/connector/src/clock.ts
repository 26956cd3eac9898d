import { setTimeout as wait } from 'node:timers/promises';

/** The time and timers. Tests use their own. */
export interface Clock {
  now(): number;
  /** Rejects with the signal's reason if it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    // A longer wait would end immediately.
    await wait(Math.min(Math.max(ms, 0), 2_147_483_647), null, signal ? { signal } : {});
  },
};

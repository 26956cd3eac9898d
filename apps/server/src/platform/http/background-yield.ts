import { setTimeout as sleep } from 'node:timers/promises';

/** Delays the steps of background work while requests are served, as both share one event loop. */
export function createBackgroundYield() {
  let served = 0;
  let quiet = Promise.withResolvers<void>();

  return {
    begin(): () => void {
      served += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        served -= 1;
        if (served > 0) return;
        quiet.resolve();
        quiet = Promise.withResolvers();
      };
    },

    async yieldToRequests(maxWaitMs: number): Promise<void> {
      if (served === 0) return;
      await Promise.race([quiet.promise, sleep(maxWaitMs, undefined, { ref: false })]);
    },
  };
}

export type BackgroundYield = ReturnType<typeof createBackgroundYield>;

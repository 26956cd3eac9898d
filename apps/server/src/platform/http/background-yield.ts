import { setTimeout as sleep } from 'node:timers/promises';

/** Delays background work while requests are served, because both share one event loop. */
export function createBackgroundYield() {
  let active = 0;
  let idle = Promise.withResolvers<void>();

  return {
    begin(): () => void {
      active += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        active -= 1;
        if (active > 0) return;
        idle.resolve();
        idle = Promise.withResolvers();
      };
    },

    async yieldToRequests(maxWaitMs: number): Promise<void> {
      if (active === 0) return;
      await Promise.race([idle.promise, sleep(maxWaitMs, undefined, { ref: false })]);
    },
  };
}

export type BackgroundYield = ReturnType<typeof createBackgroundYield>;

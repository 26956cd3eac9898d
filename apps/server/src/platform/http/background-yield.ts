/** Lets background work wait while calls of users are served. */
export interface BackgroundYield {
  /** Counts a call that a user waits for. The function that it returns ends it, and may be called twice. */
  begin(): () => void;
  /** Resolves when no call is served, or after `maxWaitMs` milliseconds. */
  yieldToRequests(maxWaitMs: number): Promise<void>;
}

/**
 * A call takes several steps in one event loop and one database, and each would wait for the
 * background work in between. Background work calls `yieldToRequests` before each of its steps.
 */
export function createBackgroundYield(): BackgroundYield {
  let served = 0;
  let quiet = Promise.withResolvers<void>();

  return {
    begin() {
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

    async yieldToRequests(maxWaitMs) {
      if (served === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxWaitMs);
      });
      await Promise.race([quiet.promise, enough]);
      clearTimeout(timer);
    },
  };
}

/**
 * Lets background work wait while calls of users are served: they share one event loop and one database.
 * Background work calls `yieldToRequests` before each of its steps.
 */
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
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxWaitMs);
      });
      await Promise.race([quiet.promise, enough]);
      clearTimeout(timer);
    },
  };
}

export type BackgroundYield = ReturnType<typeof createBackgroundYield>;

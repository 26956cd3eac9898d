/** Lets work in the background step back while somebody waits for an answer. */
export interface Courtesy {
  /** Counts a call that a person waits for; answers what ends that, and may be called again. */
  begin(): () => void;
  /** Resolves when nobody waits, and after `patienceMs` milliseconds at the latest. */
  stepBack(patienceMs: number): Promise<void>;
}

/**
 * A call takes several steps in one event loop and one database, and each step would wait for what
 * the background does in between. Whoever works there asks before each piece of it.
 */
export function createCourtesy(): Courtesy {
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

    async stepBack(patienceMs) {
      if (served === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([quiet.promise, enough]);
      clearTimeout(timer);
    },
  };
}

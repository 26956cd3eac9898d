import type { Clock } from '../../platform/clock.ts';

export interface PaceOptions {
  clock: Clock;
  /** Seconds until the next task may begin; 0 when it may now, and then it counts as begun. */
  mayBegin: () => Promise<number>;
  /** Tasks that may wait for their turn. */
  mostWaiting: number;
}

/** Runs tasks one after the other and not too often; answers null where too many wait already. */
export function createPace({ clock, mayBegin, mostWaiting }: PaceOptions) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function turn(): Promise<void> {
    for (;;) {
      const seconds = await mayBegin();
      if (seconds <= 0) break;
      const ms = Math.ceil(seconds * 1000);
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
    }
    waiting -= 1;
  }

  return <T>(task: () => Promise<T>): Promise<T> | null => {
    if (waiting >= mostWaiting) return null;
    waiting += 1;
    const result = last.then(turn).then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

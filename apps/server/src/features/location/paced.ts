import type { Clock } from '../../platform/clock.ts';

export interface PaceOptions {
  clock: Clock;
  /** From the start of one task to that of the next, in milliseconds. */
  intervalMs: number;
  /** Tasks that may wait for their turn. */
  mostWaiting: number;
}

/** Runs tasks one after the other and not too often; answers null where too many wait already. */
export function createPace({ clock, intervalMs, mostWaiting }: PaceOptions) {
  let last: Promise<unknown> = Promise.resolve();
  let nextAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;

  async function turn(): Promise<void> {
    const ms = nextAt - clock.now();
    if (ms > 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms));
    nextAt = clock.now() + intervalMs;
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

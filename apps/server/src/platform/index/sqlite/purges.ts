import type { Clock } from '../../clock.ts';

/** Where failures go that no caller waits for; Fastify's log fits. */
export interface PurgeLog {
  warn(details: object, message: string): void;
}

export interface PurgeOptions {
  clock: Clock;
  log: PurgeLog;
  /** Takes a little off the disk; answers whether there is more. */
  step: (userId: string) => Promise<boolean | undefined>;
}

/** A purge waits until nothing of a person was removed for so long: many removals share one. */
const IDLE_MS = 5000;
/** Where a reader is in the way of the last step, it is tried again this often at most. */
const MOST_STEPS = 20_000;

/** Takes what was removed off the disk, some time after it was removed. */
export function createPurges({ clock, log, step }: PurgeOptions) {
  const waiting = new Map<string, unknown>();
  const closing = new AbortController();

  function forget(userId: string): void {
    clock.clearTimeout(waiting.get(userId));
    waiting.delete(userId);
  }

  async function now(userId: string): Promise<void> {
    forget(userId);
    for (let steps = 0; steps < MOST_STEPS && !closing.signal.aborted; steps += 1) {
      if (!(await step(userId))) return;
    }
  }

  return {
    forget,
    now,

    soon(userId: string): void {
      forget(userId);
      if (closing.signal.aborted) return;
      const start = () => {
        now(userId).catch((err: unknown) => {
          log.warn({ err, userId }, 'removed rows are still on the disk');
        });
      };
      waiting.set(userId, clock.setTimeout(start, IDLE_MS));
    },

    close(): void {
      closing.abort();
      for (const userId of waiting.keys()) forget(userId);
    },
  };
}

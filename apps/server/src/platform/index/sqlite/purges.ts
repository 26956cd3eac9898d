import type { Clock } from '../../clock.ts';

/** Logs failures for which no caller waits. */
export interface PurgeLog {
  warn(details: object, message: string): void;
}

/** A purge waits until nothing of a user was removed for this time, in milliseconds. */
const IDLE_MS = 5000;
const MAX_STEPS = 20_000;

/**
 * Deletes removed rows from the disk, some time after they were removed.
 * @param step deletes some bytes, and returns whether there is more
 */
export function createPurges(
  clock: Clock,
  log: PurgeLog,
  step: (userId: string) => Promise<boolean | undefined>,
) {
  const waiting = new Map<string, unknown>();
  const closing = new AbortController();

  function forget(userId: string): void {
    clock.clearTimeout(waiting.get(userId));
    waiting.delete(userId);
  }

  async function now(userId: string): Promise<void> {
    forget(userId);
    for (let steps = 0; steps < MAX_STEPS && !closing.signal.aborted; steps += 1) {
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

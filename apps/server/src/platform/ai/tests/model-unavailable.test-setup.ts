import type { Clock } from '../../clock.ts';
import { ModelUnavailable } from '../model-unavailable.ts';

/** Waits up to this long are pauses, longer ones are timeouts. */
export const LONGEST_PAUSE_MS = 5000;

/** A requested wait. A long one ends when a test calls `run`. */
export interface Wait {
  milliseconds: number;
  run: () => void;
}

/** A clock on which pauses between retries end immediately, and timeouts when a test ends them. */
export function createClock(): { clock: Clock; waits: Wait[] } {
  const waits: Wait[] = [];
  const clock: Clock = {
    now: () => 0,
    setTimeout(run, milliseconds) {
      const wait = { milliseconds, run };
      waits.push(wait);
      if (milliseconds <= LONGEST_PAUSE_MS) queueMicrotask(run);
      return wait;
    },
    clearTimeout: () => undefined,
  };
  return { clock, waits };
}

/** The error of a call. Fails if the call succeeds. */
export async function failure(promise: Promise<unknown>): Promise<ModelUnavailable> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelUnavailable))
    throw new Error('The call succeeded.', { cause: error });
  return error;
}

import type { Clock } from '../../clock.ts';
import { ModelUnavailable } from '../model-unavailable.ts';

/** Waits up to this are pauses, longer ones are time limits. */
export const LONGEST_PAUSE_MS = 5000;

/** A wait that was asked for; a long one ends when a test calls `run`. */
export interface Wait {
  milliseconds: number;
  run: () => void;
}

/** A clock on which pauses between two tries are over at once, and time limits when a test says so. */
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

/** What a call fails with; fails itself when the call answers. */
export async function failure(promise: Promise<unknown>): Promise<ModelUnavailable> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelUnavailable)) throw new Error('It answered.', { cause: error });
  return error;
}

import type { Clock } from '../clock.ts';

const FAILURES_UNTIL_PAUSE = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Calls a function with a signal that is aborted by the caller's signal, or with `late` after a timeout.
 * @throws the reason of the signal, `late`, or the error of the call
 */
export async function withDeadline<T>(
  clock: Clock,
  { milliseconds, late, caller }: { milliseconds: number; late: Error; caller?: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const signal = AbortSignal.any([deadline.signal, ...(caller ? [caller] : [])]);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  const timer = clock.setTimeout(() => deadline.abort(late), milliseconds);
  try {
    signal.throwIfAborted();
    return await Promise.race([call(signal), aborted.promise]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Calls a model within `limitMs`. Questions can also be answered without it. */
export function createTimeBudget({
  clock,
  limitMs,
  onFailure,
}: {
  clock: Clock;
  limitMs: number;
  onFailure: (error: unknown) => void;
}) {
  let failures = 0;
  let pauseEnds = 0;
  let isLate = false;

  return {
    isLate: (): boolean => isLate,

    /** The result of a call; the fallback if it fails, takes too long, or calls are paused. */
    async run<T>(fallback: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (clock.now() < pauseEnds) return fallback;
      const late = new Error('The model took too long.');
      try {
        const result = await withDeadline(clock, { milliseconds: limitMs, late }, work);
        failures = 0;
        isLate = false;
        return result;
      } catch (error) {
        isLate = error === late;
        failures += 1;
        if (failures >= FAILURES_UNTIL_PAUSE) {
          const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - FAILURES_UNTIL_PAUSE);
          pauseEnds = clock.now() + Math.min(LONGEST_PAUSE_MS, pauseMs);
        }
        if (!isLate) onFailure(error);
        return fallback;
      }
    },
  };
}

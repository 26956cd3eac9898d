import type { Clock } from '../clock.ts';

const MAX_FAILURES = 3;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** Settles like the promise, or rejects with the signal's reason once it is aborted. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** @throws the signal's reason */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, milliseconds);
  await orAborted(promise, signal).finally(() => clock.clearTimeout(timer));
}

/**
 * Calls a function with a signal that the caller or a timeout aborts, the latter with `late`.
 * @throws the signal's reason, or the error of the call
 */
export async function withDeadline<T>(
  clock: Clock,
  { milliseconds, late, caller }: { milliseconds: number; late: Error; caller?: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const signal = AbortSignal.any([deadline.signal, ...(caller ? [caller] : [])]);
  const timer = clock.setTimeout(() => deadline.abort(late), milliseconds);
  try {
    signal.throwIfAborted();
    return await orAborted(call(signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Calls a model that is optional for answers within `limitMs`. */
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

    /** The result of a call, or the fallback if it fails, takes too long, or calls are paused. */
    async run<T>(fallback: T, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (clock.now() < pauseEnds) return fallback;
      const late = new Error('The model took too long.');
      try {
        const result = await withDeadline(clock, { milliseconds: limitMs, late }, call);
        failures = 0;
        isLate = false;
        return result;
      } catch (error) {
        isLate = error === late;
        failures += 1;
        if (failures >= MAX_FAILURES) {
          const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - MAX_FAILURES);
          pauseEnds = clock.now() + Math.min(MAX_PAUSE_MS, pauseMs);
        }
        if (!isLate) onFailure(error);
        return fallback;
      }
    },
  };
}

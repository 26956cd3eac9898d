import { withTimeout } from '../clock.ts';

/** Caches a value for `cacheMs`. Throws if reading takes longer than `timeoutMs`. */
export function createCached<T>(
  read: () => Promise<T>,
  cacheMs: number,
  timeoutMs: number,
  now: () => Date,
): () => Promise<T> {
  let reading: Promise<T> | null = null;
  let cached: { readMs: number; value: Promise<T> } | null = null;

  return async () => {
    const nowMs = now().getTime();
    if (cached === null || Math.abs(nowMs - cached.readMs) >= cacheMs) {
      reading ??= read().finally(() => {
        reading = null;
      });
      cached = { readMs: nowMs, value: reading };
    }
    return withTimeout(cached.value, timeoutMs, `No response within ${timeoutMs} ms.`);
  };
}

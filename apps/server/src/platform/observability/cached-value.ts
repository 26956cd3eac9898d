import { withTimeout } from '../clock.ts';

/** Caches a value for `cacheMs`. The function throws an Error if reading takes longer than `timeoutMs`. */
export function createCached<T>(
  read: () => Promise<T>,
  cacheMs: number,
  timeoutMs: number,
  now: () => Date,
): () => Promise<T> {
  let open: Promise<T> | null = null;
  let cached: { at: number; value: Promise<T> } | null = null;

  return async () => {
    const at = now().getTime();
    if (cached === null || Math.abs(at - cached.at) >= cacheMs) {
      open ??= read().finally(() => {
        open = null;
      });
      cached = { at, value: open };
    }
    return withTimeout(cached.value, timeoutMs, `There was no answer within ${timeoutMs} ms.`);
  };
}

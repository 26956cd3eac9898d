import { withTimeout } from '../clock.ts';

/** Caches what a source answers for `cacheMs` milliseconds. Concurrent requests share one. */
export function createCached<T>(read: () => Promise<T>, cacheMs: number, now: () => Date) {
  let open: Promise<T> | null = null;
  let cached: { at: number; value: Promise<T> } | null = null;

  const value = (): Promise<T> => {
    const at = now().getTime();
    if (cached !== null && Math.abs(at - cached.at) < cacheMs) return cached.value;
    open ??= read().finally(() => {
      open = null;
    });
    cached = { at, value: open };
    return open;
  };

  return {
    /** The answer. @throws Error if the source takes longer than `ms` milliseconds */
    async within(ms: number): Promise<T> {
      return withTimeout(value(), ms, `There was no answer within ${ms} ms.`);
    },
  };
}

export type Cached<T> = ReturnType<typeof createCached<T>>;

/**
 * Caches what a source answers. A request that is under way is not repeated.
 * @param keptMs lifetime of an answer, in milliseconds
 */
export function createKept<T>({
  read,
  keptMs,
  now,
}: {
  read: () => Promise<T>;
  keptMs: number;
  now: () => Date;
}) {
  let open: Promise<T> | null = null;
  let kept: { at: number; value: Promise<T> } | null = null;

  const value = (): Promise<T> => {
    const at = now().getTime();
    if (kept !== null && Math.abs(at - kept.at) < keptMs) return kept.value;
    open ??= read().finally(() => {
      open = null;
    });
    kept = { at, value: open };
    return open;
  };

  return {
    /** The answer. @throws Error if the source takes longer than `ms` milliseconds */
    async within(ms: number): Promise<T> {
      const { promise, reject } = Promise.withResolvers<never>();
      const late = new Error(`There was no answer within ${ms} ms.`);
      const timer = setTimeout(() => reject(late), ms);
      return Promise.race([value(), promise]).finally(() => clearTimeout(timer));
    },
  };
}

export type Kept<T> = ReturnType<typeof createKept<T>>;

export interface KeptOptions<T> {
  read: () => Promise<T>;
  /** How long what was read is good, in milliseconds. */
  keptMs: number;
  now: () => Date;
}

/** What is asked for now and then, by anybody, and is asked of its source much less often. */
export interface Kept<T> {
  /** Answers what is known. @throws Error where the source takes longer than so many milliseconds */
  within(ms: number): Promise<T>;
}

/** Keeps what a source answers; one that has not answered yet is not asked once more. */
export function createKept<T>({ read, keptMs, now }: KeptOptions<T>): Kept<T> {
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
    async within(ms) {
      const { promise, reject } = Promise.withResolvers<never>();
      const late = new Error(`There was no answer within ${ms} ms.`);
      const timer = setTimeout(() => reject(late), ms);
      return Promise.race([value(), promise]).finally(() => clearTimeout(timer));
    },
  };
}

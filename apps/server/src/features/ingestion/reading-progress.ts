/** Percentages at which the stages of a reading end. */
const SHARES = {
  first: 20,
  recognition: 95,
};

/** Minimum time between two reports, in milliseconds. */
const INTERVAL_MS = 500;

/** The progress of one reading, which never decreases. */
export interface ReadingProgress {
  /** 0 to 100 of the first reading. */
  reading(percent: number): void;
  /** The fraction of wants that are met. */
  recognition(fraction: number): void;
  /** 0 to 100 of the last reading. */
  assembly(percent: number): void;
}

/**
 * Combines the stages of a reading into one percentage.
 * @param mayWant whether recognition may follow
 * @param from the progress of an earlier attempt
 */
export function createReadingProgress(
  { mayWant, from = 0 }: { mayWant: boolean; from?: number },
  now: () => number,
  report: (percent: number) => void,
): ReadingProgress {
  let reportedAt = now();
  let shown = from;
  const step = (percent: number): void => {
    if (percent <= shown) return;
    const at = now();
    if (at - reportedAt < INTERVAL_MS) return;
    reportedAt = at;
    shown = percent;
    report(percent);
  };
  const between = (low: number, high: number, fraction: number): number =>
    Math.floor(low + (high - low) * Math.min(1, Math.max(0, fraction)));

  return {
    reading: (percent) => step(between(0, mayWant ? SHARES.first : 100, percent / 100)),
    recognition: (fraction) => step(between(SHARES.first, SHARES.recognition, fraction)),
    assembly: (percent) => step(between(SHARES.recognition, 100, percent / 100)),
  };
}

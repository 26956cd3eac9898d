/** Shares of the way until the text is there, in percent of it. */
const SHARES = {
  /** The first reading of a file that may want more than its own text. */
  first: 20,
  /** Up to the end of the recognition. */
  recognition: 95,
};

/** Least time between two steps that are told, in milliseconds. */
const INTERVAL_MS = 500;

/** How far the reading of one file is; it never goes back. */
export interface ReadingProgress {
  /** Takes 0 to 100 of the reading that finds out what is wanted. */
  reading(percent: number): void;
  /** Takes how many of the wants are met, as a fraction of 1. */
  recognition(fraction: number): void;
  /** Takes 0 to 100 of the reading that puts everything together. */
  assembly(percent: number): void;
}

/**
 * Makes one percentage of the stages of a reading. `mayWant` says whether recognition may follow;
 * `from` is where an earlier try of the same reading stood.
 */
export function createReadingProgress(
  { mayWant, from = 0 }: { mayWant: boolean; from?: number },
  now: () => number,
  tell: (percent: number) => void,
): ReadingProgress {
  let toldAt = now();
  let shown = from;
  const step = (percent: number): void => {
    if (percent <= shown) return;
    const at = now();
    if (at - toldAt < INTERVAL_MS) return;
    toldAt = at;
    shown = percent;
    tell(percent);
  };
  const between = (low: number, high: number, fraction: number): number =>
    Math.floor(low + (high - low) * Math.min(1, Math.max(0, fraction)));

  return {
    reading: (percent) => step(between(0, mayWant ? SHARES.first : 100, percent / 100)),
    recognition: (fraction) => step(between(SHARES.first, SHARES.recognition, fraction)),
    assembly: (percent) => step(between(SHARES.recognition, 100, percent / 100)),
  };
}

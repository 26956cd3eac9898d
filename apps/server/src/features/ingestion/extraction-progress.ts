/** Percentages at which the stages of an extraction end. */
const SHARES = {
  firstExtraction: 20,
  recognition: 95,
};

/** Minimum time between two reports, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Combines the stages of an extraction into one percentage.
 * @param mayNeedRecognition whether recognition may follow
 * @param from the progress of an earlier attempt
 */
export function createExtractionProgress(
  { mayNeedRecognition, from = 0 }: { mayNeedRecognition: boolean; from?: number },
  now: () => number,
  report: (percent: number) => void,
) {
  let reportedAt = now();
  let shown = from;
  const step = (percent: number): void => {
    if (percent <= shown) return;
    const time = now();
    if (time - reportedAt < INTERVAL_MS) return;
    reportedAt = time;
    shown = percent;
    report(percent);
  };
  const between = (low: number, high: number, fraction: number): number =>
    Math.floor(low + (high - low) * Math.min(1, Math.max(0, fraction)));

  return {
    /** @param percent 0 to 100 of the first extraction */
    firstExtraction: (percent: number): void =>
      step(between(0, mayNeedRecognition ? SHARES.firstExtraction : 100, percent / 100)),
    /** @param fraction of the requests that are fulfilled */
    recognition: (fraction: number): void =>
      step(between(SHARES.firstExtraction, SHARES.recognition, fraction)),
    /** @param percent 0 to 100 of the final extraction */
    finalExtraction: (percent: number): void =>
      step(between(SHARES.recognition, 100, percent / 100)),
  };
}

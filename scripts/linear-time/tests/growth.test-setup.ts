/** Work that grows by more than this when its input doubles is not linear. */
export const MAX_GROWTH = 2.5;

/** Processor time below this, in milliseconds, is too short to compare. */
const MEASURABLE = 25;
/** The large input is this many times the small one. */
const SIZE_RATIO = 8;
const MAX_TRIES = 8;

/** Milliseconds of processor time of this thread, which other load hardly changes. */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

interface Measurement {
  /** Sizes of the input. The comparison starts at half of the smallest. */
  from: number;
  to: number;
  measure?: (work: () => unknown) => number;
}

/**
 * How many times work grows when its input doubles; undefined if even the largest input takes too
 * little time. The small input is processed as often as makes the same amount of work as the large one,
 * both several times in turns, and the minimum of each counts: other load then affects both alike.
 */
export function growthOf(
  workOf: (size: number) => () => unknown,
  { from, to, measure = processorTime }: Measurement,
): number | undefined {
  let size = from;
  // The first run is the slowest, since the engine compiles the code.
  workOf(size)();
  while (measure(workOf(size)) < MEASURABLE) {
    if (size * 2 > to) return undefined;
    size *= 2;
  }
  const small = workOf(size / 2);
  const large = workOf((size / 2) * SIZE_RATIO);
  const repeatSmall = (): void => {
    for (let times = 0; times < SIZE_RATIO; times += 1) small();
  };
  let smallMs = measure(repeatSmall);
  let largeMs = Infinity;
  let ratio = Infinity;
  for (let tries = 0; tries < MAX_TRIES && ratio > MAX_GROWTH; tries += 1) {
    smallMs = Math.min(smallMs, measure(repeatSmall));
    largeMs = Math.min(largeMs, measure(large));
    ratio = ((largeMs / smallMs) * SIZE_RATIO) ** (1 / Math.log2(SIZE_RATIO));
  }
  return ratio;
}

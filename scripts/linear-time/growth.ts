/** Work that grows by more than this when its input doubles is not linear. */
export const MOST_GROWTH = 2.5;

/** Milliseconds of the processor that can be told apart: the system counts in steps of up to four. */
const MEASURABLE = 25;
const DOUBLINGS = 2;
const TRIES = 6;

/** Milliseconds of this thread's processor: what else the machine does is not counted. */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How many times work grows at each doubling of its input; undefined where the largest input is no
 * work to speak of. What seems to grow too fast is measured again before it is believed.
 *
 * @param workOf the work over an input of a size, made before it is measured
 */
export function growthOf(
  workOf: (size: number) => () => unknown,
  { from, to }: { from: number; to: number },
): number | undefined {
  let size = from;
  let small = workOf(size);
  // The first time is the slowest: the engine compiles what it runs.
  small();
  let least = processorTime(small);
  while (least < MEASURABLE) {
    if (size * 2 > to) return undefined;
    size *= 2;
    small = workOf(size);
    least = processorTime(small);
  }
  const large = workOf(size * 2 ** DOUBLINGS);
  let most = Infinity;
  let ratio = Infinity;
  for (let tries = 0; tries < TRIES && ratio > MOST_GROWTH; tries += 1) {
    most = Math.min(most, processorTime(large));
    least = Math.min(least, processorTime(small));
    ratio = (most / least) ** (1 / DOUBLINGS);
  }
  return ratio;
}

/** Work that grows by more than this when its input doubles is not linear. */
export const MOST_GROWTH = 2.5;

/** Milliseconds of the processor that can be told apart: the system counts in steps of up to four. */
const MEASURABLE = 25;
/** Between the small and the large input: each tells what is linear from what is not more clearly. */
const DOUBLINGS = 3;
const TIMES_AS_MUCH = 2 ** DOUBLINGS;
/** How often the small input is measured before it is compared with the large one. */
const SETTLING = 2;
const TRIES = 8;

/** Milliseconds of this thread's processor: what else the machine does is not counted. */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds that pass. */
export function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** So many times longer than enough is no delay by something else. */
const BEYOND_DOUBT = 50;

/** Whether work takes so many milliseconds each time: what else the machine does delays it at times. */
export function alwaysTakes(work: () => unknown, enough: number): boolean {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ms = timeOf(work);
    if (ms < enough) return false;
    if (ms > BEYOND_DOUBT * enough) return true;
  }
  return true;
}

interface Measurement {
  /** Sizes of the input; what is compared begins at half of the smallest. */
  from: number;
  to: number;
  /** Tells how long work took; a test has a clock of its own. */
  measure?: (work: () => unknown) => number;
}

/**
 * How many times work grows at each doubling of its input; undefined where the largest input is no
 * work to speak of. What seems to grow too fast is measured again before it is believed.
 *
 * A machine that is busy slows work down by its caches, too, and what takes longer finds no quiet
 * moment for the whole of it. So the small input is worked over as often as makes as much as the large
 * one: a stretch of the same length, in turns with it, and the least of each counts.
 *
 * @param workOf the work over an input of a size, made before it is measured
 */
export function growthOf(
  workOf: (size: number) => () => unknown,
  { from, to, measure = processorTime }: Measurement,
): number | undefined {
  let size = from;
  let work = workOf(size);
  // The first time is the slowest: the engine compiles what it runs.
  work();
  while (measure(work) < MEASURABLE) {
    if (size * 2 > to) return undefined;
    size *= 2;
    work = workOf(size);
  }
  const small = workOf(size / 2);
  const large = workOf((size / 2) * TIMES_AS_MUCH);
  const measureSmall = (): number =>
    measure(() => {
      for (let times = 0; times < TIMES_AS_MUCH; times += 1) small();
    }) / TIMES_AS_MUCH;

  let least = Infinity;
  for (let tries = 0; tries < SETTLING; tries += 1) least = Math.min(least, measureSmall());
  let most = Infinity;
  let ratio = Infinity;
  for (let tries = 0; tries < TRIES && ratio > MOST_GROWTH; tries += 1) {
    most = Math.min(most, measure(large));
    least = Math.min(least, measureSmall());
    ratio = (most / least) ** (1 / DOUBLINGS);
  }
  return ratio;
}

/** How often it is looked again at what seemed to grow too fast. */
const REVIEWS = 2;

/**
 * What is found wanting each time, and why: at moments that lie apart, since a machine that is busy with
 * something else, or an engine that still learns the code, can make linear work look slow for a while.
 */
export function accused<Item, Reason>(
  items: Iterable<Item>,
  judge: (item: Item) => Reason | undefined,
): Map<Item, Reason> {
  let suspects = [...items];
  let reasons = new Map<Item, Reason>();
  for (let round = 0; round <= REVIEWS && suspects.length > 0; round += 1) {
    reasons = new Map();
    for (const item of suspects) {
      const reason = judge(item);
      if (reason !== undefined) reasons.set(item, reason);
    }
    suspects = [...reasons.keys()];
  }
  return reasons;
}

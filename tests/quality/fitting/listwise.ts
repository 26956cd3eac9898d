/** Lists of rows, some of which are right in each list. */
export interface Lists {
  /** Features of a row. */
  width: number;
  /** Rows one after the other. */
  rows: Float32Array;
  right: Uint8Array;
  /** The index of the first row of each list, and the total number of rows. */
  starts: number[];
  /** The weight of each list. Default: 1. */
  counts?: readonly number[];
}

export interface Choice {
  features: readonly number[];
  right: boolean;
}

/** Collects lists with at least one right row. The others cannot be learned from. */
export function makeLists(
  width: number,
  lists: Iterable<readonly Choice[]>,
  countOf: (list: readonly Choice[]) => number = () => 1,
): Lists {
  const rows: number[] = [];
  const right: number[] = [];
  const starts = [0];
  const counts: number[] = [];
  for (const list of lists) {
    if (!list.some((choice) => choice.right)) continue;
    counts.push(countOf(list));
    for (const choice of list) {
      rows.push(...choice.features);
      right.push(Number(choice.right));
    }
    starts.push(right.length);
  }
  return { width, rows: Float32Array.from(rows), right: Uint8Array.from(right), starts, counts };
}

interface Scale {
  means: Float64Array;
  deviations: Float64Array;
}

function scaleOf({ width, rows, right }: Lists): Scale {
  const count = right.length;
  const means = new Float64Array(width);
  const deviations = new Float64Array(width);
  rows.forEach((value, i) => (means[i % width] = (means[i % width] ?? 0) + value / count));
  rows.forEach((value, i) => {
    const off = value - (means[i % width] ?? 0);
    deviations[i % width] = (deviations[i % width] ?? 0) + (off * off) / count;
  });
  return { means, deviations: deviations.map((variance) => Math.sqrt(variance) || 1) };
}

/** Adds the gradient of one list. */
function pull(
  { width, right }: Lists,
  scaled: Float32Array,
  [from, to]: [number, number],
  weights: Float64Array,
  gradient: Float64Array,
  count: number,
): void {
  const scores = new Float64Array(to - from);
  for (let row = from; row < to; row += 1) {
    let score = 0;
    for (let j = 0; j < width; j += 1) score += (weights[j] ?? 0) * (scaled[row * width + j] ?? 0);
    scores[row - from] = score;
  }
  const top = Math.max(...scores);
  let total = 0;
  let good = 0;
  scores.forEach((score, i) => {
    const share = Math.exp(score - top);
    scores[i] = share;
    total += share;
    if (right[from + i] === 1) good += share;
  });
  for (let row = from; row < to; row += 1) {
    const share = scores[row - from] ?? 0;
    const force = count * (share / total - (right[row] === 1 ? share / good : 0));
    for (let j = 0; j < width; j += 1)
      gradient[j] = (gradient[j] ?? 0) + force * (scaled[row * width + j] ?? 0);
  }
}

const ROUNDS = 150;

/**
 * Weights that maximise the likelihood of choosing a right row by a softmax over each list
 * (ListNet, Cao et al., ICML 2007, summed over the right rows as in noise-tolerant labels), by Adam
 * (Kingma and Ba 2015) over features of unit deviation.
 * @param ridge L2 penalty, halved
 */
export function fitListwise(lists: Lists, ridge: number): number[] {
  const { width, rows, starts, counts = [] } = lists;
  const countOf = (list: number): number => counts[list] ?? 1;
  let total = 0;
  for (let list = 0; list + 1 < starts.length; list += 1) total += countOf(list);
  const { means, deviations } = scaleOf(lists);
  const scaled = rows.map(
    (value, i) => (value - (means[i % width] ?? 0)) / (deviations[i % width] ?? 1),
  );
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = new Float64Array(width);
    for (let list = 0; list + 1 < starts.length; list += 1)
      pull(
        lists,
        scaled,
        [starts[list] ?? 0, starts[list + 1] ?? 0],
        weights,
        gradient,
        countOf(list),
      );
    const rate = round < 0.7 * ROUNDS ? 0.05 : 0.01;
    for (let j = 0; j < width; j += 1) {
      const slope = (gradient[j] ?? 0) / total + ridge * (weights[j] ?? 0);
      first[j] = 0.9 * (first[j] ?? 0) + 0.1 * slope;
      second[j] = 0.99 * (second[j] ?? 0) + 0.01 * slope * slope;
      const step = (first[j] ?? 0) / (1 - 0.9 ** round);
      const size = Math.sqrt((second[j] ?? 0) / (1 - 0.99 ** round)) + 1e-8;
      weights[j] = (weights[j] ?? 0) - (rate * step) / size;
    }
  }
  return [...weights].map((weight, j) => weight / (deviations[j] ?? 1));
}

/** A figure over questions with its 95% confidence interval. */
interface Estimate {
  mean: number;
  low: number;
  high: number;
  count: number;
}

const RESAMPLES = 1000;

/** A deterministic generator of numbers in [0, 1) (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The mean of one value per question, with the percentile bootstrap interval (Efron 1979). */
export function estimate(values: readonly number[], seed = 1): Estimate {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, count);
  const random = seededRandom(seed);
  const means: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    let sum = 0;
    for (let j = 0; j < count; j += 1) sum += values[Math.floor(random() * count)] ?? 0;
    means.push(sum / Math.max(1, count));
  }
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.floor(share * (means.length - 1))] ?? mean;
  return { mean, low: at(0.025), high: at(0.975), count };
}

/** Normalized discounted cumulative gain at `k`, gain = grade (Järvelin and Kekäläinen 2002). */
export function ndcg(
  ranking: readonly string[],
  grades: ReadonlyMap<string, number>,
  k: number,
): number {
  const gain = (list: readonly number[]): number =>
    list.slice(0, k).reduce((sum, grade, i) => sum + Math.max(0, grade) / Math.log2(i + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranking.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** Normalizes text as the SQuAD evaluation does: lower case, no punctuation, no articles. */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\b(?:a|an|the)\b/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Whether the text contains one of the answers as whole words. */
export function holdsAnswer(text: string, answers: readonly string[]): boolean {
  const hay = ` ${normalizeAnswer(text)} `;
  return answers.some((answer) => {
    const needle = normalizeAnswer(answer);
    return needle !== '' && hay.includes(` ${needle} `);
  });
}

export function formatEstimate({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** The paired difference between the figures of two variants for the same questions. */
export function formatDifference(values: readonly number[], than: readonly number[]): string {
  const { mean, low, high } = estimate(values.map((value, i) => value - (than[i] ?? 0)));
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}

/** A span of a document's text. */
export interface Excerpt {
  artifactId: string;
  start: number;
  end: number;
}

/** The share of the requested excerpts that the passages cover. Overlaps count once. */
export function coverage(wanted: readonly Excerpt[], passages: readonly Excerpt[]): number {
  let length = 0;
  let covered = 0;
  for (const { artifactId, start, end } of wanted) {
    length += end - start;
    let from = start;
    const ofFile = passages.filter((passage) => passage.artifactId === artifactId);
    for (const passage of ofFile.toSorted((a, b) => a.start - b.start)) {
      const begin = Math.max(from, passage.start);
      const stop = Math.min(end, passage.end);
      if (stop <= begin) continue;
      covered += stop - begin;
      from = stop;
    }
  }
  return length === 0 ? 0 : covered / length;
}

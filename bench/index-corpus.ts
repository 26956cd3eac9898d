import { randomUUID } from 'node:crypto';
import type { IndexRow, SearchIndex } from '../apps/server/src/platform/index/search-index.ts';

const vocabulary = 50_000;

/** Text of words as frequent as those of real languages (Zipf and Mandelbrot), the same for a seed. */
export function createCorpus(seed: number): {
  word: () => string;
  question: () => string[];
  artifact: () => { artifactId: string; rows: IndexRow[] };
} {
  const random = mulberry32(seed);
  const rank = zipf(vocabulary, random);
  const word = () => `w${rank().toString(36)}`;

  const words = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least)) }, word);

  return {
    word,
    question: () => words(2, 7),
    artifact: () => {
      const artifactId = randomUUID();
      const text = words(120, 280).join(' ');
      const places: IndexRow['places'] = [];
      const row = { artifactId, ordinal: 0, start: 0, end: text.length, text, terms: text };
      return { artifactId, rows: [{ ...row, location: { page: 1 }, places, headings: [] }] };
    },
  };
}

/** Fills a user's index with as many chunks, each an artifact of its own; answers their ids. */
export async function fill(
  index: SearchIndex,
  userId: string,
  corpus: ReturnType<typeof createCorpus>,
  chunks: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < chunks; start += 1000) {
    const artifacts = Array.from({ length: Math.min(1000, chunks - start) }, corpus.artifact);
    await index.replace(userId, artifacts);
    ids.push(...artifacts.map(({ artifactId }) => artifactId));
  }
  return ids;
}

/** Draws ranks from 0 on as often as words of that rank come (Zipf and Mandelbrot). */
export function zipf(ranks: number, random: () => number): () => number {
  const cumulated = new Float64Array(ranks);
  let total = 0;
  for (let rank = 0; rank < ranks; rank += 1) {
    total += 1 / (rank + 2.7) ** 1.05;
    cumulated[rank] = total;
  }
  return () => {
    const wanted = random() * total;
    let low = 0;
    for (let high = ranks - 1; low < high;) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A small generator of random numbers from 0 to 1 by Tommy Ettinger (public domain). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The value below which the share of the measured values lies, in milliseconds to two places. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

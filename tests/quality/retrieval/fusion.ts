/** Cormack, Clarke and Büttcher (SIGIR 2009) found 60 to be good across collections. */
const RANK_CONSTANT = 60;

/** An item with its fused score; greater is better. */
export interface Fused<T> {
  item: T;
  score: number;
}

/**
 * Weighted reciprocal rank fusion: an item's score is the sum over rankings of weight / (k + rank),
 * ranks counted from 1. Items are the same when they are equal as map keys; an item that stands
 * twice in one ranking counts there once, at its better rank. Ties keep the order of first sight.
 */
export function fuse<T>(
  rankings: readonly (readonly T[])[],
  weights: readonly number[] = rankings.map(() => 1),
  k: number = RANK_CONSTANT,
): Fused<T>[] {
  const scores = new Map<T, number>();
  rankings.forEach((ranking, i) => {
    const weight = weights[i] ?? 1;
    let rank = 0;
    for (const item of new Set(ranking)) {
      rank += 1;
      scores.set(item, (scores.get(item) ?? 0) + weight / (k + rank));
    }
  });
  return [...scores].map(([item, score]) => ({ item, score })).sort((a, b) => b.score - a.score);
}

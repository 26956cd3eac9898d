/** Cormack, Clarke and Büttcher (SIGIR 2009) found 60 to be good across collections. */
const RANK_CONSTANT = 60;

/** An item with its fused score. Greater is better. */
interface Fused<T> {
  item: T;
  score: number;
}

/**
 * Weighted reciprocal rank fusion: the score of an item is the sum over rankings of weight / (k +
 * rank), with ranks from 1. Items are compared as map keys. An item that occurs twice in a ranking
 * counts once, at its better rank. Ties keep the order of first occurrence.
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

/**
 * BM25 as Lucene, LanceDB and this index compute it (Robertson and Zaragoza, The Probabilistic
 * Relevance Framework: BM25 and Beyond, 2009; the idf with 1 added inside the logarithm, so that it
 * is never negative):
 *
 *   score(d) = Σ weight(t) · idf(t) · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length(d) / average))
 *   idf(t)   = ln(1 + (rows − df + 0.5) / (df + 0.5)) = ln((rows + 1) / (df + 0.5))
 */
export const k1 = 1.2;
export const b = 0.75;

/** What a collection of rows must tell for its scores to be computed. */
export interface CollectionStatistics {
  /** Rows in the collection. */
  rows: number;
  /** Terms in all rows together. */
  terms: number;
}

/** A term of a question with its weight (1 when it counts once). */
export interface WeightedTerm {
  term: string;
  weight: number;
}

export function addStatistics(
  one: CollectionStatistics,
  other: CollectionStatistics,
): CollectionStatistics {
  return { rows: one.rows + other.rows, terms: one.terms + other.terms };
}

export function averageLength({ rows, terms }: CollectionStatistics): number {
  return rows === 0 ? 0 : terms / rows;
}

export function inverseDocumentFrequency(rows: number, documentFrequency: number): number {
  return Math.log((rows + 1) / (documentFrequency + 0.5));
}

/**
 * The document frequency that a given idf tells of; exact after rounding as long as the idf carries
 * the precision of a 32-bit float and there are fewer than some millions of rows.
 */
export function documentFrequencyOf(idf: number, rows: number): number {
  const frequency = Math.round((rows + 1) / Math.exp(idf) - 0.5);
  return Math.min(rows, Math.max(0, frequency));
}

/** The factor of one term in one row: what stands behind `idf` in the formula above. */
export function saturation(frequency: number, length: number, average: number): number {
  if (frequency === 0) return 0;
  return ((k1 + 1) * frequency) / (frequency + k1 * (1 - b + (b * length) / average));
}

/** One term's idf in the collection that was asked and in the one the result is judged in. */
export interface TermShift {
  weight: number;
  engineIdf: number;
  unionIdf: number;
}

/**
 * The most that a row can score in the union when the engine, with the statistics of its own
 * collection, gave it at most `engineScore`: the test whether rows beyond a fetched page could still
 * belong to the best. For any ratio r ≥ 0
 *
 *   union(d) ≤ g · (r · engine(d) + (k1 + 1) · Σ weight(t) · max(0, unionIdf(t) − r · engineIdf(t)))
 *
 * because saturation is at most k1 + 1 and grows by at most g = max(1, union average / engine
 * average) when the average length changes. The tightest of the ratios of the terms is taken.
 */
export function unionScoreBound(
  engineScore: number,
  shifts: readonly TermShift[],
  averages: { engine: number; union: number },
): number {
  const growth = Math.max(1, averages.union / averages.engine);
  let best = Infinity;
  for (const { unionIdf, engineIdf } of shifts) {
    const ratio = unionIdf / engineIdf;
    let rest = 0;
    for (const shift of shifts) {
      rest += shift.weight * Math.max(0, shift.unionIdf - ratio * shift.engineIdf);
    }
    best = Math.min(best, growth * (ratio * engineScore + (k1 + 1) * rest));
  }
  return best;
}

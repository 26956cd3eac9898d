/**
 * BM25 as Lucene computes it (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
 * Beyond, 2009; the idf with 1 added inside the logarithm, so that it is never negative):
 *
 *   score(d) = Σ weight(t) · idf(t) · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length(d) / average))
 *   idf(t)   = ln(1 + (rows − df + 0.5) / (df + 0.5)) = ln((rows + 1) / (df + 0.5))
 */
const k1 = 1.2;
const b = 0.75;

/** A term of a question with its weight (1 when it counts once). */
export interface WeightedTerm {
  term: string;
  weight: number;
}

export function inverseDocumentFrequency(rows: number, documentFrequency: number): number {
  return Math.log((rows + 1) / (documentFrequency + 0.5));
}

/** The factor of one term in one row: what stands behind `idf` in the formula above. */
export function saturation(frequency: number, length: number, average: number): number {
  if (frequency === 0) return 0;
  return ((k1 + 1) * frequency) / (frequency + k1 * (1 - b + (b * length) / average));
}

/** How often each of some terms stands in a text of terms that single spaces divide. */
export function countTerms(terms: string, wanted: readonly WeightedTerm[]): number[] {
  const text = ` ${terms} `;
  return wanted.map(({ term }) => {
    const word = ` ${term} `;
    let count = 0;
    // The space that ends one occurrence may begin the next.
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length - 1)) {
      count += 1;
    }
    return count;
  });
}

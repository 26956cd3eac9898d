/**
 * BM25 as Lucene computes it (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
 * Beyond, 2009; the idf with 1 added inside the logarithm, so that it is never negative):
 *
 *   score(d) = Σ weight(t) · idf(t) · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length(d) / average))
 *   idf(t)   = ln(1 + (rows − df + 0.5) / (df + 0.5)) = ln((rows + 1) / (df + 0.5))
 */
const k1 = 1.2;
const b = 0.75;

export interface WeightedTerm {
  term: string;
  weight: number;
}

export interface KnownTerm extends WeightedTerm {
  documents: number;
}

export interface LibrarySize {
  rows: number;
  terms: number;
}

export interface TermFrequencies {
  chunks: number;
  documents: ReadonlyMap<string, number>;
}

export const frequenciesOf = (
  terms: readonly KnownTerm[],
  { rows }: LibrarySize,
): TermFrequencies => ({
  chunks: rows,
  documents: new Map(terms.map(({ term, documents }) => [term, documents])),
});

export interface Candidate {
  artifactId: string;
  ordinal: number;
  length: number;
  terms: string;
}

export function inverseDocumentFrequency(rows: number, documentFrequency: number): number {
  // Both are read while rows are written, so they may be inconsistent.
  return Math.log((rows + 1) / (Math.min(documentFrequency, rows) + 0.5));
}

function saturation(frequency: number, length: number, average: number): number {
  if (frequency === 0) return 0;
  return ((k1 + 1) * frequency) / (frequency + k1 * (1 - b + (b * length) / average));
}

function countTerms(terms: string, queryTerms: readonly WeightedTerm[]): number[] {
  const text = ` ${terms} `;
  return queryTerms.map(({ term }) => {
    const word = ` ${term} `;
    let count = 0;
    // Adjacent occurrences share a space.
    for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + word.length - 1)) {
      count += 1;
    }
    return count;
  });
}

const byScore = (a: Candidate & { score: number }, b: Candidate & { score: number }) =>
  b.score - a.score ||
  (a.artifactId < b.artifactId ? -1 : Number(a.artifactId > b.artifactId)) ||
  a.ordinal - b.ordinal;

/** Scores candidates, best first, without those that contain none of the terms. */
export function scored<Row extends Candidate>(
  candidates: readonly Row[],
  terms: readonly KnownTerm[],
  library: LibrarySize,
): (Row & { score: number })[] {
  const average = library.terms / library.rows;
  const factors = terms.map(
    ({ weight, documents }) => weight * inverseDocumentFrequency(library.rows, documents),
  );
  const results = candidates.flatMap((candidate) => {
    let score = 0;
    for (const [index, frequency] of countTerms(candidate.terms, terms).entries()) {
      score += (factors[index] ?? 0) * saturation(frequency, candidate.length, average);
    }
    return score > 0 ? [{ ...candidate, score }] : [];
  });
  return results.sort(byScore);
}

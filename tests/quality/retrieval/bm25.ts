import type { TermFrequencies } from '../../../packages/retrieval/src/index.ts';

/** BM25 over whitespace-separated terms, with Lucene's and LanceDB's formula. */
interface Bm25Index {
  /**
   * The `k` best documents for the terms of `query`, best first. Ties keep their order.
   * @param keep which documents to include, by position. Default: all
   */
  search(
    query: string,
    k: number,
    keep?: (position: number) => boolean,
  ): { position: number; score: number }[];
  frequencies: TermFrequencies;
}

/** Saturation of term frequency, and length normalization. */
interface Bm25Constants {
  k1: number;
  b: number;
}

/** Lucene's and LanceDB's. */
const USUAL: Bm25Constants = { k1: 1.2, b: 0.75 };

/** Builds an index in memory; `documents` are strings of terms joined by spaces. */
export function buildBm25(
  documents: readonly string[],
  { k1, b }: Bm25Constants = USUAL,
): Bm25Index {
  const postings = new Map<string, { position: number; count: number }[]>();
  const lengths: number[] = [];
  documents.forEach((document, position) => {
    const terms = document.split(' ').filter((term) => term !== '');
    lengths.push(terms.length);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [{ position, count }]);
      else list.push({ position, count });
    }
  });
  const total = lengths.length;
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, total);
  const idf = (term: string): number =>
    Math.log((total + 1) / ((postings.get(term)?.length ?? 0) + 0.5));
  return {
    frequencies: {
      chunks: total,
      documents: new Map(Array.from(postings, ([term, list]) => [term, list.length])),
    },
    search(query, k, keep = () => true) {
      const scores = new Map<number, number>();
      for (const term of query.split(' ')) {
        const list = postings.get(term) ?? [];
        for (const { position, count } of list) {
          const norm = k1 * (1 - b + (b * (lengths[position] ?? 0)) / average);
          const score = (idf(term) * count * (k1 + 1)) / (count + norm);
          scores.set(position, (scores.get(position) ?? 0) + score);
        }
      }
      return [...scores]
        .filter(([position]) => keep(position))
        .map(([position, score]) => ({ position, score }))
        .sort((a, b) => b.score - a.score || a.position - b.position)
        .slice(0, k);
    },
  };
}

/** BM25 over whitespace-separated terms, with Lucene's and LanceDB's formula and constants. */
export interface Bm25Index {
  /** The `k` best documents for the terms of `query`, best first; ties in the order they came in. */
  search(query: string, k: number): { position: number; score: number }[];
}

const K1 = 1.2;
const B = 0.75;

/** Builds an index in memory; `documents` are strings of terms joined by spaces. */
export function buildBm25(documents: readonly string[]): Bm25Index {
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
  return {
    search(query, k) {
      const scores = new Map<number, number>();
      for (const term of query.split(' ')) {
        const list = postings.get(term) ?? [];
        const idf = Math.log(1 + (total - list.length + 0.5) / (list.length + 0.5));
        for (const { position, count } of list) {
          const norm = K1 * (1 - B + (B * (lengths[position] ?? 0)) / average);
          const score = (idf * count * (K1 + 1)) / (count + norm);
          scores.set(position, (scores.get(position) ?? 0) + score);
        }
      }
      return [...scores]
        .map(([position, score]) => ({ position, score }))
        .sort((a, b) => b.score - a.score || a.position - b.position)
        .slice(0, k);
    },
  };
}

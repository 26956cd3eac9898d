import table from '../tables/word-vectors.json' with { type: 'json' };

/** Vectors of English words; a word is known by its row. */
export interface WordVectors {
  /** Lower-case, the most frequent first. */
  words: readonly string[];
  /** Where each of them stands. */
  rows: ReadonlyMap<string, number>;
  dimensions: number;
  /** `dimensions` numbers for each row. */
  values: Int8Array;
  /** One over the length of each row's vector. */
  scales: Float32Array;
  /** What a word counts in the vector of a text, 0 to 1: frequent words say little. */
  weights: Float32Array;
}

/** SIF's `a`: a word that makes up this share of all text counts half. */
const HALF_AT = 1e-3;

let decoded: WordVectors | null = null;

/**
 * The table of word vectors: English words as a sentence encoder (all-MiniLM-L6-v2) sees them alone,
 * their first principal components in a byte each, as in Model2Vec (Tulkens and van Dongen 2024).
 * Made by `scripts/word-vectors.ts`. Decoded when it is first asked for, in some 20 ms, and then kept
 * in 5 MB beside the 2.4 MB of the table as it is read.
 */
export function wordVectors(): WordVectors {
  if (decoded !== null) return decoded;
  const { dimensions } = table;
  const bytes = atob(table.vectors);
  const values = new Int8Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) values[i] = bytes.charCodeAt(i);
  const words = table.words.split(' ');
  const scales = Float32Array.from(words, (_, row) => {
    let sum = 0;
    for (let i = row * dimensions; i < (row + 1) * dimensions; i += 1) sum += (values[i] ?? 0) ** 2;
    return 1 / Math.sqrt(sum || 1);
  });
  decoded = {
    words,
    rows: new Map(words.map((word, row) => [word, row])),
    dimensions,
    values,
    scales,
    weights: frequencyWeights(words.length),
  };
  return decoded;
}

/**
 * Smooth inverse frequency, a / (a + p) (Arora et al., ICLR 2017, 'A simple but tough-to-beat
 * baseline for sentence embeddings'), p from the word's rank by Zipf's law.
 */
function frequencyWeights(count: number): Float32Array {
  let all = 0;
  for (let row = 0; row < count; row += 1) all += 1 / (row + 2);
  return Float32Array.from({ length: count }, (_, row) => {
    const share = 1 / (row + 2) / all;
    return HALF_AT / (HALF_AT + share);
  });
}

/** The weighted mean of words' vectors, of length 1; null when there is none. */
export function meanVector(vectors: WordVectors, rows: Iterable<number>): Float32Array | null {
  const { dimensions, values, scales, weights } = vectors;
  const mean = new Float32Array(dimensions);
  for (const row of rows) {
    const weight = (weights[row] ?? 0) * (scales[row] ?? 0);
    const from = row * dimensions;
    for (let i = 0; i < dimensions; i += 1) {
      mean[i] = (mean[i] ?? 0) + weight * (values[from + i] ?? 0);
    }
  }
  const length = Math.sqrt(product(mean, mean));
  return length === 0 ? null : mean.map((value) => value / length);
}

/** The sum of the products, which is the cosine of vectors of length 1. */
export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

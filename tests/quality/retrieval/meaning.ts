import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEncoder } from '../../../apps/server/src/platform/ai/encoders/inference.ts';
import { embeddedText } from '../../../apps/server/src/platform/ai/encoders/embedder.ts';
import type { Passage } from '../../../packages/retrieval/src/index.ts';
import type { EvalQuery } from './datasets.ts';
import type { Library } from './library.ts';

/** The nearest chunks to a question by vector, nearest first, each with its cosine. */
export type NearestPassages = (query: EvalQuery) => (Passage & { similarity: number })[];

/** Embeds a library and its questions. */
export type EmbedLibrary = (
  library: Library,
  queries: readonly EvalQuery[],
) => Promise<NearestPassages>;

/** The number of chunks that the server requests by vector. */
const NEAREST = 50;

/** Embeds a text; vectors have the length 1. */
type Embed = (text: string, kind: 'query' | 'passage') => Promise<Float32Array>;

/**
 * The model of `ENGRAM_EMBEDDINGS=local:FOLDER`, or null if the setting names no folder. Vectors
 * are cached with other temporary files.
 */
export async function openEmbedder(setting: string | undefined): Promise<Embed | null> {
  const folder = /^local:(.+)$/u.exec(setting ?? '')?.[1];
  if (folder === undefined) return null;
  const model = await loadEncoder(folder, 'embed');
  const cache = join(tmpdir(), 'engram-quality', `vectors-${model.digest.slice(0, 16)}`);
  mkdirSync(cache, { recursive: true });
  return async (text, kind) => {
    const key = createHash('sha256').update(kind).update('\0').update(text).digest('hex');
    const path = join(cache, key);
    if (existsSync(path)) return new Float32Array(new Uint8Array(readFileSync(path)).buffer);
    const vector = scaled(await model.run({ text, kind }));
    writeFileSync(path, vector);
    return vector;
  };
}

/** The nearest passages to the vector of a question, nearest first. */
export async function nearestAmong(
  passages: readonly Passage[],
  embed: Embed,
): Promise<(query: Float32Array) => (Passage & { similarity: number })[]> {
  const vectors: Float32Array[] = [];
  for (const passage of passages) {
    vectors.push(await embed(embeddedText(passage, passage.fileName), 'passage'));
  }
  return (query) =>
    passages
      .map((passage, i) => ({ ...passage, similarity: dot(query, vectors[i]) }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, NEAREST);
}

/** Like {@link openEmbedder}, for libraries whose questions are all known. */
export async function openMeaning(setting: string | undefined): Promise<EmbedLibrary | null> {
  const embed = await openEmbedder(setting);
  if (embed === null) return null;
  return async (library, queries) => {
    const nearest = await nearestAmong(library.passages, embed);
    const vectors = new Map<string, Float32Array>();
    for (const { id, text } of queries) vectors.set(id, await embed(text, 'query'));
    return ({ id }) => {
      const query = vectors.get(id);
      if (query === undefined) throw new Error('Only questions that were embedded are asked.');
      return nearest(query);
    };
  };
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b?.[i] ?? 0);
  return sum;
}

function scaled(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

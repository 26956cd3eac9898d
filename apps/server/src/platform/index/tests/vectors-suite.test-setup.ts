import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chunk } from './index-rows.test-setup.ts';
import type { IndexRow, SearchIndex, VectorModel } from '../search-index.ts';

const DIMENSIONS = 384;
const tiny: VectorModel = { key: 'tiny-1', dimensions: DIMENSIONS, setting: 'local:tiny' };
const large: VectorModel = { key: 'large-1', dimensions: 100, setting: 'openai:large' };

/** Deterministic numbers between −1 and 1 (mulberry32 by Tommy Ettinger, public domain). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2_147_483_648 - 1;
  };
}

function direction(seed: number, dimensions = DIMENSIONS): Float32Array {
  const next = numbers(seed);
  return Float32Array.from({ length: dimensions }, next);
}

/** A vector near another one. The larger the distance, the larger the share of a third vector. */
function vectorNear(vector: Float32Array, share: number, seed = 99): Float32Array {
  const other = direction(seed, vector.length);
  return vector.map((number, index) => number + share * (other[index] ?? 0));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (const [index, number] of a.entries()) {
    product += number * (b[index] ?? 0);
    squareA += number ** 2;
    squareB += (b[index] ?? 0) ** 2;
  }
  return product / Math.sqrt(squareA * squareB);
}

/** Tests of vector search that every driver of the search index has to pass. */
export function describeVectors(
  driver: string,
  create: () => Promise<{ index: SearchIndex; dispose: () => Promise<void> }>,
): void {
  describe(`vectors of the search index: ${driver}`, () => {
    let index: SearchIndex;
    let dispose: () => Promise<void>;
    let user: string;
    const question = direction(1);

    beforeEach(async () => {
      ({ index, dispose } = await create());
      user = randomUUID();
    });
    afterEach(() => dispose());

    /** An artifact with one chunk per name. */
    const artifact = (...names: string[]): IndexRow[] => {
      const { artifactId } = chunk('');
      return names.map((name, ordinal) => ({ ...chunk(name), artifactId, ordinal }));
    };
    const put = (...artifacts: IndexRow[][]) =>
      index.replace(
        user,
        artifacts.map((rows) => ({ artifactId: rows[0]?.artifactId ?? '', rows })),
      );
    const missing = (model = tiny, exclude: ReadonlySet<string> = new Set()) =>
      index.unembedded(user, model, { limit: 1000, exclude });
    /** Adds the vector of its text to each chunk without one. */
    async function embed(vectorOf: (text: string) => Float32Array, model = tiny): Promise<void> {
      const { rows } = await missing(model);
      await index.addVectors(
        user,
        model,
        rows.map(({ key, text }) => ({ key, vector: vectorOf(text) })),
      );
    }
    const nearest = async (
      limits: { only?: ReadonlySet<string>; exclude?: ReadonlySet<string> } = {},
      limit = 10,
    ) => index.nearest(user, tiny, { vector: question, limit, ...limits });
    const textsOf = (passages: { row: { text: string } }[]) => passages.map(({ row }) => row.text);
    /** Texts are numbers, and larger ones are farther from the question. */
    const byNumber = (text: string) => vectorNear(question, Number(text) / 100);

    it('the nearest chunks are returned first, complete, with their cosines', async () => {
      const rows = artifact('90', '10', '50');
      await put(rows);
      await embed(byNumber);
      const passages = await nearest();
      expect(textsOf(passages)).toEqual(['10', '50', '90']);
      const { terms: _, ...first } = rows[1] ?? chunk('');
      expect(passages[0]?.row).toEqual(first);
      for (const { row, similarity } of passages) {
        expect(similarity).toBeCloseTo(cosine(question, byNumber(row.text)), 2);
      }
      expect(await nearest({}, 2)).toHaveLength(2);
    });

    it('nearly all results of an exact comparison with 3,000 vectors are found', async () => {
      const names = Array.from({ length: 3000 }, (_, index) => String(index));
      // Fifty subjects, and a component that all share with the question.
      const vectorOf = (text: string) =>
        vectorNear(
          vectorNear(direction((Number(text) % 50) + 1000), 0.8, Number(text) + 2000),
          0.5,
          1,
        );
      await put(artifact(...names));
      for (let round = 0; round < 3; round += 1) await embed(vectorOf);
      const exact = names
        .map((name) => ({ name, similarity: cosine(question, vectorOf(name)) }))
        .toSorted((a, b) => b.similarity - a.similarity);
      const best = new Set(exact.slice(0, 50).map(({ name }) => name));
      const foundTexts = new Set(textsOf(await nearest({}, 50)));
      expect(best.intersection(foundTexts).size).toBeGreaterThanOrEqual(47);
    });

    it('chunks without vectors are listed, newest file first, except those without text', async () => {
      await put(artifact('old'));
      await put(artifact('first', 'second'), [{ ...chunk('name'), text: '', end: 0 }]);
      const before = await missing();
      expect(before).toMatchObject({ embedded: 0, missing: 3 });
      expect(before.rows.map(({ text }) => text)).toEqual(['first', 'second', 'old']);
      const [{ key = '', artifactId = '' } = {}] = before.rows;
      await index.addVectors(user, tiny, [{ key, vector: question }]);
      const after = await missing();
      expect(after).toMatchObject({ embedded: 1, missing: 2 });
      expect(after.rows.map(({ text }) => text)).toEqual(['second', 'old']);
      const others = await missing(tiny, new Set([artifactId]));
      expect(others.rows.map(({ text }) => text)).toEqual(['old']);
      const { rows } = await index.unembedded(user, tiny, { limit: 1, exclude: new Set() });
      expect(rows).toHaveLength(1);
    });

    it('vectors of unchanged chunks are preserved, and vectors of removed chunks are deleted', async () => {
      const rows = artifact('10', '20');
      await put(rows);
      await embed(byNumber);
      await put(rows.map((row) => ({ ...row, terms: `${row.terms} keyword` })));
      expect(await missing()).toMatchObject({ embedded: 2, missing: 0 });
      expect(textsOf(await nearest())).toEqual(['10', '20']);
      await put([{ ...(rows[0] ?? chunk('')), text: '30' }]);
      expect(await missing()).toMatchObject({ embedded: 0, missing: 1 });
      expect(await nearest()).toEqual([]);
    });

    it('a vector whose chunk was deleted in the meantime is skipped', async () => {
      const rows = artifact('10');
      await put(rows);
      const { rows: before } = await missing();
      await put([{ ...(rows[0] ?? chunk('')), text: '20' }]);
      await index.addVectors(
        user,
        tiny,
        before.map(({ key }) => ({ key, vector: question })),
      );
      expect(await nearest()).toEqual([]);
      await index.remove(user, [rows[0]?.artifactId ?? '']);
      expect(await missing()).toEqual({ rows: [], embedded: 0, missing: 0 });
    });

    it('filters on artifacts apply before the best results are selected', async () => {
      const artifacts = Array.from({ length: 30 }, (_, index) => artifact(String(index + 1)));
      await put(...artifacts);
      await embed(byNumber);
      const ids = artifacts.map(([row]) => row?.artifactId ?? '');
      const last = new Set(ids.slice(-3));
      expect(textsOf(await nearest({ only: last }, 2))).toEqual(['28', '29']);
      expect(textsOf(await nearest({ exclude: new Set(ids.slice(0, 28)) }))).toEqual(['29', '30']);
      expect(await nearest({ only: new Set() })).toEqual([]);
      const strangers = Array.from({ length: 1200 }, () => randomUUID());
      expect(textsOf(await nearest({ only: new Set([...strangers, ...last]) }))).toHaveLength(3);
      await expect(nearest({ only: new Set(["x' OR 1=1 --"]) })).rejects.toThrow('UUID');
    });

    it('the vectors of a model are deleted once those of its successor are complete', async () => {
      await put(artifact('10'));
      await embed(byNumber);
      await index.completeModel(user, tiny);
      expect(await index.models(user)).toEqual([{ ...tiny, complete: true }]);
      await embed(() => direction(5, large.dimensions), large);
      expect(await index.models(user)).toEqual([
        { ...tiny, complete: true },
        { ...large, complete: false },
      ]);
      expect(textsOf(await nearest())).toEqual(['10']);
      await index.completeModel(user, large);
      expect(await index.models(user)).toEqual([{ ...large, complete: true }]);
      expect(await nearest()).toEqual([]);
    });

    it('removed artifacts are no longer found, and users are isolated', async () => {
      const [removed, unchanged] = [artifact('10'), artifact('20')];
      await put(removed, unchanged);
      await embed(byNumber);
      await index.remove(user, [removed[0]?.artifactId ?? '']);
      expect(textsOf(await nearest())).toEqual(['20']);
      const stranger = randomUUID();
      expect(await index.nearest(stranger, tiny, { vector: question, limit: 5 })).toEqual([]);
      expect(await index.models(stranger)).toEqual([]);
      await index.removeUser(user);
      expect(await nearest()).toEqual([]);
    });

    it('a vector of zeros is similar to nothing', async () => {
      await put(artifact('10', 'silent'));
      await embed((text) => (text === 'silent' ? new Float32Array(DIMENSIONS) : byNumber(text)));
      expect(textsOf(await nearest())).toEqual(['10']);
      expect(await missing()).toMatchObject({ embedded: 2, missing: 0 });
      const vector = new Float32Array(DIMENSIONS);
      expect(await index.nearest(user, tiny, { vector, limit: 5 })).toEqual([]);
    });
  });
}

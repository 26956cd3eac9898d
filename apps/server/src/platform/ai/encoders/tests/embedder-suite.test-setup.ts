import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DIMENSIONS } from '../../../../tests/embedding-model.test-setup.ts';
import type { Embedder } from '../embedder.ts';

/** Tests that every way to run an embedding model has to pass. */
export function describeEmbedder(
  driver: string,
  open: () => Promise<{ embedder: Embedder; dispose: () => Promise<void> }>,
): void {
  describe(`embedder: ${driver}`, () => {
    let embedder: Embedder;
    let dispose: () => Promise<void>;
    const { signal } = new AbortController();

    beforeEach(async () => {
      ({ embedder, dispose } = await open());
    });
    afterEach(() => dispose());

    async function ready(): Promise<void> {
      embedder.start();
      await embedder.settled();
    }

    test('the status is ready once the model is loaded', async () => {
      expect(embedder.model()).toBeNull();
      expect(embedder.describe()).toMatchObject({ on: false });
      await expect(embedder.embed(['car'], 'query', signal)).rejects.toThrow(/not loaded yet/u);
      await ready();
      expect(embedder.describe()).toMatchObject({ on: true });
      expect(embedder.model()).toMatchObject({ dimensions: DIMENSIONS, setting: embedder.setting });
      expect(embedder.model()?.key).toMatch(/^[a-z0-9-]{1,64}$/u);
    });

    test('vectors have length 1, are in order, and are close if the meaning is close', async () => {
      await ready();
      const texts = ['A car.', 'the automobile', 'A physician', 'nothing that it knows'];
      const manyTexts = Array.from({ length: 50 }, (_, index) => texts[index % texts.length] ?? '');
      const vectors = await embedder.embed(manyTexts, 'passage', signal);
      expect(vectors).toHaveLength(50);
      const cosine = (a: number, b: number): number =>
        Array.from(vectors[a] ?? []).reduce(
          (sum, value, at) => sum + value * (vectors[b]?.[at] ?? 0),
          0,
        );
      expect(cosine(0, 0)).toBeCloseTo(1, 5);
      expect(cosine(0, 1)).toBeCloseTo(1, 5);
      expect(cosine(0, 2)).toBeCloseTo(0, 5);
      expect(cosine(3, 3)).toBe(0);
      expect(cosine(48, 45)).toBeCloseTo(1, 5);
    });

    test('any text is accepted', async () => {
      await ready();
      const texts = [
        '',
        ' ',
        '\u0000',
        '\ud83d',
        '東京',
        '\u{1F600}'.repeat(3000),
        'car '.repeat(9000),
      ];
      const vectors = await embedder.embed(texts, 'query', signal);
      expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => DIMENSIONS));
      expect(vectors.flatMap((vector) => [...vector]).every(Number.isFinite)).toBe(true);
    });

    test('a call is aborted with its caller', async () => {
      await ready();
      const caller = new AbortController();
      caller.abort(new Error('gone'));
      await expect(embedder.embed(['car'], 'query', caller.signal)).rejects.toThrow('gone');
      await embedder.close();
      await expect(embedder.embed(['car'], 'query', signal)).rejects.toThrow(/not loaded/u);
    });
  });
}

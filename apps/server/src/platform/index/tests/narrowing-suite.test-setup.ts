import { randomUUID } from 'node:crypto';
import { array, assert, asyncProperty, boolean, constantFrom, integer } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunk } from './index-rows.test-setup.ts';
import type { SearchIndex } from '../search-index.ts';

const WORDS = 'tide moon harbour ship rope'.split(' ');

/** Tests of searches limited to some artifacts, for every driver of the search index. */
export function describeNarrowing(
  driver: string,
  create: () => Promise<{ index: SearchIndex; dispose: () => Promise<void> }>,
): void {
  describe(`a search limited to some artifacts: ${driver}`, () => {
    let index: SearchIndex;
    let dispose: () => Promise<void>;

    beforeAll(async () => {
      ({ index, dispose } = await create());
    });
    afterAll(() => dispose());

    /** An artifact of some rows, each of one to three words. */
    const artifact = array(array(constantFrom(...WORDS), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    });
    const rowsOf = (artifactId: string, rows: string[][]) =>
      rows.map((words, ordinal) => ({ ...chunk(words.join(' ')), artifactId, ordinal }));
    const place = ({ row }: { row: { artifactId: string; ordinal: number } }) =>
      `${row.artifactId} ${row.ordinal}`;

    it('the results are those of the complete search, in its order, while the index changes', async () => {
      await assert(
        asyncProperty(
          array(artifact, { minLength: 4, maxLength: 30 }),
          array(boolean(), { minLength: 30, maxLength: 30 }),
          integer({ min: 1, max: 20 }),
          async (artifacts, chosen, limit) => {
            const user = randomUUID();
            const written = artifacts.map((rows) => {
              const artifactId = randomUUID();
              return { artifactId, rows: rowsOf(artifactId, rows) };
            });
            // The same sets every time, so that cached filters have to follow the table.
            const selected = new Set<string>(
              written.filter((_, index) => chosen[index]).map(({ artifactId }) => artifactId),
            );
            const compare = async () => {
              const { passages, frequencies } = await index.search(user, {
                terms: WORDS,
                limit: 1000,
              });
              const scoresOf = (test: (id: string) => boolean) =>
                passages
                  .filter(({ row }) => test(row.artifactId))
                  .slice(0, limit)
                  .map(({ score }) => score.toFixed(3));
              const { passages: only } = await index.search(user, {
                terms: WORDS,
                limit,
                only: selected,
              });
              const { passages: others, ...narrowed } = await index.search(user, {
                terms: WORDS,
                limit,
                exclude: selected,
              });
              expect(only.map(({ score }) => score.toFixed(3))).toEqual(
                scoresOf((id) => selected.has(id)),
              );
              expect(others.map(({ score }) => score.toFixed(3))).toEqual(
                scoresOf((id) => !selected.has(id)),
              );
              expect(narrowed.frequencies).toEqual(frequencies);
              expect(only.every(({ row }) => selected.has(row.artifactId))).toBe(true);
              expect(others.some(({ row }) => selected.has(row.artifactId))).toBe(false);
              expect(new Set(only.map(place)).size).toBe(only.length);
            };
            const half = Math.floor(written.length / 2);
            await index.replace(user, written.slice(0, half));
            await compare();
            await index.replace(user, written.slice(half));
            await compare();
            const [first, second] = written;
            await index.remove(user, [first?.artifactId ?? '']);
            await index.replace(user, second ? [{ ...second, rows: second.rows.slice(0, 1) }] : []);
            await index.purge(user);
            await compare();
          },
        ),
        { numRuns: 8 },
      );
    });
  });
}

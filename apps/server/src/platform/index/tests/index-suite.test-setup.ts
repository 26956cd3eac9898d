import { randomUUID } from 'node:crypto';
import { array, assert, asyncProperty, constantFrom, integer, uniqueArray } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundPassage, IndexRow, SearchIndex } from '../search-index.ts';
import { chunk } from './index-rows.test-setup.ts';

/** Tests that every driver of the search index has to pass. */
export function describeSearchIndex(
  driver: string,
  create: () => Promise<{ index: SearchIndex; dispose: () => Promise<void> }>,
): void {
  describe(`search index: ${driver}`, () => {
    let index: SearchIndex;
    let dispose: () => Promise<void>;
    let user: string;

    beforeEach(async () => {
      ({ index, dispose } = await create());
      user = randomUUID();
    });
    afterEach(() => dispose());

    const put = (...artifacts: IndexRow[][]) =>
      index.replace(
        user,
        artifacts.map((rows) => ({ artifactId: rows[0]?.artifactId ?? randomUUID(), rows })),
      );
    /** The first rows of an artifact, in its order. */
    const rowsOf = async (artifactId: string) => {
      const places = [0, 1, 2, 3].map((ordinal) => ({ artifactId, ordinal }));
      const rows = await index.rowsAt(user, places);
      return rows.toSorted((a, b) => a.ordinal - b.ordinal);
    };
    const texts = async (terms: string[], limits: Limits = {}) =>
      (await index.search(user, { terms, limit: 10, ...sets(limits) })).passages.map(
        ({ row }) => row.text,
      );

    it('a row is found immediately, complete, and again after a purge', async () => {
      const row: IndexRow = {
        ...chunk('tide tabl harbour'),
        ordinal: 3,
        start: 100,
        end: 140,
        text: 'Tide tables of the harbour\n“quoted” \u{1F600}',
        location: { path: 'a/b.pdf', page: 7 },
        places: [{ offset: 12, location: { path: 'a/b.pdf', page: 8 } }],
        headings: ['Sea', 'Tides'],
      };
      await put([row]);
      const { terms: _, ...expected } = row;
      expect((await index.search(user, { terms: ['tide'], limit: 5 })).passages.map(asRow)).toEqual(
        [expected],
      );
      await index.purge(user);
      expect(await index.size(user)).toBe(1);
      expect((await index.search(user, { terms: ['tide'], limit: 5 })).passages.map(asRow)).toEqual(
        [expected],
      );
    });

    it('the artifacts with rows are listed, and their rows are returned, before and after a purge', async () => {
      const [unchanged, replaced, removed] = [chunk('kept'), chunk('old words'), chunk('removed')];
      const long = [unchanged, { ...unchanged, ordinal: 1, text: 'second', terms: 'second' }];
      await put(long, [replaced], [removed]);
      const replacement = { ...replaced, text: 'new', terms: 'new words' };
      const late = chunk('late');
      await put([replacement], [late]);
      await index.remove(user, [removed.artifactId, randomUUID()]);
      for (const purged of [false, true]) {
        if (purged) await index.purge(user);
        expect(await index.artifactIds(user)).toEqual(
          new Set([unchanged.artifactId, replacement.artifactId, late.artifactId]),
        );
        expect(await rowsOf(unchanged.artifactId)).toEqual(long.map(withoutTerms));
        expect(await rowsOf(replacement.artifactId)).toEqual([withoutTerms(replacement)]);
        expect(await rowsOf(removed.artifactId)).toEqual([]);
        expect(await texts(['second'])).toEqual(['second']);
        expect(await texts(['words'])).toEqual(['new']);
      }
      expect(await index.users()).toEqual([user]);
      expect(await index.artifactIds(randomUUID())).toEqual(new Set());
    });

    it('terms close to a misspelled one are suggested', async () => {
      await put([chunk('meyer contract warehous')], [chunk('mayer treati')], [chunk('lease')]);
      const letters = (term: string) => [...term].sort().join('');
      const isLike = (misspelled: string, term: string) => letters(misspelled) === letters(term);
      const similar = (...terms: string[]) => index.similarTerms(user, terms, isLike);
      expect(await similar('meyre', 'wraehous')).toEqual(['meyer', 'warehous']);
      expect(await similar('meyer', 'lease')).toEqual([]);
      expect(await similar('xylophon')).toEqual([]);
      for (const length of [21, 40, 50, 300]) {
        const term = Array.from({ length }, (_, index) => String.fromCodePoint(97 + (index % 26)));
        expect(await similar(term.join(''))).toEqual([]);
      }
      expect(await index.similarTerms(randomUUID(), ['meyre'], isLike)).toEqual([]);
    });

    it('single rows are returned by their positions', async () => {
      const first = chunk('first');
      const long = [
        first,
        ...[1, 2, 3].map((ordinal) => ({ ...first, ordinal, text: `n${ordinal}` })),
      ];
      const [other, changed] = [chunk('other'), chunk('before')];
      await put(long, [other], [changed]);
      await put([{ ...changed, text: 'after' }]);
      await index.remove(user, [other.artifactId]);
      const placeOf = ({ artifactId }: IndexRow, ordinal: number) => ({ artifactId, ordinal });
      const rows = await index.rowsAt(user, [
        placeOf(first, 3),
        placeOf(first, 1),
        placeOf(first, 9),
        placeOf(other, 0),
        placeOf(changed, 0),
        placeOf(chunk('unknown'), 0),
      ]);
      expect(rows.map(({ text }) => text).toSorted()).toEqual(['after', 'n1', 'n3']);
      expect(rows.find(({ text }) => text === 'n3')).toMatchObject({ ordinal: 3, headings: [] });
      expect(await index.rowsAt(user, [])).toEqual([]);
      await expect(index.rowsAt(user, [{ artifactId: "' OR 1=1", ordinal: 0 }])).rejects.toThrow(
        'UUID',
      );
    });

    it('no terms, unknown terms and an unknown user return nothing', async () => {
      await put([chunk('one two')]);
      expect(await texts([])).toEqual([]);
      expect(await texts(['', '  '])).toEqual([]);
      expect(await texts(['three'])).toEqual([]);
      expect(await texts(['one'], { only: [] })).toEqual([]);
      const { passages } = await index.search(randomUUID(), { terms: ['one'], limit: 3 });
      expect(passages).toEqual([]);
    });

    it('any character can be in a term', async () => {
      const characters = [
        ...`a.b-c "quo o'clock AND OR NOT 東京 ééé C++ foo* foo~ ~ title:x (a) % { null -x +y ^2`.split(
          ' ',
        ),
        '\\',
        '\u{1F600}',
        'x'.repeat(300),
      ];
      await put(...characters.map((character) => [chunk(`${character} filler`)]));
      for (const character of characters)
        expect(await texts([character])).toEqual([`${character} filler`]);
    });

    it('a repeated term counts twice, and terms are weighted', async () => {
      await put([chunk('apple x x')], [chunk('pear x x')]);
      await index.purge(user);
      const scores = async (terms: Parameters<SearchIndex['search']>[1]['terms']) => {
        const { passages } = await index.search(user, { terms, limit: 5 });
        return new Map(passages.map(({ row, score }) => [row.text.split(' ')[0], score]));
      };
      const once = (await scores(['apple'])).get('apple') ?? 0;
      expect((await scores(['apple', 'apple'])).get('apple')).toBeCloseTo(2 * once, 4);
      const weighted = await scores(['pear', { term: 'apple', weight: 0.5 }]);
      expect(weighted.get('apple')).toBeCloseTo(once / 2, 4);
      expect(weighted.get('pear')).toBeCloseTo(once, 4);
    });

    it('an artifact is replaced as a whole', async () => {
      const first = chunk('old alpha');
      await put([first, { ...first, ordinal: 1, text: 'old beta', terms: 'old beta' }]);
      await put([{ ...first, text: 'new gamma', terms: 'new gamma' }]);
      expect(await texts(['old'])).toEqual([]);
      expect(await texts(['gamma'])).toEqual(['new gamma']);
      await index.purge(user);
      expect(await texts(['old', 'alpha', 'beta', 'gamma'])).toEqual(['new gamma']);
      expect(await index.size(user)).toBe(1);
    });

    it('writing the same rows again changes nothing', async () => {
      const row = chunk('same again');
      await Promise.all([put([row]), put([row]), put([row])]);
      await index.purge(user);
      await put([row]);
      expect(await texts(['same'])).toEqual(['same again']);
    });

    it('an artifact is removed', async () => {
      const removed = chunk('shared gone');
      await put([removed], [chunk('shared kept')]);
      await index.remove(user, [removed.artifactId, randomUUID()]);
      expect(await texts(['shared', 'gone'])).toEqual(['shared kept']);
      await index.purge(user);
      expect(await texts(['shared', 'gone'])).toEqual(['shared kept']);
    });

    it('none of many parallel writes is lost', async () => {
      const rows = Array.from({ length: 300 }, (_, number) => chunk(`every n${number}`));
      await Promise.all(rows.map((row) => put([row])));
      const { passages } = await index.search(user, { terms: ['every'], limit: 1000 });
      expect(passages.length).toBe(300);
    });

    it('users are isolated, and one is removed completely', async () => {
      const stranger = randomUUID();
      const row = chunk('mine');
      await put([row]);
      await index.replace(stranger, [{ artifactId: row.artifactId, rows: [row] }]);
      await index.removeUser(user);
      expect(await texts(['mine'])).toEqual([]);
      expect((await index.search(stranger, { terms: ['mine'], limit: 5 })).passages.length).toBe(1);
    });

    it('the remaining artifacts are found if 9,900 of 10,000 are filtered out', async () => {
      const rows = Array.from({ length: 10_000 }, (_, number) =>
        chunk(number % 100 === 0 ? 'word rare filler filler filler' : 'word word word'),
      );
      await put(...rows.map((row) => [row]));
      await index.purge(user);
      await put([chunk('word unrelated')]);
      const remainingIds = rows
        .filter((_, number) => number % 100 === 0)
        .map((row) => row.artifactId);
      const dropped = rows.filter((_, number) => number % 100 !== 0).map((row) => row.artifactId);
      const search = async (limits: Limits) =>
        (await index.search(user, { terms: ['word'], limit: 50, ...sets(limits) })).passages;
      const keptSet = new Set(remainingIds);
      const only = await search({ only: remainingIds });
      expect(only.length).toBe(50);
      expect(only.every(({ row }) => keptSet.has(row.artifactId))).toBe(true);
      const without = await search({ exclude: dropped });
      expect(without.filter(({ row }) => keptSet.has(row.artifactId)).length).toBe(49);
      expect(without.map(({ row }) => row.text)).toContain('word unrelated');
      const combined = await search({
        only: [...remainingIds.slice(0, 3), ...dropped],
        exclude: dropped,
      });
      expect(combined.length).toBe(3);
    });

    it.each([[{ only: ["x' OR 1=1 --"] }], [{ exclude: ['..'] }], [{ only: [''] }]])(
      'ids that are not UUIDs are refused: %j',
      async (limits) => {
        await expect(
          index.search(user, { terms: ['a'], limit: 1, ...sets(limits) }),
        ).rejects.toThrow('UUID');
        await expect(index.remove(user, Object.values(limits).flat())).rejects.toThrow('UUID');
        await expect(index.search('../x', { terms: ['a'], limit: 1 })).rejects.toThrow('UUID');
      },
    );

    it('rows of another artifact are refused', async () => {
      const artifacts = [{ artifactId: randomUUID(), rows: [chunk('foreign')] }];
      await expect(index.replace(user, artifacts)).rejects.toThrow('does not belong');
    });

    it('scores are BM25 over all rows, in whatever order they were written', async () => {
      const word = constantFrom(
        ...'the of and tide moon harbour ship x-7 東京 rare1 rare2'.split(' '),
      );
      const document = array(word, { minLength: 1, maxLength: 12 });
      await assert(
        asyncProperty(
          array(document, { minLength: 1, maxLength: 40 }),
          array(document, { maxLength: 15 }),
          uniqueArray(word, { minLength: 1, maxLength: 4 }),
          integer({ min: 1, max: 60 }),
          async (merged, unmerged, terms, limit) => {
            const owner = randomUUID();
            const chunks = [...merged, ...unmerged].map((words) => chunk(words.join(' ')));
            const write = (rows: IndexRow[]) =>
              index.replace(
                owner,
                rows.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
              );
            await write(chunks.slice(0, merged.length));
            await index.purge(owner);
            await write(chunks.slice(merged.length));
            const { passages, frequencies } = await index.search(owner, { terms, limit });
            expect(frequencies).toEqual(exactFrequencies(chunks, terms));
            const exact = exactScores(chunks, terms);
            const expected = [...exact.values()].sort((a, b) => b - a).slice(0, limit);
            expect(passages.map(({ score }) => score)).toEqual(
              expected.map((score) => expect.closeTo(score, 4)),
            );
            for (const { row, score } of passages) {
              expect(score).toBeCloseTo(exact.get(row.artifactId) ?? 0, 4);
            }
            await index.removeUser(owner);
          },
        ),
        { numRuns: 15 },
      );
    });

    it('a removed artifact is never shown, and no search fails, during deletes and purges', async () => {
      const remaining = Array.from({ length: 40 }, (_, number) => chunk(`common stays s${number}`));
      await put(...remaining.map((row) => [row]));
      expect(await texts(['common'])).toHaveLength(10);
      const removed = new Set<string>();
      const loop = { stopped: false };
      let searches = 0;
      async function read() {
        while (!loop.stopped) {
          const goneBefore = new Set(removed);
          const { passages } = await index.search(user, {
            terms: ['common'],
            limit: 100,
          });
          const ids = new Set(passages.map(({ row }) => row.artifactId));
          expect([...goneBefore].filter((id) => ids.has(id))).toEqual([]);
          expect(remaining.filter((row) => !ids.has(row.artifactId))).toEqual([]);
          searches += 1;
        }
      }
      async function write() {
        try {
          for (let round = 0; round < 30; round += 1) {
            const temporary = Array.from({ length: 20 }, () => chunk('common passes'));
            await put(...temporary.map((row) => [row]));
            if (round % 2 === 0) await index.purge(user);
            const purging = round % 3 === 0 ? index.purge(user) : Promise.resolve();
            await index.remove(
              user,
              temporary.map((row) => row.artifactId),
            );
            for (const row of temporary) removed.add(row.artifactId);
            await purging;
            await index.purge(user);
          }
        } finally {
          loop.stopped = true;
        }
      }
      await Promise.all([write(), read(), read()]);
      expect(searches).toBeGreaterThan(8);
    });
  });
}

interface Limits {
  only?: string[];
  exclude?: string[];
}

const sets = ({ only, exclude }: Limits) => ({
  ...(only && { only: new Set(only) }),
  ...(exclude && { exclude: new Set(exclude) }),
});

function withoutTerms(row: IndexRow): Omit<IndexRow, 'terms'> {
  const { terms: _, ...returned } = row;
  return returned;
}

function asRow({ row }: FoundPassage): FoundPassage['row'] {
  return row;
}

/** The number of rows that contain each term, counted directly. */
function exactFrequencies(rows: IndexRow[], terms: string[]) {
  const counted = terms.map((term): [string, number] => [
    term,
    rows.filter((row) => row.terms.split(' ').includes(term)).length,
  ]);
  return { chunks: rows.length, documents: new Map(counted.filter(([, count]) => count > 0)) };
}

/** BM25 over all rows, calculated directly. Rows without a term are left out. */
function exactScores(rows: IndexRow[], terms: string[]): Map<string, number> {
  const documents = rows.map((row) => row.terms.split(' '));
  const average = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const scores = new Map<string, number>();
  for (const [index, words] of documents.entries()) {
    let score = 0;
    for (const term of terms) {
      const frequency = words.filter((word) => word === term).length;
      const inRows = documents.filter((document) => document.includes(term)).length;
      const idf = Math.log(1 + (documents.length - inRows + 0.5) / (inRows + 0.5));
      const norm = 1.2 * (0.25 + (0.75 * words.length) / average);
      score += (idf * 2.2 * frequency) / (frequency + norm);
    }
    if (score > 0) scores.set(rows[index]?.artifactId ?? '', score);
  }
  return scores;
}

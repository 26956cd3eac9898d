import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeSearchIndex } from '../../tests/index-suite.test-setup.ts';
import { chunk } from '../../tests/index-rows.test-setup.ts';
import { describeNarrowing } from '../../tests/narrowing-suite.test-setup.ts';
import type { IndexRow, SearchIndex } from '../../search-index.ts';
import { describeVectors } from '../../tests/vectors-suite.test-setup.ts';
import { indexName, openConnection, type UserDocuments } from '../connection.ts';
import { createTestIndex, testIndexName, testOpenSearchUrl } from './opensearch.test-setup.ts';
import { openOpenSearchIndex } from '../opensearch-index.ts';
import { replace } from '../write.ts';

const user = randomUUID();
const put = (index: SearchIndex, rows: IndexRow[], owner = user) =>
  index.replace(owner, [{ artifactId: rows[0]?.artifactId ?? '', rows }]);
const textsOf = async (index: SearchIndex, term: string, owner = user) =>
  (await index.search(owner, { terms: [term], limit: 1000 })).passages.map(({ row }) => row.text);

/** The connections of several servers to one index. */
function openServers(count: number) {
  const { name, remove } = testIndexName();
  const log = { warn: (details: object) => expect.fail(inspect(details)) };
  const options = { url: testOpenSearchUrl, name, log };
  const servers = Array.from({ length: count }, () => openOpenSearchIndex(options));
  const connection = openConnection(testOpenSearchUrl, indexName(name), log);
  onTestFinished(async () => {
    await Promise.all([...servers, connection].map((closable) => closable.close()));
    await remove();
  });
  return { servers, own: connection.documentsOf(user) };
}

describe.skipIf(!testOpenSearchUrl)('a real OpenSearch server', () => {
  describeSearchIndex('OpenSearch', createTestIndex);
  describeNarrowing('OpenSearch', createTestIndex);
  describeVectors('OpenSearch', createTestIndex);

  it('several servers that start together create one index', async () => {
    const { servers } = openServers(8);
    await Promise.all(servers.map((server) => put(server, [chunk('common')])));
    for (const server of servers) expect(await textsOf(server, 'common')).toHaveLength(8);
  });

  it('rows that one server wrote are visible to another in the next call', async () => {
    const [first, second] = openServers(2).servers as [SearchIndex, SearchIndex];
    const row = chunk('first');
    for (let round = 0; round < 5; round += 1) {
      const text = `round ${round}`;
      await put(round % 2 ? second : first, [{ ...row, text, terms: text }]);
      const reader = round % 2 ? first : second;
      expect(await textsOf(reader, 'round')).toEqual([text]);
      expect(await reader.size(user)).toBe(1);
    }
    await first.remove(user, [row.artifactId]);
    expect(await textsOf(second, 'round')).toEqual([]);
    expect(await second.artifactIds(user)).toEqual(new Set());
  });

  it('concurrent replacements of one file leave the rows of one server', async () => {
    const { servers } = openServers(4);
    const first = chunk('');
    const rowsOf = (server: number, round: number) =>
      Array.from({ length: 3 }, (_, ordinal) => {
        const text = `word server${server}-${round}`;
        return { ...first, ordinal, text, terms: text };
      });
    for (let round = 0; round < 5; round += 1) {
      const searching = textsOf(servers[0] as SearchIndex, 'word');
      await Promise.all(servers.map((server, index) => put(server, rowsOf(index, round))));
      expect(new Set(await searching).size).toBeLessThanOrEqual(1);
      const texts = await textsOf(servers[round % 4] as SearchIndex, 'word');
      expect(texts).toHaveLength(3);
      expect(new Set(texts).size).toBe(1);
    }
  });

  it('rows of two revisions are never visible together while a file is replaced repeatedly', async () => {
    const [writer, reader] = openServers(2).servers as [SearchIndex, SearchIndex];
    const first = chunk('');
    const write = (round: number) =>
      put(
        writer,
        Array.from({ length: 20 }, (_, ordinal) => {
          const text = `word round${round}`;
          return { ...first, ordinal, text, terms: text };
        }),
      );
    await write(0);
    const loop = { ended: false };
    const reading = async () => {
      let readCount = 0;
      while (!loop.ended) {
        const texts = await textsOf(reader, 'word');
        expect(new Set(texts).size).toBeLessThanOrEqual(1);
        // A search may return nothing if the file was replaced between its two steps.
        expect([0, 20]).toContain(texts.length);
        readCount += 1;
      }
      return readCount;
    };
    const writing = async () => {
      for (let round = 1; round < 8; round += 1) await write(round);
      loop.ended = true;
    };
    const [readCount] = await Promise.all([reading(), writing()]);
    expect(readCount).toBeGreaterThan(3);
    expect(await textsOf(reader, 'word')).toEqual(Array.from({ length: 20 }, () => 'word round7'));
  });

  it('an interrupted replacement leaves the earlier rows, and repeating it leaves no duplicates', async () => {
    const { servers, own } = openServers(1);
    const index = servers[0] as SearchIndex;
    const row = chunk('word before');
    await put(index, [row]);
    const rows = ['one', 'two', 'three'].map((text, ordinal) => {
      return { ...row, ordinal, text, terms: `word ${text}` };
    });
    const cut = { ...own, bulk: cutOff(own.bulk) };
    const artifacts = [{ artifactId: row.artifactId, rows }];
    await expect(replace(cut, artifacts, Date.now())).rejects.toThrow('cut off');
    await own.refresh();
    expect(await textsOf(index, 'word')).toEqual(['word before']);
    expect(await index.size(user)).toBe(1);
    await put(index, rows);
    expect((await textsOf(index, 'word')).toSorted()).toEqual(['one', 'three', 'two']);
    expect(await documents(own)).toBe(4);
  });

  it('a purge removes rows that a replacement left an hour ago', async () => {
    const { servers, own } = openServers(1);
    const index = servers[0] as SearchIndex;
    await put(index, [chunk('word kept')]);
    const row = chunk('word left');
    const later = chunk('word later');
    const longAgo = Date.now() - 2 * 3_600_000;
    for (const [document, at] of [
      [row, longAgo],
      [later, Date.now()],
    ] as const) {
      const cut = { ...own, bulk: cutOff(own.bulk) };
      const artifacts = [{ artifactId: document.artifactId, rows: [document] }];
      await expect(replace(cut, artifacts, at)).rejects.toThrow('cut off');
    }
    await own.refresh();
    expect(await documents(own)).toBe(4);
    await index.purge(user);
    // Rows that may still be in use stay.
    expect(await documents(own)).toBe(3);
    expect(await textsOf(index, 'word')).toEqual(['word kept']);
  });

  it('a filter may have more ids than one query allows', async () => {
    const { servers } = openServers(1);
    const index = servers[0] as SearchIndex;
    const rows = [chunk('word one'), chunk('word two'), chunk('word three')];
    for (const row of rows) await put(index, [row]);
    const strangers = Array.from({ length: 140_000 }, () => randomUUID());
    const [one, two] = rows.map(({ artifactId }) => artifactId) as [string, string];
    const only = new Set([one, ...strangers, two]);
    const { passages } = await index.search(user, { terms: ['word'], limit: 5, only });
    expect(passages.map(({ row }) => row.text).toSorted()).toEqual(['word one', 'word two']);
    const { passages: others } = await index.search(user, {
      terms: ['word'],
      limit: 5,
      exclude: only,
    });
    expect(others.map(({ row }) => row.text)).toEqual(['word three']);
  });

  it('the rarity of a word is measured by the rows of one user', async () => {
    const { servers } = openServers(1);
    const index = servers[0] as SearchIndex;
    const alone = await createTestIndex();
    onTestFinished(alone.dispose);
    const crowd = Array.from({ length: 400 }, (_, index) =>
      chunk(index % 2 ? 'rare rare rare' : 'filler other words'),
    );
    await index.replace(
      randomUUID(),
      crowd.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
    );
    for (const searched of [index, alone.index]) {
      for (const terms of ['rare common', 'common', 'common filler']) {
        const row = {
          ...chunk(terms),
          artifactId: `0000000${terms.length % 10}-0000-4000-8000-000000000000`,
        };
        await put(searched, [row]);
      }
    }
    const ask = async (searched: SearchIndex) =>
      (await searched.search(user, { terms: ['rare', 'common'], limit: 5 })).passages.map(
        ({ row, score }) => [row.text, score.toFixed(5)],
      );
    expect(await ask(index)).toEqual(await ask(alone.index));
  });

  it('removing a user leaves no rows', async () => {
    const { servers, own } = openServers(1);
    const index = servers[0] as SearchIndex;
    await put(index, [chunk('early')]);
    await index.removeUser(user);
    expect(await index.users()).toEqual([]);
    expect(await documents(own)).toBe(0);
  });
});

/** Sends the first bulk request and fails at the next one, as a killed process would. */
function cutOff<Bulk extends (...args: never[]) => Promise<unknown>>(bulk: Bulk): Bulk {
  let calls = 0;
  return (async (...args: never[]) => {
    calls += 1;
    if (calls === 2) throw new Error('cut off');
    return bulk(...args);
  }) as unknown as Bulk;
}

/** The number of the user's documents that a search sees. */
async function documents(own: UserDocuments): Promise<number> {
  const aggs = { own: { filter: { term: { user } } } };
  const { aggregations } = await own.search({ size: 0, aggs });
  return (aggregations as { own: { doc_count: number } }).own.doc_count;
}

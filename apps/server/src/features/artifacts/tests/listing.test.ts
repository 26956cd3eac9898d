import {
  deleteArtifact,
  type InputOf,
  listArtifacts,
  setArtifactArchived,
  setArtifactKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

type Query = NonNullable<InputOf<typeof listArtifacts>['query']>;

describe.each(testDatabases)('listing files (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let bob: SignedInUser;
  /** IDs of Ann's files by name. */
  const ids = new Map<string, string>();

  /** Uploads texts of different sizes one by one, so that each is newer than the previous one. */
  async function upload(user: SignedInUser, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const content = new Blob([name, 'x'.repeat(ids.size)]);
      const { data } = await user.client.upload(uploadArtifacts, [{ name, content }], {});
      if (user === ann) ids.set(name, data.artifacts[0]?.artifactId ?? '');
    }
  }

  const list = async (query: Query = {}, user = ann) => {
    const { data, ...rest } = await user.client.call(listArtifacts, { query });
    return { ...rest, names: data.map(({ artifactFileName }) => artifactFileName) };
  };
  const withId = (name: string) => ({ params: { artifactId: ids.get(name) ?? '' } });
  const byAge = ['Zebra.txt', 'apple.txt', '100%.txt', '100 days.txt', 'a_b.txt', 'aXb.txt'];

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
    await upload(ann, byAge);
    await upload(bob, ['100% of Bob.txt']);
    await engram.settled();
  });

  test('every sort order can be paged by offset and by cursor, with the total', async () => {
    const byName = ['100 days.txt', '100%.txt', 'a_b.txt', 'apple.txt', 'aXb.txt', 'Zebra.txt'];
    const { names: named } = await list({ sort: 'name' });
    // The order of signs and letters depends on the database.
    expect(named.filter((name) => /^\w+\.txt$/u.test(name) && name !== 'a_b.txt')).toEqual([
      'apple.txt',
      'aXb.txt',
      'Zebra.txt',
    ]);
    const orders = {
      created: byAge,
      '-created': byAge.toReversed(),
      name: named,
      '-name': named.toReversed(),
      size: (await list({ sort: 'size' })).names,
      '-size': (await list({ sort: 'size' })).names.toReversed(),
    } as const;
    expect(named.toSorted()).toEqual(byName.toSorted());
    for (const [sort, all] of Object.entries(orders) as [keyof typeof orders, string[]][]) {
      const byOffset: string[] = [];
      const byCursor: string[] = [];
      let cursor: string | undefined;
      for (let offset = 0; offset < all.length; offset += 4) {
        const page = await list({ sort, limit: 4, offset });
        expect(page.total).toBe(6);
        byOffset.push(...page.names);
        const next = await list({ sort, limit: 4, ...(cursor ? { cursor } : {}) });
        byCursor.push(...next.names);
        cursor = next.nextCursor ?? undefined;
      }
      expect(byOffset).toEqual(all);
      expect(byCursor).toEqual(all);
      expect(cursor).toBeUndefined();
    }
    expect(await list({ limit: 4, offset: 8 })).toMatchObject({ names: [], total: 6 });
    const last = await list({ limit: 2, offset: 3 });
    const rest = await list({ cursor: last.nextCursor ?? '' });
    expect(rest).toMatchObject({ names: byAge.toReversed().slice(5), total: 6, nextCursor: null });
  });

  test('paging by cursor lists each remaining file once while others are added and deleted', async () => {
    const first = await list({ limit: 2 });
    expect(first.names).toEqual(['aXb.txt', 'a_b.txt']);
    await upload(ann, ['newer.txt']);
    await ann.client.call(deleteArtifact, withId('aXb.txt'));
    await ann.client.call(deleteArtifact, withId('100 days.txt'));
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ names: ['100%.txt', 'apple.txt'], total: 5 });
    expect((await list({ limit: 2, cursor: second.nextCursor ?? '' })).names).toEqual([
      'Zebra.txt',
    ]);
    // An offset counts in the current list.
    expect((await list({ limit: 2, offset: 2 })).names).toEqual(['100%.txt', 'apple.txt']);
  });

  test('a search matches parts of names exactly, ignoring case', async () => {
    await upload(ann, ['Äpfel.txt', String.raw`back\slash.txt`]);
    for (const [q, expected] of [
      ['ZEB', ['Zebra.txt']],
      ['äPF', ['Äpfel.txt']],
      ['0%', ['100%.txt']],
      ['a_b', ['a_b.txt']],
      ['%', ['100%.txt']],
      [String.raw`\%`, []],
      ["'; --", []],
    ] as const) {
      const { names, total } = await list({ q, limit: 10 });
      expect({ q, names, total }).toEqual({ q, names: expected, total: expected.length });
    }
  });

  test("filters by words, archive, keyword and state combine, and apply to the caller's own files", async () => {
    for (const name of ['100%.txt', 'apple.txt']) {
      await ann.client.call(setArtifactKeywords, {
        body: { artifactId: ids.get(name) ?? '', keywords: ['Fruit'] },
      });
    }
    for (const name of ['apple.txt', 'Zebra.txt']) {
      const { artifactId } = withId(name).params;
      await ann.client.call(setArtifactArchived, { params: { artifactId, archived: 'true' } });
    }
    const narrowed = { q: 'P', archived: 'true', keyword: 'Fruit', limit: 10 } as const;
    expect(await list(narrowed)).toMatchObject({ names: ['apple.txt'], total: 1 });
    expect((await list({ ...narrowed, archived: 'false' })).names).toEqual([]);
    expect((await list({ archived: 'true' })).names).toEqual(['apple.txt', 'Zebra.txt']);
    expect(await list({ q: '100%', limit: 10, offset: 0 }, bob)).toMatchObject({
      names: ['100% of Bob.txt'],
      total: 1,
    });
    await engram.settled();
    expect((await list({ status: 'SUCCESS', archived: 'true' })).names).toHaveLength(2);
    expect(await list({ status: 'FAILED', limit: 1 })).toMatchObject({ names: [], total: 0 });
    // Another user's cursor only lists the caller's own files.
    const { nextCursor } = await list({ limit: 1 });
    expect((await list({ cursor: nextCursor ?? '' }, bob)).names).toEqual(['100% of Bob.txt']);
  });

  test('an invalid cursor or offset is rejected', async () => {
    const { nextCursor } = await list({ limit: 1 });
    const cursorOf = (...place: unknown[]): string =>
      Buffer.from(JSON.stringify(place)).toString('base64url');
    for (const query of [
      { limit: 1, cursor: 'nonsense' },
      { limit: 1, cursor: nextCursor ?? '', sort: 'name' },
      { limit: 1, sort: 'name', cursor: cursorOf('name', 'a\0', ids.get('apple.txt')) },
      { limit: 1, cursor: nextCursor ?? '', offset: 0 },
      { limit: 1, offset: -1 },
      { limit: 1, offset: 1e12 },
      { limit: 0 },
    ] as const) {
      await expect(list(query)).rejects.toMatchObject({ status: 400 });
    }
  });
});

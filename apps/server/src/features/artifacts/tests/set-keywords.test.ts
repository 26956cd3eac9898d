import {
  type Artifact,
  listArtifacts,
  listKeywords,
  search,
  setArtifactKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe.each(testDatabases)('keywords of a file (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let lease: string;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    const text = 'Either party may end the lease with three months notice.';
    const { data } = await ann.client.upload(
      uploadArtifacts,
      [
        { name: 'lease.txt', content: new Blob([text]) },
        { name: 'pond.txt', content: new Blob(['The heron nests beside the mill pond.']) },
      ],
      { filesKeywords: '{"lease.txt": ["Home"]}' },
    );
    lease = data.artifacts[0]?.artifactId ?? '';
    await engram.settled();
  });

  const set = async (keywords: string[], user = ann): Promise<Artifact> => {
    const body = { artifactId: lease, keywords };
    return (await user.client.call(setArtifactKeywords, { body })).data;
  };
  const ask = async (text: string, keywords: string[] = []) =>
    (await ann.client.call(search, { body: { text, audio: false, keywords } })).data;
  const QUESTION = 'How long is the notice of the lease?';

  /** Files that a search finds by a word. */
  const foundBy = async (word: string): Promise<string[]> =>
    (await ask(word)).similar_vectors.map(({ artifactId }) => artifactId);

  test("are replaced, are added to the user's list, and limit questions immediately", async () => {
    await set(['Home']);
    const { message, data } = await ann.client.call(setArtifactKeywords, {
      body: { artifactId: lease, keywords: ['Tenancy', 'work', 'tenancy'] },
    });
    expect(message).toBe('Keywords updated successfully');
    // 'work' gets the spelling of the user's list.
    expect(data.keywords).toEqual(['Tenancy', 'Work']);
    expect((await ask(QUESTION, ['Tenancy'])).citations[0]?.artifactId).toBe(lease);
    expect((await ask(QUESTION, ['Home'])).grounded).toBe(false);
    const { data: list } = await ann.client.call(listKeywords, {});
    expect(list.map(({ keyword }) => keyword)).toContain('Tenancy');
    const { data: files } = await ann.client.call(listArtifacts, { query: { keyword: 'Tenancy' } });
    expect(files.map(({ artifactId }) => artifactId)).toEqual([lease]);
  });

  test('are searchable, and removed ones no longer are', async () => {
    await set(['Quokka']);
    await engram.settled();
    expect(await foundBy('quokka')).toEqual([lease]);
    await set(['Wombat']);
    await engram.settled();
    expect(await foundBy('wombat')).toEqual([lease]);
    expect(await foundBy('quokka')).toEqual([]);
    await set([]);
    await engram.settled();
    expect(await foundBy('wombat')).toEqual([]);
  });

  test('do not remove the file from answers while they change', async () => {
    const places = [0, 1, 2].map((ordinal) => ({ artifactId: lease, ordinal }));
    const rows = () => engram.deps.index.rowsAt(ann.userId, places);
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
    for (const keyword of ['One', 'Two', 'Three']) {
      const data = await set([keyword]);
      expect(data).toMatchObject({ uploadStatus: 'SUCCESS', isVectorReady: true });
      expect((await ask(QUESTION)).citations[0]?.artifactId).toBe(lease);
    }
    await engram.settled();
    expect(await rows()).toEqual(before);
  });

  test('are searchable if they change during extraction', async () => {
    const content = `The walrus sleeps. ${'It snores in the afternoon. '.repeat(5000)}`;
    const { data } = await ann.client.upload(
      uploadArtifacts,
      [{ name: 'walrus.txt', content: new Blob([content]) }],
      { keywords: '["Before"]' },
    );
    const artifactId = data.artifacts[0]?.artifactId ?? '';
    await ann.client.call(setArtifactKeywords, { body: { artifactId, keywords: ['Narwhal'] } });
    await engram.settled();
    expect(await foundBy('narwhal')).toEqual([artifactId]);
    expect(await foundBy('before')).toEqual([]);
  });

  test('are limited and belong to one user', async () => {
    await expect(set(['a'.repeat(26)])).rejects.toMatchObject({
      status: 400,
      message: 'A keyword can have at most 25 characters.',
    });
    await expect(set(['two words'])).rejects.toMatchObject({ status: 400 });
    await expect(set(Array.from({ length: 51 }, (_, n) => `k${n}`))).rejects.toMatchObject({
      status: 400,
    });
    const bob = await engram.signIn('bob@example.org');
    await expect(set(['Mine'], bob)).rejects.toMatchObject({ status: 404 });
    // The rejected call did not add a keyword for Bob.
    const { data } = await bob.client.call(listKeywords, {});
    expect(data.map(({ keyword }) => keyword)).not.toContain('Mine');
  });
});

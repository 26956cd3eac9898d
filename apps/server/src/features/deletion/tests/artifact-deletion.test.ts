import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  deleteAllArtifacts,
  deleteArtifact,
  deleteArtifacts,
  getArtifactText,
  getHistoryEntry,
  listArtifacts,
  listHistory,
  search,
  signArtifact,
  uploadArtifacts,
} from '@engram/contract';
import type { UploadFile } from '@engram/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe.each(testDatabases)('deleting (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let userCount = 0;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
  });

  async function upload(user: SignedInUser, texts: readonly string[]): Promise<string[]> {
    const files = texts.map((text, n): UploadFile => ({
      name: `note ${n}.txt`,
      content: new Blob([text]),
    }));
    const { data } = await user.client.upload(uploadArtifacts, files, {});
    return data.artifacts.map(({ artifactId }) => artifactId);
  }

  const ask = async (text: string) =>
    (await ann.client.call(search, { body: { text, audio: false } })).data;

  const remove = async (user: SignedInUser, ids: string[]) =>
    (await user.client.call(deleteArtifacts, { body: ids })).data;

  const listed = async (user: SignedInUser) =>
    (await user.client.call(listArtifacts, {})).data.map(({ artifactId }) => artifactId);

  /** Folders of artifacts that still have bytes. */
  const storedOf = async (user: SignedInUser): Promise<string[]> => {
    const keys = await engram.deps.files.list(user.userId);
    return [...new Set(keys.map((key) => key.split('/')[1] ?? ''))];
  };

  test('row, bytes, text and link of a file are removed', async () => {
    const [artifactId = ''] = await upload(ann, ['The canary sings at noon.']);
    await engram.settled();
    const params = { artifactId };
    const { data } = await ann.client.call(signArtifact, { params });
    const { message } = await ann.client.call(deleteArtifact, { params });
    expect(message).toBe('Artifact Deleted successfully');
    expect(await listed(ann)).toEqual([]);
    expect((await fetch(engram.origin + data.presignedUrl)).status).toBe(404);
    const notFound = { status: 404, message: 'There is no such file.' };
    await expect(ann.client.text(getArtifactText, { params })).rejects.toMatchObject(notFound);
    await expect(ann.client.call(deleteArtifact, { params })).rejects.toMatchObject(notFound);
    await engram.settled();
    expect(await storedOf(ann)).toEqual([]);
  });

  test("returns the deleted files, without unknown, repeated and other users' ones", async () => {
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const [first = '', second = '', remaining = ''] = await upload(ann, ['One.', 'Two.', 'Three.']);
    const [foreign = ''] = await upload(bob, ['For Bob alone.']);
    await engram.settled();
    const unknown = '00000000-0000-4000-8000-000000000000';
    const deletedIds = await remove(ann, [first, foreign, unknown, second, first]);
    expect(deletedIds.toSorted()).toEqual([first, second].toSorted());
    expect(await remove(ann, [first, second])).toEqual([]);
    await engram.settled();
    expect(await listed(ann)).toEqual([remaining]);
    expect(await listed(bob)).toEqual([foreign]);
    expect(await storedOf(ann)).toEqual([remaining]);
    expect(await engram.deps.index.artifactIds(ann.userId)).toEqual(new Set([remaining]));
    expect(await storedOf(bob)).toEqual([foreign]);
  });

  test.each([[[]], [['no id']], [Array.from({ length: 10_001 }, () => crypto.randomUUID())]])(
    'rejects a list that is empty, malformed or too long',
    async (ids) => {
      await expect(remove(ann, ids)).rejects.toMatchObject({ status: 400 });
    },
  );

  test("removes the files' contents from all earlier answers, and nothing else", async () => {
    const [boathouse = '', boiler = ''] = await upload(ann, [
      'The deposit for the boathouse is 2,340 euros.',
      'The boiler in the cellar was serviced in May.',
      'The heron nests beside the mill pond in spring.',
    ]);
    await engram.settled();
    const first = await ask('How much is the deposit for the boathouse?');
    const second = await ask('When was the boiler in the cellar serviced?');
    const third = await ask('Where does the heron nest in spring?');
    await remove(ann, [boathouse, boiler]);
    for (const { history_id: id } of [first, second]) {
      const { data } = await ann.client.call(getHistoryEntry, { query: { id } });
      expect(data.answers[0]).toMatch(/^Removed: the file was deleted\./u);
      const { answers, citations, found, similarVectors, recommendations } = data;
      expect(
        JSON.stringify([answers, citations, found, similarVectors, recommendations]),
      ).not.toMatch(/boathouse|boiler|2,340/u);
    }
    const query = { id: third.history_id };
    const { data: remaining } = await ann.client.call(getHistoryEntry, { query });
    expect(remaining.answers[0]).toContain('The heron nests beside the mill pond in spring.');
    expect(remaining.citations[0]).toEqual(third.citations[0]);
    expect((await ask('How much is the deposit for the boathouse?')).grounded).toBe(false);
  });

  test('all files can be deleted without the history', async () => {
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const foreign = await upload(bob, ['For Bob alone.']);
    await upload(ann, ['One.', 'Two.', 'Three.']);
    await ask('What is one?');
    const { message } = await ann.client.call(deleteAllArtifacts, {});
    expect(message).toBe('Files deleted successfully.');
    expect(await listed(ann)).toEqual([]);
    await engram.settled();
    expect(await storedOf(ann)).toEqual([]);
    expect((await ann.client.call(listHistory, {})).data).toHaveLength(1);
    expect(await listed(bob)).toEqual(foreign);
    // Deleting nothing is not an error.
    await ann.client.call(deleteAllArtifacts, {});
  });

  test('waiting and running extractions of deleted files store nothing', async () => {
    const ids = await upload(
      ann,
      Array.from(
        { length: 60 },
        (_, n) => `Note ${n}. ${'The mill stands by the river. '.repeat(400)}`,
      ),
    );
    const [single = '', ...rest] = ids;
    await ann.client.call(deleteArtifact, { params: { artifactId: single } });
    expect((await remove(ann, rest)).length).toBe(rest.length);
    await engram.settled();
    expect(await storedOf(ann)).toEqual([]);
    expect(await engram.deps.index.artifactIds(ann.userId)).toEqual(new Set());
    const folder = path.join(engram.folder, 'files/.incoming');
    expect(await readdir(folder)).toEqual([]);
  });
});

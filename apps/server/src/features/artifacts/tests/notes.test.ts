import {
  editNote,
  getArtifactText,
  listArtifacts,
  search,
  setArtifactKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe.each(testDatabases)('editing notes (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let bob: SignedInUser;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
  });

  async function addNote(artifactText: string): Promise<string> {
    const { data } = await ann.client.upload(uploadArtifacts, [], { artifactText });
    await engram.settled();
    return data.artifacts[0]!.artifactId;
  }

  const edit = async (artifactId: string, text: string, user = ann) =>
    (await user.client.call(editNote, { params: { artifactId }, body: { text } })).data;

  const ids = async (): Promise<string[]> =>
    (await ann.client.call(listArtifacts, {})).data.map(({ artifactId }) => artifactId);

  test('the new text replaces the old one once it is ready', async () => {
    const old = await addNote('The plumber comes on Tuesday.');
    await ann.client.call(setArtifactKeywords, { body: { artifactId: old, keywords: ['Home'] } });
    const { artifactId, fileName } = await edit(old, 'The plumber comes on Friday.');
    expect(artifactId).not.toBe(old);
    expect(fileName).toBe('The plumber comes on Friday.txt');

    await engram.settled();
    expect(await ids()).toEqual([artifactId]);
    const { data } = await ann.client.call(listArtifacts, {});
    expect(data[0]).toMatchObject({ source: 'Text', keywords: ['Home'], isVectorReady: true });
    const { data: answer } = await ann.client.call(search, {
      body: { text: 'When does the plumber come?', audio: false },
    });
    expect(answer.citations.map((citation) => citation.artifactId)).toEqual([artifactId]);
    expect(answer.citations[0]!.quote).toContain('Friday');
  });

  test('an unchanged text stays the same artifact', async () => {
    const note = await addNote('The key is with the neighbours.');
    expect(await edit(note, 'The key is with the neighbours.')).toMatchObject({
      artifactId: note,
      duplicate: true,
    });
    await engram.settled();
    expect(await ids()).toContain(note);
  });

  test('the second of two changes to the same text is rejected, before and after the first is ready', async () => {
    const note = await addNote('Bins go out on Monday.');
    const [first, second] = await Promise.allSettled([
      edit(note, 'Bins go out on Sunday.'),
      edit(note, 'Bins go out on Saturday.'),
    ]);
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    await engram.settled();
    await expect(edit(note, 'Bins go out daily.')).rejects.toMatchObject({ status: 404 });
  });

  test("an empty or too long text, a file and another user's note are rejected", async () => {
    const note = await addNote('A spare bulb lies in the cellar.');
    await expect(edit(note, ' \n ')).rejects.toMatchObject({ status: 400, code: 'empty_note' });
    await expect(edit(note, 'word '.repeat(501))).rejects.toMatchObject({
      status: 400,
      message: 'Maximum word limit reached of 500 words',
    });
    await expect(edit(note, 'Mine now', bob)).rejects.toMatchObject({ status: 404 });
    const lease = { name: 'lease.txt', content: new Blob(['The deposit is 2,340 euros.']) };
    const { data } = await ann.client.upload(uploadArtifacts, [lease], {});
    const file = data.artifacts[0]!.artifactId;
    await expect(edit(file, 'Another')).rejects.toMatchObject({ status: 409, code: 'not_a_note' });
    const params = { artifactId: note };
    expect(await ann.client.text(getArtifactText, { params })).toBe(
      'A spare bulb lies in the cellar.',
    );
  });
});

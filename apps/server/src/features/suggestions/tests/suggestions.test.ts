import {
  addKeywordByBody,
  deleteArtifact,
  search,
  setArtifactArchived,
  SUGGESTION_BYTES,
  SUGGESTION_LIMIT,
  suggestions,
  updateHistory,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const LEASE = `The residential lease agreement is for the flat in Juniper Street. The security deposit is 1,725 euros.

The password: hunter2 Blue Falcon

Margaret Holloway is the landlord. The security deposit is held by the Northgate Deposit Scheme.`;

describe.each(testDatabases)('suggestions (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let lease: string;

  const suggested = async (user = ann): Promise<string[]> =>
    (await user.client.call(suggestions, {})).data;

  async function upload(name: string, text: string, user = ann): Promise<string> {
    const content = new Blob([text]);
    const { data } = await user.client.upload(uploadArtifacts, [{ name, content }], {});
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  }

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    lease = await upload('lease_agreement-2024.txt', LEASE);
  });

  test('keywords, file names, phrases and earlier questions are suggested', async () => {
    await ann.client.call(addKeywordByBody, { body: { keyword: 'Juniper' } });
    const text = 'Who is the landlord?';
    await ann.client.call(search, { body: { text, audio: false } });
    const suggestions = await suggested();
    expect(suggestions[0]).toBe(text);
    expect(suggestions).toEqual(
      expect.arrayContaining([
        'Juniper',
        'lease agreement 2024',
        'security deposit',
        'Northgate Deposit Scheme',
      ]),
    );
    expect(suggestions.join('\n')).not.toMatch(/hunter2|falcon/iu);
  });

  test('an archived question is not suggested, and a repeated one is suggested once', async () => {
    const ask = async (text: string) =>
      (await ann.client.call(search, { body: { text, audio: false } })).data.history_id;
    const historyId = await ask('How much is the security deposit?');
    await ask('Where is the flat?');
    await ask('where is the flat');
    expect((await suggested()).filter((text) => /where is the flat/iu.test(text))).toEqual([
      'where is the flat',
    ]);
    expect(await suggested()).toContain('How much is the security deposit?');
    await ann.client.call(updateHistory, { body: { historyId, isArchived: true } });
    expect(await suggested()).not.toContain('How much is the security deposit?');
  });

  test("suggestions never come from another user's files", async () => {
    const bob = await engram.signIn('bob@example.org');
    expect((await suggested(bob)).join('\n')).not.toMatch(/lease|deposit|Holloway|landlord/iu);
    await upload('boat.txt', 'Olga Petrenko owns the boat.', bob);
    expect(await suggested(bob)).toEqual(expect.arrayContaining(['boat', 'Olga Petrenko']));
    expect((await suggested()).join('\n')).not.toContain('Petrenko');
  });

  test('suggestions from an archived or deleted file are removed immediately', async () => {
    expect(await suggested()).toContain('Northgate Deposit Scheme');
    const archive = (archived: 'true' | 'false') =>
      ann.client.call(setArtifactArchived, { params: { artifactId: lease, archived } });
    const expectGone = async () =>
      expect((await suggested()).join('\n')).not.toMatch(/lease|security|Holloway|Northgate/u);
    await archive('true');
    await expectGone();
    await archive('false');
    expect(await suggested()).toContain('Northgate Deposit Scheme');
    await ann.client.call(deleteArtifact, { params: { artifactId: lease } });
    await expectGone();
    expect(await suggested()).toContain('Who is the landlord?');
  });

  test('the limits are respected', async () => {
    const carla = await engram.signIn('carla@example.org');
    const files = Array.from({ length: 60 }, (_, i) => ({
      name: `${'long name '.repeat(12)}${i}.txt`,
      content: new Blob([`Note ${i}`]),
    }));
    for (let copy = 0; copy < 12; copy += 1) {
      const batch = files.map(({ name }, i) => ({
        name: `${copy} ${name}`,
        content: new Blob([`Note ${copy} ${i} of the ${'ocean liner '.repeat(3)}`]),
      }));
      await carla.client.upload(uploadArtifacts, batch, {});
    }
    await engram.settled();
    const suggestions = await suggested(carla);
    expect(suggestions.length).toBeLessThanOrEqual(SUGGESTION_LIMIT);
    expect(Buffer.byteLength(JSON.stringify(suggestions))).toBeLessThanOrEqual(SUGGESTION_BYTES);
    expect(Math.max(...suggestions.map((text) => text.length))).toBeLessThanOrEqual(80);
  });
});

import {
  API_KEY_HEADER,
  deleteAllArtifacts,
  deleteArtifacts,
  generateApiKey,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { deviceFolder, shaOf } from '../../../tests/device-folder.test-setup.ts';
import { formOf, plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe.each(testDatabases)('contents that a user deleted (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  let ann: SignedInUser;
  let folder: ReturnType<typeof deviceFolder>;
  let pc: string;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    folder = deviceFolder(engram, ann);
    pc = await folder.register();
  });

  const stateOf = async (text: string) => (await folder.check([text]))[0]?.state;

  test('are not uploaded from a folder again', async () => {
    const texts = ['One heron.', 'Two herons.', 'Three herons.', 'Four herons.'];
    const ids: string[] = [];
    for (const [n, text] of texts.entries()) {
      ids.push(await folder.send(pc, { path: `Papers/${n}.txt`, text }));
    }
    await folder.remove(ids[0] ?? '');
    await ann.client.call(deleteArtifacts, { body: [ids[1] ?? ''] });
    await ann.client.call(deleteAllArtifacts, {});
    await engram.settled();
    expect(await Promise.all(texts.map(stateOf))).toEqual(texts.map(() => 'deleted'));
    const uploading = folder.upload(
      pc,
      texts.map((text) => ({ path: 'Papers/x.txt', text })),
    );
    await expect(uploading).rejects.toMatchObject({ status: 409, code: 'deleted_by_person' });
    expect(await folder.listed()).toEqual([]);
  });

  test('are stored as keyed hashes for that user', async () => {
    const text = 'The otter sleeps.';
    await folder.remove(await folder.send(pc, { path: 'Papers/otter.txt', text }));
    const { rows } = await engram.deps.database.pool.query(
      'SELECT content FROM deleted_contents WHERE user_id = $1',
      [ann.userId],
    );
    expect(rows).toHaveLength(1);
    const table = JSON.stringify(rows);
    expect(table).not.toContain(shaOf(text));
    expect(table).not.toContain(Buffer.from(shaOf(text), 'hex').toString('base64url'));
    const bob = deviceFolder(engram, await engram.signIn(`bob${userCount}@example.org`));
    const bobsDevice = await bob.register();
    expect((await bob.check([text]))[0]?.state).toBe('new');
    expect(await bob.send(bobsDevice, { path: 'Bob/otter.txt', text })).not.toBe('');
  });

  test('are accepted from a folder if they were never in one', async () => {
    const text = 'The raft is ready.';
    await folder.remove(await folder.send(undefined, { path: 'raft.txt', text }));
    expect(await stateOf(text)).toBe('new');
  });

  test('can be uploaded again by apps and assistants', async () => {
    const uploaded = 'The lock has four gates.';
    const added = 'The weir has two arms.';
    for (const text of [uploaded, added]) {
      await folder.remove(await folder.send(pc, { path: 'Papers/x.txt', text }));
    }
    const { data: key } = await ann.client.call(generateApiKey, {
      params: { name: 'Import' },
      body: {},
    });
    const { call } = plainCalls(engram);
    const body = formOf({}, { name: 'lock.txt', content: uploaded });
    const headers = { [API_KEY_HEADER]: key.apiKey };
    expect((await call('POST /artifacts/upload', { headers, body })).status).toBe(200);
    const ids = { sessionId: null, apiKeyId: null, connectionId: null };
    const owner = { userId: ann.userId, email: ann.email, ...ids };
    await engram.deps.services.artifacts.addText(owner, {
      title: 'Weir',
      text: added,
      keywords: [],
    });
    await engram.settled();
    for (const text of [uploaded, added]) {
      expect(await stateOf(text)).toBe('known');
      // The upload of the device is not rejected.
      expect(await folder.send(pc, { path: 'Papers/x.txt', text })).not.toBe('');
    }
  });

  test('are not uploaded by a device at the same time', async () => {
    for (let n = 0; n < 12; n += 1) {
      const text = `The buoy has the number ${n}.`;
      const file = { path: `Papers/${n}.txt`, text };
      const id = await folder.send(pc, file);
      await Promise.allSettled([folder.remove(id), folder.upload(pc, [file])]);
      await engram.settled();
      expect(await stateOf(text)).toBe('deleted');
    }
    expect(await folder.listed()).toEqual([]);
  });

  test("stay deleted if the user's upload was rejected", async () => {
    const text = 'The sluice is shut.';
    await folder.remove(await folder.send(pc, { path: 'Papers/sluice.txt', text }));
    const { call } = plainCalls(engram);
    const body = formOf(
      { artifactText: 'word '.repeat(501) },
      { name: 'sluice.txt', content: text },
    );
    expect((await call('POST /artifacts/upload', { token: ann.token, body })).status).toBe(400);
    expect(await stateOf(text)).toBe('deleted');
  });
});

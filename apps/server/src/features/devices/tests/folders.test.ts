import { createHash } from 'node:crypto';
import {
  checkArtifacts,
  deleteArtifact,
  endDevice,
  listArtifacts,
  listDevices,
  placeArtifact,
  reportDevice,
  search,
  setArtifactArchived,
  setArtifactKeywords,
  steerDevice,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Sent {
  path: string;
  text: string;
  replaces?: string | undefined;
  modifiedAt?: string;
}

describe.each(testDatabases)('a synced folder (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let deviceId: string;

  const register = async (user: SignedInUser, name = 'Home-PC') => {
    const body = { name, platform: 'Linux', version: '0.1.0' };
    return (await user.client.call(reportDevice, { body })).data.id;
  };

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    deviceId = await register(ann);
  });

  const sendAs = async (user: SignedInUser, device: string | undefined, files: Sent[]) => {
    const { data } = await user.client.upload(
      uploadArtifacts,
      files.map(({ path, text }) => ({
        name: path.split('/').at(-1) ?? '',
        content: new Blob([text]),
      })),
      {
        meta: JSON.stringify(
          files.map(({ path, replaces, modifiedAt }) => ({ path, replaces, modifiedAt })),
        ),
        ...(device ? { deviceId: device } : {}),
      },
    );
    return data;
  };
  /** Sends a file of the folder, and returns its artifact. */
  const send = async (file: Sent): Promise<string> => {
    const { artifacts } = await sendAs(ann, deviceId, [file]);
    await engram.settled();
    return artifacts[0]?.artifactId ?? '';
  };
  const check = async (texts: string[], path = 'Papers/a.txt', size?: number) => {
    const files = texts.map((text) => ({
      sha256: shaOf(text),
      size: size ?? text.length,
      path,
    }));
    return (await ann.client.call(checkArtifacts, { body: { files } })).data;
  };
  const listed = async () => (await ann.client.call(listArtifacts, {})).data;
  const find = async (id: string) => (await listed()).find((file) => file.artifactId === id);
  const place = (id: string, path: string, replaces?: string) =>
    ann.client.call(placeArtifact, {
      params: { artifactId: id },
      body: { path, deviceId, replaces },
    });

  test('sends files with their paths, by which lists can be filtered', async () => {
    const id = await send({
      path: 'Papers/tax/2025/notice.txt',
      text: 'The tax of 2025 is due on 1 May.',
      modifiedAt: '2025-11-02T10:00:00.000Z',
    });
    expect(await find(id)).toMatchObject({
      artifactFileName: 'notice.txt',
      path: 'Papers/tax/2025/notice.txt',
      modifiedAt: '2025-11-02T10:00:00.000Z',
      source: 'Connector',
      deviceUsed: 'Home-PC',
    });
    const { data } = await ann.client.call(listArtifacts, { query: { q: 'TAX/2025' } });
    expect(data.map(({ artifactId }) => artifactId)).toEqual([id]);
  });

  test('is listed alone, even if other folders have similar names', async () => {
    const [inside] = (
      await sendAs(ann, deviceId, [
        { path: 'Deeds/100%/mill/deed.txt', text: 'The mill was sold in 1911.' },
        { path: 'Deeds/100% more/deed.txt', text: 'The barn was sold in 1912.' },
        { path: 'deeds/100%/mill/deed.txt', text: 'The weir was sold in 1913.' },
      ])
    ).artifacts;
    const inFolder = async (folder: string) =>
      (await ann.client.call(listArtifacts, { query: { folder } })).data;
    expect(await inFolder('Deeds')).toHaveLength(2);
    for (const folder of ['Deeds/100%', 'Deeds/100%/mill']) {
      expect(await inFolder(folder)).toMatchObject([{ artifactId: inside?.artifactId }]);
    }
    expect(await inFolder('Deeds/100%/mill/deed.txt')).toEqual([]);
    await expect(inFolder('../Deeds')).rejects.toMatchObject({ status: 400 });
    await engram.settled();
  });

  test('gets the state of each file: known, new, refused or failed', async () => {
    const known = await send({ path: 'Papers/known.txt', text: 'The pump is in the cellar.' });
    expect(await check(['The pump is in the cellar.', 'something else'])).toEqual([
      {
        sha256: shaOf('The pump is in the cellar.'),
        state: 'known',
        artifactId: known,
        reason: null,
      },
      { sha256: shaOf('something else'), state: 'new', artifactId: null, reason: null },
    ]);
    const [program] = await check(['MZ'], 'Papers/setup.exe');
    expect(program).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('setup.exe'),
    });
    const [empty] = await check([''], 'Papers/empty.txt');
    expect(empty).toMatchObject({ state: 'refused', reason: expect.stringContaining('empty') });
    const [huge] = await check(['x'], 'Papers/huge.txt', 10 ** 12);
    expect(huge).toMatchObject({ state: 'refused', reason: expect.stringContaining('too large') });
    const broken = await send({ path: 'Papers/broken.pdf', text: '%PDF-1.7 and no more' });
    const [unreadable] = await check(['%PDF-1.7 and no more'], 'Papers/broken.pdf');
    expect(unreadable).toMatchObject({ state: 'refused', artifactId: broken });
    expect(unreadable?.reason).toBeTruthy();
  });

  test('renames files without bytes, and answers use the new name', async () => {
    const text = 'The heron nests beside the mill pond.';
    const id = await send({ path: 'Papers/heron.txt', text });
    await place(id, 'Papers/birds/grey heron.txt');
    expect(await find(id)).toMatchObject({
      path: 'Papers/birds/grey heron.txt',
      artifactFileName: 'grey heron.txt',
    });
    const body = { text: 'Where does the heron nest?', audio: false };
    const { data } = await ann.client.call(search, { body });
    expect(data.citations[0]?.fileName).toBe('grey heron.txt');
  });

  test('replaces a changed file once it is ready, and keeps its keywords', async () => {
    const first = await send({ path: 'Papers/plan.txt', text: 'The fair opens on 3 June.' });
    await ann.client.call(setArtifactKeywords, { body: { artifactId: first, keywords: ['Fair'] } });
    const second = await send({
      path: 'Papers/plan.txt',
      text: 'The fair opens on 9 June.',
      replaces: first,
    });
    expect(await find(first)).toBeUndefined();
    expect(await find(second)).toMatchObject({ keywords: ['Fair'] });
    expect(await check(['The fair opens on 3 June.'])).toMatchObject([{ state: 'new' }]);
  });

  test('keeps the old version if the new one fails, until the next one is ready', async () => {
    const first = await send({ path: 'Papers/map.txt', text: 'The well is north of the barn.' });
    const failed = await send({
      path: 'Papers/map.txt',
      text: '%PDF-1.7 broken by half a save',
      replaces: first,
    });
    expect(await find(first)).toMatchObject({ isVectorReady: true });
    expect(await find(failed)).toMatchObject({ uploadStatus: 'FAILED' });
    const third = await send({
      path: 'Papers/map.txt',
      text: 'The well is south of the barn.',
      replaces: failed,
    });
    expect(await find(first)).toBeUndefined();
    expect(await find(failed)).toBeUndefined();
    expect(await find(third)).toMatchObject({ isVectorReady: true });
  });

  test('accepts earlier bytes again without deleting them', async () => {
    const first = await send({ path: 'Papers/price.txt', text: 'The boat costs 900 euros.' });
    const second = await send({
      path: 'Papers/price.txt',
      text: '%PDF-1.7 a price that cannot be read',
      replaces: first,
    });
    await place(first, 'Papers/price.txt', second);
    await engram.settled();
    expect(await find(second)).toBeUndefined();
    expect(await find(first)).toMatchObject({ path: 'Papers/price.txt' });
  });

  test('keeps a file archived in its next version', async () => {
    const first = await send({ path: 'Papers/old.txt', text: 'The old roof leaks.' });
    await ann.client.call(setArtifactArchived, { params: { artifactId: first, archived: 'true' } });
    const second = await send({
      path: 'Papers/old.txt',
      text: 'The old roof leaks no more.',
      replaces: first,
    });
    expect(await find(second)).toMatchObject({ artifactArchived: true });
  });

  test('does not rename or replace files that the user uploaded', async () => {
    const text = 'The cat is called Miso.';
    const uploaded = { name: 'cat.txt', content: new Blob([text]) };
    const { data } = await ann.client.upload(uploadArtifacts, [uploaded], {});
    await engram.settled();
    const id = data.artifacts[0]?.artifactId ?? '';
    await place(id, 'Papers/pets/kitten.txt');
    expect(await find(id)).toMatchObject({
      artifactFileName: 'cat.txt',
      path: 'Papers/pets/kitten.txt',
      source: 'Web',
    });
    await send({ path: 'Papers/pets/kitten.txt', text: 'The cat is called Soba.', replaces: id });
    expect(await find(id)).toBeDefined();
  });

  test('does not upload files that the user deleted, unless the user uploads them again', async () => {
    const text = 'The password of the boathouse is otter.';
    const id = await send({ path: 'Papers/secret.txt', text });
    await ann.client.call(deleteArtifact, { params: { artifactId: id } });
    await engram.settled();
    expect(await check([text])).toMatchObject([{ state: 'deleted', artifactId: null }]);
    const other = { path: 'Papers/other.txt', text: 'The other file is fine.' };
    const uploading = await sendAs(ann, deviceId, [{ path: 'Papers/secret.txt', text }, other]);
    expect(uploading.rejected).toMatchObject([
      { fileName: 'secret.txt', code: 'deleted_by_person' },
    ]);
    expect(uploading.artifacts).toMatchObject([{ fileName: 'other.txt' }]);
    await ann.client.upload(uploadArtifacts, [{ name: 'a.txt', content: new Blob([text]) }], {});
    await engram.settled();
    expect(await check([text])).toMatchObject([{ state: 'known' }]);
  });

  test('gets an error for a rejected upload, of which nothing is stored', async () => {
    const file = { path: 'Papers/x.txt', text: 'x marks the spot' };
    const unknownDevice = '00000000-0000-4000-8000-000000000000';
    await expect(sendAs(ann, unknownDevice, [file])).rejects.toMatchObject({ status: 404 });
    await expect(sendAs(ann, deviceId, [{ ...file, path: '../x.txt' }])).rejects.toMatchObject({
      status: 400,
    });
    const upload = ann.client.upload(
      uploadArtifacts,
      [{ name: 'x.txt', content: new Blob(['x marks the spot']) }],
      { meta: '[{}, {}]', deviceId },
    );
    await expect(upload).rejects.toMatchObject({ status: 400, code: 'too_much_meta' });
    expect(await check(['x marks the spot'])).toMatchObject([{ state: 'new' }]);
  });

  test('gets commands with the response to its next report', async () => {
    const report = {
      folders: [{ name: 'Papers', state: 'syncing' as const, files: 3, waiting: 2, refused: 1 }],
      refused: [{ path: 'Papers/setup.exe', reason: 'File type not supported: setup.exe' }],
      currentAt: null,
    };
    const body = { id: deviceId, name: 'Home-PC', platform: 'Linux', version: '0.2.0', report };
    const before = (await ann.client.call(reportDevice, { body })).data;
    expect(before).toMatchObject({ report, version: '0.2.0', paused: false, syncAskedAt: null });
    await ann.client.call(steerDevice, {
      params: { id: deviceId },
      body: { paused: true, syncNow: true },
    });
    const { report: _, ...quiet } = body;
    const after = (await ann.client.call(reportDevice, { body: quiet })).data;
    expect(after).toMatchObject({ report, paused: true, syncAskedAt: expect.any(String) });
  });

  test('a removed device cannot report, and its files remain private', async () => {
    const bob = await engram.signIn('bob@example.org');
    const bobsDevice = await register(bob, 'Laptop');
    const params = { id: bobsDevice };
    await expect(ann.client.call(endDevice, { params })).rejects.toMatchObject({ status: 404 });
    const file = { path: 'Bob/plan.txt', text: 'Bob plans a raft.' };
    await expect(sendAs(ann, bobsDevice, [file])).rejects.toMatchObject({ status: 404 });
    const { artifacts } = await sendAs(bob, bobsDevice, [file]);
    const body = { path: 'Ann/plan.txt', deviceId };
    const uploaded = { artifactId: artifacts[0]?.artifactId ?? '' };
    await expect(ann.client.call(placeArtifact, { params: uploaded, body })).rejects.toMatchObject({
      status: 404,
    });
    await bob.client.call(endDevice, { params });
    expect((await bob.client.call(listDevices, {})).data).toEqual([]);
    expect((await bob.client.call(listArtifacts, {})).data).toHaveLength(1);
    const report = { id: bobsDevice, name: 'Laptop', platform: 'Linux', version: '0.1.0' };
    await expect(bob.client.call(reportDevice, { body: report })).rejects.toMatchObject({
      status: 404,
      code: 'device_not_found',
    });
  });

  test('a user can have up to fifty devices', async () => {
    const cat = await engram.signIn('cat@example.org');
    for (let n = 0; n < 50; n += 1) await register(cat, `PC ${n}`);
    await expect(register(cat)).rejects.toMatchObject({ status: 409, code: 'too_many_devices' });
  });
});

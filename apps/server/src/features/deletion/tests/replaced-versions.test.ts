import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endDevice, setArtifactKeywords } from '@engram/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deviceFolder } from '../../../tests/device-folder.test-setup.ts';
import { changed, exportOf, importOf } from '../../../tests/exports.test-setup.ts';
import { buildTestApp, type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

type Folder = ReturnType<typeof deviceFolder>;

const label = ({ client }: SignedInUser, artifactId: string, keyword: string) =>
  client.call(setArtifactKeywords, { body: { artifactId, keywords: [keyword] } });

describe.each(testDatabases)('a file that replaces another (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  let ann: SignedInUser;
  let folder: Folder;
  let pc: string;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    folder = deviceFolder(engram, ann);
    pc = await folder.register();
  });

  test('replaces two that became the same, even if the second is sent immediately', async () => {
    const file = await folder.send(pc, {
      path: 'Papers/one.txt',
      text: 'The oak is 90 years old.',
    });
    const second = await folder.send(pc, {
      path: 'Papers/two.txt',
      text: 'The elm is 40 years old.',
    });
    await label(ann, file, 'Oak');
    await label(ann, second, 'Elm');
    const text = 'All trees were felled.';
    const { artifacts } = await folder.upload(pc, [
      { path: 'Papers/one.txt', text, replaces: file },
    ]);
    const id = artifacts[0]?.artifactId ?? '';
    await folder.place(pc, id, { path: 'Papers/two.txt', replaces: second });
    await engram.settled();
    expect((await folder.listed()).map(({ artifactId }) => artifactId)).toEqual([id]);
    expect((await folder.find(id))?.keywords.toSorted()).toEqual(['Elm', 'Oak']);
  });

  test('replaces two in one upload, and the first again', async () => {
    const file = await folder.send(pc, {
      path: 'Papers/one.txt',
      text: 'The oak is 90 years old.',
    });
    const second = await folder.send(pc, {
      path: 'Papers/two.txt',
      text: 'The elm is 40 years old.',
    });
    const text = 'All trees were felled.';
    const { artifacts } = await folder.upload(pc, [
      { path: 'Papers/one.txt', text, replaces: file },
      { path: 'Papers/two.txt', text, replaces: second },
      { path: 'Papers/three.txt', text, replaces: file },
    ]);
    await engram.settled();
    const [first] = artifacts;
    expect((await folder.listed()).map(({ artifactId }) => artifactId)).toEqual([
      first?.artifactId,
    ]);
  });

  test('inherits the keywords of a file that it replaces by its path', async () => {
    const file = await folder.send(pc, { path: 'Papers/a.txt', text: 'The barn is red.' });
    const second = await folder.send(pc, { path: 'Papers/b.txt', text: 'The barn is green.' });
    await label(ann, file, 'Barn');
    await folder.place(pc, second, { path: 'Papers/a.txt', replaces: file });
    await engram.settled();
    expect(await folder.find(file)).toBeUndefined();
    expect(await folder.find(second)).toMatchObject({ path: 'Papers/a.txt', keywords: ['Barn'] });
  });

  test('cannot replace itself, directly or in a cycle', async () => {
    const file = await folder.send(pc, { path: 'Papers/a.txt', text: 'The gate is shut.' });
    const second = await folder.send(pc, { path: 'Papers/b.txt', text: 'The gate is open.' });
    await folder.place(pc, file, { path: 'Papers/a.txt', replaces: file });
    await folder.upload(pc, [
      { path: 'Papers/a.txt', text: 'The gate is shut.', replaces: second },
      { path: 'Papers/b.txt', text: 'The gate is open.', replaces: file },
    ]);
    await engram.settled();
    expect(await folder.listed()).toHaveLength(2);
  });

  test('does not replace files of other devices and users', async () => {
    const laptop = await folder.register('Laptop');
    const text = 'The key lies under the third pot.';
    const id = await folder.send(pc, { path: 'Papers/key.txt', text });
    await folder.place(laptop, id, { path: 'Notes/key 2.txt' });
    expect(await folder.find(id)).toMatchObject({
      path: 'Papers/key.txt',
      artifactFileName: 'key.txt',
    });
    await folder.send(laptop, { path: 'Notes/key.txt', text: 'No key any more.', replaces: id });
    expect(await folder.find(id)).toBeDefined();
    const bob = deviceFolder(engram, await engram.signIn(`bob${userCount}@example.org`));
    const bobsDevice = await bob.register();
    await bob.send(bobsDevice, { path: 'Bob/key.txt', text: 'Bob has a key.', replaces: id });
    expect(await folder.find(id)).toBeDefined();
    expect(await bob.listed()).toHaveLength(1);
  });

  test('belongs to the next device that reports its path after its device was removed', async () => {
    const text = 'The ferry leaves at noon.';
    const id = await folder.send(pc, { path: 'Papers/ferry.txt', text });
    await ann.client.call(endDevice, { params: { id: pc } });
    const next = await folder.register('New PC');
    await folder.place(next, id, { path: 'Papers/ferry times.txt' });
    expect(await folder.find(id)).toMatchObject({
      artifactFileName: 'ferry times.txt',
      source: 'Connector',
    });
    const later = await folder.send(next, {
      path: 'Papers/ferry times.txt',
      text: 'The ferry leaves at one.',
      replaces: id,
    });
    expect((await folder.listed()).map(({ artifactId }) => artifactId)).toEqual([later]);
  });

  test('belongs to the next device that sends it after its device was removed', async () => {
    const text = 'The tide turns at ten.';
    const id = await folder.send(pc, { path: 'Papers/tide.txt', text });
    await ann.client.call(endDevice, { params: { id: pc } });
    const next = await folder.register('New PC');
    await folder.send(next, { path: 'Sea/tide.txt', text });
    expect(await folder.find(id)).toMatchObject({ path: 'Sea/tide.txt' });
    const later = { path: 'Sea/tide.txt', text: 'The tide turns at six.', replaces: id };
    await folder.send(next, later);
    expect(await folder.find(id)).toBeUndefined();
  });

  test('is exported with its path, and belongs to the next device after the import', async () => {
    const id = await folder.send(pc, {
      path: 'Papers/tax/2025.txt',
      text: 'The tax is paid.',
      modifiedAt: '2025-11-02T10:00:00.000Z',
    });
    const bytes = await exportOf(ann);
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const odd = changed(bytes, (json) => ({
      'files.json': json<object[]>('files.json').map((file) => ({
        ...file,
        folderPath: '../x',
        modifiedDate: '0000-01-01T00:00:00Z',
      })),
    }));
    await importOf(bob, await odd);
    expect(await deviceFolder(engram, bob).listed()).toMatchObject([{ path: null }]);
    await folder.remove(id);
    await importOf(ann, bytes);
    await engram.settled();
    const [reuploaded] = await folder.listed();
    expect(reuploaded).toMatchObject({
      path: 'Papers/tax/2025.txt',
      modifiedAt: '2025-11-02T10:00:00.000Z',
    });
    // The user uploaded it again, so it no longer counts as deleted.
    const later = {
      path: 'Papers/tax/2025.txt',
      text: 'It is due.',
      replaces: reuploaded?.artifactId,
    };
    const next = await folder.send(pc, later);
    expect((await folder.listed()).map(({ artifactId }) => artifactId)).toEqual([next]);
  });

  test('does not replace a file that the user uploaded, even if the folder has it too', async () => {
    const text = 'The cat is called Miso.';
    const id = await folder.send(undefined, { path: 'cat.txt', text });
    await folder.send(pc, { path: 'Papers/pets/cat.txt', text });
    expect(await folder.find(id)).toMatchObject({ source: 'Web', path: 'Papers/pets/cat.txt' });
    await folder.send(pc, { path: 'Papers/pets/cat.txt', text: 'It ran away.', replaces: id });
    expect(await folder.find(id)).toBeDefined();
  });

  test('still replaces the first version after the user deleted the middle one', async () => {
    const first = await folder.send(pc, { path: 'Papers/map.txt', text: 'The well is north.' });
    const failed = await folder.send(pc, {
      path: 'Papers/map.txt',
      text: '%PDF-1.7 broken by half a save',
      replaces: first,
    });
    const broken = await folder.send(pc, {
      path: 'Papers/map.txt',
      text: '%PDF-1.7 broken by another save',
      replaces: failed,
    });
    await folder.remove(failed);
    await folder.send(pc, { path: 'Papers/map.txt', text: 'The well is south.', replaces: broken });
    expect(await folder.listed()).toHaveLength(1);
  });

  test('is not lost if it is sent again while it is deleted', async () => {
    for (let n = 0; n < 8; n += 1) {
      const file = { path: `Papers/${n}.txt`, text: `Version one of ${n}.` };
      const second = { path: `Papers/${n}.txt`, text: `Version second of ${n}.` };
      const first = await folder.send(pc, file);
      const { artifacts } = await folder.upload(pc, [{ ...second, replaces: first }]);
      const [reuploaded] = (
        await folder.upload(pc, [{ ...file, replaces: artifacts[0]?.artifactId }])
      ).artifacts;
      await engram.settled();
      expect(await folder.find(reuploaded?.artifactId ?? '')).toMatchObject({
        uploadStatus: 'SUCCESS',
      });
      expect(await folder.listed()).toHaveLength(n + 1);
    }
  });

  test('is deleted without counting as deleted by the user', async () => {
    const file = await folder.send(pc, { path: 'Papers/a.txt', text: 'The mill stands.' });
    await folder.send(pc, { path: 'Papers/a.txt', text: 'The mill is gone.', replaces: file });
    expect(await folder.check(['The mill stands.'])).toMatchObject([{ state: 'new' }]);
  });
});

describe('a crash between a ready version and the deletion of the old one', () => {
  let data: string;

  beforeAll(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'engram-killed-'));
    return () => rm(data, { recursive: true, force: true });
  });

  test('is repaired at the next start', async () => {
    const before = await buildTestApp({ dataDir: data });
    const ann = await before.signIn('ann@example.org');
    const folder = deviceFolder(before, ann);
    const pc = await folder.register();
    const file = await folder.send(pc, { path: 'Papers/a.txt', text: 'The dam holds.' });
    const second = await folder.send(pc, { path: 'Papers/b.txt', text: 'The dam broke.' });
    // The state after the commit that made it ready.
    await before.deps.database.pool.query('UPDATE artifacts SET replaced_by = $1 WHERE id = $2', [
      second,
      file,
    ]);
    await before.close();

    const after = await buildTestApp({ dataDir: data });
    const stored = async () =>
      (await after.deps.database.pool.query('SELECT id FROM artifacts')).rows;
    await expect.poll(stored).toEqual([{ id: second }]);
    await after.close();
  });
});

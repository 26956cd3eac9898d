import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  deleteArtifact,
  endDevice,
  listArtifacts,
  listDevices,
  search,
  steerDevice,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestFolder } from '../../../../../../packages/folder-sync/src/tests/test-folder.test-setup.ts';
import { buildTestApp, type SignedInUser, type TestApp } from '../../../tests/app.test-setup.ts';

const INTERVAL_MS = 300_000;
const USER_COUNT = 10;

describe('a watched folder of the server', () => {
  const users = Array.from({ length: USER_COUNT }, (_, i) => ({
    testFolder: new TestFolder(),
    email: `person${i}@example.org`,
  }));
  const [firstUser] = users;
  if (!firstUser) throw new Error('There are no users.');
  // Two folders with the same name, and an address with a capital letter.
  const ENGRAM_WATCH = users
    .flatMap(({ testFolder, email }) => [
      `${testFolder.root}:${email}`,
      `${testFolder.base}/more/Papers:${email.replace('person', 'Person')}`,
    ])
    .join(', ');
  let dataDir: string;
  let app: TestApp;
  let userIndex = -1;
  let { testFolder, email } = firstUser;
  let ann: SignedInUser;
  let freeBytes = Infinity;

  const start = async (): Promise<void> => {
    app = await buildTestApp({
      dataDir,
      env: { ENGRAM_WATCH, ENGRAM_LOG_LEVEL: 'silent' },
      freeBytes: async () => freeBytes,
    });
  };
  const signIn = async (): Promise<void> => void (ann = await app.signIn(email));
  const restart = async (meanwhile = (): void => {}): Promise<void> => {
    await app.close();
    meanwhile();
    await start();
    await signIn();
    await scan();
  };
  /** Scans the folder when it is due, and waits for the extraction. */
  const scan = async (afterMs = INTERVAL_MS): Promise<void> => {
    app.advance(afterMs);
    await app.deps.services.watchedFolders.scan();
    await app.settled();
  };
  const listed = async () => (await ann.client.call(listArtifacts, {})).data;
  const files = async () =>
    Object.fromEntries(
      (await listed()).map((file) => [file.path ?? file.artifactFileName, file.artifactId]),
    );
  const paths = async (): Promise<string[]> => Object.keys(await files()).toSorted();
  const devices = async () => (await ann.client.call(listDevices, {})).data;
  const device = async () => (await devices()).find(({ name }) => name === 'Papers');
  const folder = async () => (await device())?.report?.folders[0];
  const remove = (id = '') => ann.client.call(deleteArtifact, { params: { artifactId: id } });

  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'engram-watching-'));
    await start();
  });
  beforeEach(() => {
    userIndex += 1;
    ({ testFolder, email } = users[userIndex] ?? firstUser);
    freeBytes = Infinity;
  });
  afterAll(async () => {
    await app.close();
    for (const { testFolder } of users) testFolder.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('stays in sync through renames, edits, copies and restarts, and is never changed', async () => {
    testFolder.write('notice.txt', 'The tax of 2025 is due on 1 May.');
    testFolder.write('tax/letter.txt', 'The boiler was serviced in March.');
    testFolder.write('drafts/idea.txt', 'A boat.');
    testFolder.write('.engramignore', 'drafts/\n');
    await signIn();
    await scan();
    const before = await files();
    expect(Object.keys(before).toSorted()).toEqual(['Papers/notice.txt', 'Papers/tax/letter.txt']);
    expect(await folder()).toMatchObject({ name: 'Papers', state: 'current', files: 2 });
    expect(await device()).toMatchObject({ name: 'Papers', platform: 'Folder on the server' });
    const { data } = await ann.client.call(search, { body: { text: 'When is the tax due?' } });
    expect(JSON.stringify(data)).toContain('Papers/notice.txt');

    // While the server is down, files are renamed, copied and changed.
    await restart(() => {
      renameSync(testFolder.disk('notice.txt'), testFolder.disk('tax/notice 2025.txt'));
      testFolder.write('copy.txt', 'The tax of 2025 is due on 1 May.');
      testFolder.write('tax/letter.txt', 'The boiler was serviced in April.', 1800);
    });
    // The old name is missing, and another file may still prove to be a rename.
    await scan(11_000);
    const after = await files();
    expect(Object.keys(after)).toHaveLength(2);
    expect(Object.values(after)).toContain(before['Papers/notice.txt']);
    expect(after['Papers/notice.txt']).toBeUndefined();
    expect(after['Papers/tax/letter.txt']).not.toBe(before['Papers/tax/letter.txt']);
    expect(await folder()).toMatchObject({ state: 'current', files: 3, waiting: 0 });

    // A start without changes has no effect, and files that leave the folder stay in Engram.
    await restart();
    expect(await files()).toEqual(after);
    unlinkSync(testFolder.disk('tax/letter.txt'));
    await scan();
    await scan(11_000);
    expect(await files()).toEqual(after);
    expect(readdirSync(testFolder.root).toSorted()).toEqual([
      '.engramignore',
      'copy.txt',
      'drafts',
      'tax',
    ]);
  });

  test('adds a file once it stops changing, and never a part of it', async () => {
    await signIn();
    await scan();
    const written = (seconds: number, text: string) => testFolder.write('scan.txt', text, -seconds);
    const now = () => Math.floor((app.deps.now().getTime() - Date.now()) / 1000);
    written(now(), 'The first page');
    await scan(INTERVAL_MS);
    expect(await paths()).toEqual(['Papers/scan.txt']);
    await remove((await files())['Papers/scan.txt']);

    // The clock is shortly before the last change each time.
    written(now() + 9, 'The first page. The sec');
    await scan(9000);
    expect(await paths()).toEqual([]);
    written(now() + 9, 'The first page. The second page.');
    await scan(9000);
    expect(await paths()).toEqual([]);
    expect(await folder()).toMatchObject({ state: 'syncing', waiting: 1 });
    await scan(11_000);
    expect(await paths()).toEqual(['Papers/scan.txt']);
    expect(
      (
        await app.deps.services.artifacts.text(ann.userId, (await files())['Papers/scan.txt'] ?? '')
      ).trim(),
    ).toBe('The first page. The second page.');
  });

  test('does not add a file that the user deleted in Engram until it changes, even after a restart', async () => {
    testFolder.write('old.txt', 'The lease ended in 2019.');
    testFolder.write('kept.txt', 'The lease began in 2020.');
    await signIn();
    await scan();
    await remove((await files())['Papers/old.txt']);
    await scan();
    expect(await paths()).toEqual(['Papers/kept.txt']);
    await restart();
    expect(await paths()).toEqual(['Papers/kept.txt']);
    expect(await folder()).toMatchObject({ state: 'current', files: 1, refused: 1 });
    renameSync(testFolder.disk('old.txt'), testFolder.disk('older.txt'));
    await scan();
    expect(await paths()).toEqual(['Papers/kept.txt']);
    testFolder.write('older.txt', 'The lease ended in 2018.');
    await scan();
    expect(await paths()).toEqual(['Papers/kept.txt', 'Papers/older.txt']);
  });

  test('changes nothing while it is missing or suddenly empty', async () => {
    testFolder.write('deed.txt', 'The mill was sold in 1911.');
    await signIn();
    await scan();
    const before = await files();
    renameSync(testFolder.root, `${testFolder.root} away`);
    await scan();
    await scan(11_000);
    expect(await folder()).toMatchObject({ state: 'missing' });
    expect(await files()).toEqual(before);
    // The server also starts without the folder.
    await restart();
    expect(await folder()).toMatchObject({ state: 'missing' });
    // A disk that is not mounted leaves an empty folder.
    mkdirSync(testFolder.root);
    await scan();
    await scan(11_000);
    expect(await files()).toEqual(before);
    rmSync(testFolder.root, { recursive: true });
    renameSync(`${testFolder.root} away`, testFolder.root);
    await scan();
    expect(await folder()).toMatchObject({ state: 'current', files: 1 });
    expect(await files()).toEqual(before);
  });

  test('waits for an account that is created later', async () => {
    testFolder.write('deed.txt', 'The mill was sold in 1911.');
    await scan();
    await signIn();
    await scan(0);
    expect(await paths()).toEqual(['Papers/deed.txt']);
  });

  test('neither stores a file again that the user has uploaded, nor renames it', async () => {
    await signIn();
    const content = new Blob(['The mill was sold in 1911.']);
    await ann.client.upload(uploadArtifacts, [{ name: 'by hand.txt', content }], {});
    await app.settled();
    testFolder.write('deed.txt', 'The mill was sold in 1911.');
    await scan();
    expect(await listed()).toMatchObject([
      { artifactFileName: 'by hand.txt', path: 'Papers/deed.txt' },
    ]);
    // The file belongs to the user, so its change in the folder is a separate file.
    testFolder.write('deed.txt', 'The mill was sold in 1912.');
    await scan();
    expect(await listed()).toHaveLength(2);
  });

  test('has the same limits as all uploads, and waits while the disk is full', async () => {
    testFolder.write('program.txt', '\u007fELF\u0002\u0001\u0001\0\0\0\0\0');
    testFolder.write('notes.txt', 'The pump is in the cellar.');
    await signIn();
    freeBytes = 0;
    await scan();
    expect(await paths()).toEqual([]);
    expect(await folder()).toMatchObject({ state: 'waiting', files: 0 });
    freeBytes = Infinity;
    // A minute before the next scan, because the clock also runs on.
    await scan(INTERVAL_MS - 60_000);
    expect(await paths()).toEqual([]);
    await scan(60_000);
    expect(await paths()).toEqual(['Papers/notes.txt']);
    expect(await folder()).toMatchObject({ state: 'current', files: 1, refused: 1 });
    expect((await device())?.report?.refused).toMatchObject([{ path: 'Papers/program.txt' }]);
  });

  test('can be paused, checked and removed by its user until the next start', async () => {
    await signIn();
    await scan();
    const id = (await device())?.id ?? '';
    const steer = (body: { paused?: boolean; syncNow?: boolean }) =>
      ann.client.call(steerDevice, { params: { id }, body });
    await steer({ paused: true });
    testFolder.write('deed.txt', 'The mill was sold in 1911.');
    await scan();
    await scan();
    expect(await folder()).toMatchObject({ state: 'paused' });
    expect(await paths()).toEqual([]);
    await steer({ paused: false });
    await scan(0);
    expect(await paths()).toEqual(['Papers/deed.txt']);
    testFolder.write('weir.txt', 'The weir was sold in 1913.');
    await scan(0);
    expect(await paths()).toHaveLength(1);
    app.advance(1000);
    await steer({ syncNow: true });
    await scan(0);
    expect(await paths()).toHaveLength(2);

    const before = await files();
    await ann.client.call(endDevice, { params: { id } });
    testFolder.write('barn.txt', 'The barn was sold in 1912.');
    await scan();
    expect(await device()).toBeUndefined();
    expect(await files()).toEqual(before);
    await restart();
    expect(await paths()).toHaveLength(3);
    expect(await files()).toMatchObject(before);
    // The new device may rename the files of the removed one.
    renameSync(testFolder.disk('deed.txt'), testFolder.disk('mill.txt'));
    await scan();
    expect((await files())['Papers/mill.txt']).toBe(before['Papers/deed.txt']);
  });

  test('shares a file with another folder, where it stays after a change in this one', async () => {
    for (const name of ['deed.txt', '../more/Papers/deed.txt'])
      testFolder.write(name, 'Sold in 1911.');
    await signIn();
    await scan();
    await scan();
    const [shared] = await listed();
    expect(await listed()).toHaveLength(1);
    const names = (await devices()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Papers', 'Papers (2)']);
    const changed = shared?.path === 'Papers/deed.txt' ? 'deed.txt' : '../more/Papers/deed.txt';
    testFolder.write(changed, 'Sold in 1912.');
    await scan();
    await scan();
    const ids = (await listed()).map(({ artifactId }) => artifactId);
    expect(ids).toContain(shared?.artifactId);
    expect(ids).toHaveLength(2);
  });

  test('is synced immediately after a change', async () => {
    await signIn();
    await scan();
    app.advance(10_000);
    testFolder.write('deed.txt', 'The mill was sold in 1911.');
    await expect.poll(() => paths()).toEqual(['Papers/deed.txt']);
  });
});

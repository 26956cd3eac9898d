import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { describeDatabases, type TestStore } from './database-suite.test-setup.ts';
import { assertInstallation, type SharedPlaces } from '../installation.ts';

const SECRET = 'a secret that signs what this server gives out';
const OTHER_SECRET = 'another secret that signs what this server gives';
const MISSING = ['ENGRAM_SEARCH'];
const PLACES: SharedPlaces = { files: 's3://bucket/engram', search: 'https://search.test/' };
const FOREIGN = /^The database belongs to another data folder than .+ Set ENGRAM_DATA_DIR .+\.$/u;
const OTHER = /^The secret has changed\. .+ Set ENGRAM_SECRET .+\.$/u;

describeDatabases('an installation', (createStore, kind) => {
  let store: TestStore;
  let database: Database;
  let folder: string;
  const folders: string[] = [];

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'engram-installation-'));
    folders.push(folder);
    return folder;
  }

  const start = (dataDir: string, secret = SECRET, replaceInstallation = false): Promise<void> =>
    assertInstallation(database, {
      dataDir,
      secret,
      replaceInstallation,
      missing: MISSING,
      shared: null,
    });

  const share = (
    places: Partial<SharedPlaces> = {},
    secret = SECRET,
    replaceInstallation = false,
  ) =>
    assertInstallation(database, {
      dataDir: folder,
      secret,
      replaceInstallation,
      missing: [],
      shared: { ...PLACES, ...places },
    });

  const fileOf = (dataDir: string): string => path.join(dataDir, 'installation');
  const recorded = async (): Promise<unknown[]> =>
    (await database.pool.query('select id, fingerprint from engram_installation')).rows;

  beforeAll(async () => {
    store = await createStore();
    database = await store.open();
  });
  beforeEach(async () => {
    await database.pool.query('drop table if exists engram_installation, users');
    folder = await newFolder();
  });
  afterAll(async () => {
    await database.close();
    await store.destroy();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  test('the first start records the installation without its secret, and later starts use it', async () => {
    await start(folder);
    const text = await readFile(fileOf(folder), 'utf8');
    expect(await recorded()).toEqual([JSON.parse(text)]);
    expect(text).not.toContain(SECRET);
    await start(folder);
    expect(await readFile(fileOf(folder), 'utf8')).toBe(text);
  });

  test('an installation continues in a folder that was moved, or restored from a backup', async () => {
    await start(folder);
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    folders.push(moved);
    await expect(start(moved)).resolves.toBeUndefined();
  });

  test('an installation does not start with another secret unless the change is accepted', async () => {
    await start(folder);
    const before = await recorded();
    await expect(start(folder, OTHER_SECRET)).rejects.toThrow(OTHER);
    expect(await recorded()).toEqual(before);
    await start(folder, OTHER_SECRET, true);
    await expect(start(folder, OTHER_SECRET)).resolves.toBeUndefined();
    await expect(start(folder)).rejects.toThrow(OTHER);
  });

  test('an empty database is accepted, but not with another secret than the folder had', async () => {
    await start(folder);
    const [before] = await recorded();
    await database.pool.query('drop table engram_installation');
    await expect(start(folder, OTHER_SECRET)).rejects.toThrow(OTHER);
    await start(folder);
    expect(await recorded()).toEqual([before]);
  });

  test('a database from before installations were recorded is recorded with its users', async () => {
    await database.pool.query('create table users (id int); insert into users values (1)');
    await mkdir(path.join(folder, 'files'));
    await start(folder);
    expect(await recorded()).toHaveLength(1);
  });

  test('a folder that belongs to another installation is refused', async () => {
    await start(folder);
    await database.pool.query('drop table engram_installation');
    const other = await newFolder();
    await start(other);
    const [known] = await recorded();
    await expect(start(folder)).rejects.toThrow(FOREIGN);
    expect(await recorded()).toEqual([known]);
    await start(folder, SECRET, true);
    await expect(start(other)).rejects.toThrow(FOREIGN);
  });

  describe.runIf(kind === 'embedded')('records in the folder of an embedded database', () => {
    test.each(['lost', 'damaged'])('a record that is %s is written again', async (damage) => {
      await start(folder);
      const text = await readFile(fileOf(folder), 'utf8');
      if (damage === 'lost') await rm(fileOf(folder));
      else await writeFile(fileOf(folder), '');
      await start(folder);
      expect(await readFile(fileOf(folder), 'utf8')).toBe(text);
    });
  });

  describe.runIf(kind === 'server')('records on a database server', () => {
    test('a new folder is refused and left unchanged, unless the change is accepted', async () => {
      await start(folder);
      const other = await newFolder();
      await expect(start(other)).rejects.toThrow(FOREIGN);
      expect(existsSync(fileOf(other))).toBe(false);
      await start(other, SECRET, true);
      await expect(start(other)).resolves.toBeUndefined();
      await expect(start(folder)).rejects.toThrow(FOREIGN);
    });

    test('two servers that start on an empty database at the same moment record one installation', async () => {
      const other = await newFolder();
      const outcomes = await Promise.allSettled([start(folder), start(other)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await recorded()).toHaveLength(1);
    });

    test('an older database is not recorded for a folder without its files', async () => {
      await database.pool.query('create table users (id int); insert into users values (1)');
      await expect(start(folder)).rejects.toThrow(FOREIGN);
      expect(existsSync(fileOf(folder))).toBe(false);
    });

    test('a damaged record is reported', async () => {
      await start(folder);
      await writeFile(fileOf(folder), '{"id":');
      await expect(start(folder)).rejects.toThrow(/^The file .+ is damaged\. .+\.$/u);
    });
  });

  describe('installations shared by several servers', () => {
    test('a shared installation needs no data folder', async () => {
      await share();
      folder = await newFolder();
      await expect(share()).resolves.toBeUndefined();
      expect(existsSync(fileOf(folder))).toBe(false);
      expect(await recorded()).toHaveLength(1);
    });

    test('another secret, bucket or index is refused unless the change is accepted', async () => {
      await share();
      await expect(share({}, OTHER_SECRET)).rejects.toThrow(OTHER);
      await expect(share({ files: 's3://other' })).rejects.toThrow(
        'The other servers of this database use s3://bucket/engram, but ENGRAM_FILES names s3://other',
      );
      await expect(share({ search: 'https://other.test/' })).rejects.toThrow('ENGRAM_SEARCH');
      await share({ files: 's3://other' }, SECRET, true);
      await expect(share({ files: 's3://other' })).resolves.toBeUndefined();
    });

    test('a server that lacks a shared setting is refused, and the message names the setting', async () => {
      await share();
      await expect(start(await newFolder())).rejects.toThrow(
        'The database is shared by several servers, which requires ENGRAM_SEARCH.',
      );
    });

    test('a data folder becomes a shared installation only if the operator confirms that its files were moved', async () => {
      await start(folder);
      await expect(share()).rejects.toThrow(
        'The other servers of this database use a data folder, but ENGRAM_FILES names s3://bucket/engram',
      );
      await share({}, SECRET, true);
      await expect(share()).resolves.toBeUndefined();
    });
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDiskRoom } from '../../../platform/files/disk-room.ts';
import { createDiskFileStore } from '../../../platform/files/disk.ts';
import { originalKey } from '../../../platform/files/keys.ts';
import { openSqliteIndex } from '../../../platform/index/sqlite/sqlite-index.ts';
import { guardFiles, guardIndex } from '../deleted-accounts.ts';

const user = randomUUID();
const artifactId = randomUUID();
let folder: string;
let deleted: boolean;
const isDeleted = async () => deleted;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-deleted-'));
  deleted = false;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file that arrives while its account is deleted is not stored', async () => {
  const room = createDiskRoom({ folder, spareBytes: 0 });
  const files = guardFiles(await createDiskFileStore({ folder, room }), isDeleted);
  async function* content() {
    yield Buffer.from('half');
    deleted = true;
    yield Buffer.from('whole');
  }
  await files.write(originalKey(user, artifactId), Readable.from(content()));
  expect(await files.owners()).toEqual([]);
});

test('text that is extracted while its account is deleted is not indexed', async () => {
  const index = await openSqliteIndex({ folder, log: { warn: () => undefined } });
  const guarded = guardIndex(index, isDeleted);
  const row = {
    artifactId,
    ordinal: 0,
    start: 0,
    end: 4,
    text: 'late',
    terms: 'late',
    location: {},
    places: [],
    headings: [],
  };
  await guarded.replace(user, [{ artifactId, rows: [row] }]);
  expect(await index.size(user)).toBe(1);
  deleted = true;
  await guarded.replace(user, [{ artifactId, rows: [row] }]);
  expect(await index.users()).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith(user))).toEqual([]);
  await index.close();
});

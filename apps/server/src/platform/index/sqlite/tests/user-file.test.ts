import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openUserFile } from '../user-file.ts';

test('a closed file has no open connection, whatever calls were made before', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-index-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = openUserFile(path.join(folder, 'one.sqlite'), { create: true });
  if (!file) throw new Error('There is no file.');
  const { db, sql } = file;
  sql.run`UPDATE library SET chunks = ${3}`;
  expect(sql.get`SELECT chunks FROM library`).toEqual({ chunks: 3 });
  expect(sql.all`SELECT id FROM artifacts`).toEqual([]);
  db.close();
  // Closing the last connection merges SQLite's write-ahead log and deletes it.
  expect(await readdir(folder)).toEqual(['one.sqlite']);
});

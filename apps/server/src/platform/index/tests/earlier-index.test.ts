import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeEarlierIndex } from '../sqlite/sqlite-index.ts';

test('the search index of an earlier version is removed, and nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-earlier-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await removeEarlierIndex(folder);
  const user = randomUUID();
  await mkdir(path.join(folder, 'index', user, 'v1', 'main.lance'), { recursive: true });
  await mkdir(path.join(folder, 'vectors', user), { recursive: true });
  await mkdir(path.join(folder, 'files', user), { recursive: true });
  await writeFile(path.join(folder, 'index', `${user}.sqlite`), '');
  await removeEarlierIndex(folder);
  expect((await readdir(folder)).toSorted()).toEqual(['files', 'index']);
  expect(await readdir(path.join(folder, 'index'))).toEqual([`${user}.sqlite`]);
});

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestFolder } from './test-folder.test-setup.ts';
import { scanFolder } from '../scan.ts';
import { FolderWatch } from '../watching.ts';

let testFolder: TestFolder;
let hints: number;
let watching: FolderWatch;

beforeEach(() => {
  testFolder = new TestFolder();
  hints = 0;
  watching = new FolderWatch(() => void (hints += 1));
});
afterEach(() => {
  watching.close();
  testFolder.remove();
});

const follow = async (): Promise<void> => {
  const { folders } = await scanFolder({ root: testFolder.root, name: 'Papers' });
  watching.follow(folders);
};
/** Makes a change, and returns whether it was noticed. */
const isNoticed = (action: () => void) => {
  const count = hints;
  action();
  return (): boolean => hints > count;
};

test('a change anywhere in a folder is noticed', async () => {
  testFolder.write('tax/2025/notice.txt', 'It is due.');
  await follow();
  await expect
    .poll(isNoticed(() => testFolder.write('tax/2025/notice.txt', 'It was due.')))
    .toBe(true);
  await expect.poll(isNoticed(() => testFolder.write('new.txt', 'A line.'))).toBe(true);
  await expect.poll(isNoticed(() => mkdirSync(testFolder.disk('tax/2026')))).toBe(true);
  await follow();
  await expect
    .poll(isNoticed(() => testFolder.write('tax/2026/letter.txt', 'A letter.')))
    .toBe(true);
});

test('a folder that replaces another or reappears is watched', async () => {
  testFolder.write('tax/a.txt', 'A');
  await follow();
  await expect
    .poll(isNoticed(() => renameSync(testFolder.disk('tax'), testFolder.disk('old'))))
    .toBe(true);
  await expect.poll(isNoticed(() => testFolder.write('tax/b.txt', 'B'))).toBe(true);
  await follow();
  await expect.poll(isNoticed(() => testFolder.write('tax/c.txt', 'C'))).toBe(true);

  rmSync(testFolder.root, { recursive: true });
  await follow();
  mkdirSync(testFolder.root);
  await follow();
  await expect.poll(isNoticed(() => testFolder.write('d.txt', 'D'))).toBe(true);
});

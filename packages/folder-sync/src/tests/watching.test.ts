import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Papers } from './papers.test-setup.ts';
import { scanFolder } from '../scan.ts';
import { FolderWatch } from '../watching.ts';

let papers: Papers;
let hints: number;
let watching: FolderWatch;

beforeEach(() => {
  papers = new Papers();
  hints = 0;
  watching = new FolderWatch(() => void (hints += 1));
});
afterEach(() => {
  watching.close();
  papers.remove();
});

const follow = async (): Promise<void> => {
  const { folders } = await scanFolder({ root: papers.root, name: 'Papers' });
  watching.follow(folders);
};
const PATIENT = { timeout: 20_000 };
/** Does something; answers whether it was noticed by now. */
const after = (doing: () => void) => {
  const before = hints;
  doing();
  return (): boolean => hints > before;
};

test('what happens anywhere in a folder is noticed', async () => {
  papers.write('tax/2025/notice.txt', 'It is due.');
  await follow();
  await expect
    .poll(
      after(() => papers.write('tax/2025/notice.txt', 'It was due.')),
      PATIENT,
    )
    .toBe(true);
  await expect
    .poll(
      after(() => papers.write('new.txt', 'A line.')),
      PATIENT,
    )
    .toBe(true);
  await expect
    .poll(
      after(() => mkdirSync(papers.disk('tax/2026'))),
      PATIENT,
    )
    .toBe(true);
  await follow();
  await expect
    .poll(
      after(() => papers.write('tax/2026/letter.txt', 'A letter.')),
      PATIENT,
    )
    .toBe(true);
});

test('a folder that comes in the place of another is watched, and so is one that is back', async () => {
  papers.write('tax/a.txt', 'A');
  await follow();
  await expect
    .poll(
      after(() => renameSync(papers.disk('tax'), papers.disk('old'))),
      PATIENT,
    )
    .toBe(true);
  await expect
    .poll(
      after(() => papers.write('tax/b.txt', 'B')),
      PATIENT,
    )
    .toBe(true);
  await follow();
  await expect
    .poll(
      after(() => papers.write('tax/c.txt', 'C')),
      PATIENT,
    )
    .toBe(true);

  rmSync(papers.root, { recursive: true });
  await follow();
  mkdirSync(papers.root);
  await follow();
  await expect
    .poll(
      after(() => papers.write('d.txt', 'D')),
      PATIENT,
    )
    .toBe(true);
});

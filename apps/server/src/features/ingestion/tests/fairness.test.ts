import { type Artifact, deleteArtifacts, listArtifacts, uploadArtifacts } from '@engram/contract';
import { beforeEach, expect, test } from 'vitest';
import { readScan, type Scan, scannedPdf } from '../../../tests/scans.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let userCount = 0;
let ann: SignedInUser;
let bob: SignedInUser;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
  bob = await engram.signIn(`bob${userCount}@example.org`);
});

type Content = string | Uint8Array<ArrayBuffer>;

async function upload(user: SignedInUser, files: [name: string, content: Content][]) {
  const parts = files.map(([name, content]) => ({ name, content: new Blob([content]) }));
  const { data } = await user.client.upload(uploadArtifacts, parts, {});
  return data.artifacts.map(({ artifactId }) => artifactId);
}

const filesOf = async (user: SignedInUser): Promise<Artifact[]> =>
  (await user.client.call(listArtifacts, {})).data;

/** Waits until all files of a user are processed, and expects them to be searchable. */
async function untilReady(user: SignedInUser): Promise<void> {
  let files: Artifact[] = [];
  await expect
    .poll(async () => {
      files = await filesOf(user);
      return files.filter(({ stage }) => stage !== 'ready' && stage !== 'failed');
    })
    .toEqual([]);
  expect(files.filter(({ isVectorReady }) => !isVectorReady)).toEqual([]);
}

const readyCount = (files: readonly Artifact[]): number =>
  files.filter(({ stage }) => stage === 'ready').length;

test('hundreds of files of one user do not delay a single file of another', async () => {
  const notes = Array.from({ length: 400 }, (_, i): [string, string] => [
    `note ${i}.txt`,
    `Note number ${i} says that the ${i}th lighthouse was painted in ${1500 + i}.`,
  ]);
  await upload(ann, notes);
  await upload(bob, [['lease.txt', 'The deposit is 2,340 euros.']]);
  await untilReady(bob);
  const done = readyCount(await filesOf(ann));
  expect(done).toBeLessThan(300);
  await engram.settled();
  expect(readyCount(await filesOf(ann))).toBe(400);
});

test('scans of one user do not delay a note and a scan of another', async () => {
  const [harbour, mill] = [await readScan('harbour'), await readScan('mill')];
  const books = Array.from({ length: 6 }, (_, i): [string, Content] => [
    `book ${i}.pdf`,
    // Of different lengths, so that no two have the same bytes.
    scannedPdf(Array<Scan>(8 + i).fill(harbour)),
  ]);
  await upload(ann, books);
  await upload(bob, [['lease.txt', 'The deposit is 2,340 euros.']]);
  await untilReady(bob);
  expect(readyCount(await filesOf(ann))).toBe(0);
  await upload(bob, [['mill.pdf', scannedPdf([mill])]]);
  await untilReady(bob);
  expect(readyCount(await filesOf(ann))).toBeLessThan(3);
});

test('slow files of one user do not delay a note of another', async () => {
  // An email of blank lines takes about ten seconds of CPU time per megabyte.
  const slow = Array.from({ length: 3 }, (_, i): [string, Content] => [
    `slow ${i}.eml`,
    `From: a@b.example\nSubject: Slow ${i}\n\n${'\n'.repeat(1_000_000)}`,
  ]);
  const ids = await upload(ann, slow);
  await expect
    .poll(async () => (await filesOf(ann)).map(({ stage }) => stage))
    .toContain('reading');
  await upload(bob, [['lease.txt', 'The deposit is 2,340 euros.']]);
  await untilReady(bob);
  expect(readyCount(await filesOf(ann))).toBe(0);
  await ann.client.call(deleteArtifacts, { body: ids });
});

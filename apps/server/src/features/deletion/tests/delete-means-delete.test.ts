import path from 'node:path';
import {
  type Artifact,
  deleteAllArtifacts,
  deleteArtifact,
  deleteArtifacts,
  getHistoryEntry,
  listArtifacts,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { expect, test } from 'vitest';
import { findWords, type Sighting } from '../../../tests/find-words.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let userCount = 0;

/** The files of a data folder that contain words. */
const findIn = (folder: string, ...words: string[]): Promise<Sighting[]> =>
  findWords(path.join(engram.folder, folder), words);

/** The words that the data folder contains. */
const wordsIn = async (folder: string, ...words: string[]): Promise<Set<string>> =>
  new Set((await findIn(folder, ...words)).map(({ word }) => word));

/** A picture of 40 × 30 pixels in one color. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAMAAABpA6zvAAAAA1BMVEU6bqXTREzSAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4jWNgGAWjYBSMguEAAATOAAE9WQaqAAAAAElFTkSuQmCC',
  'base64',
);

const REMAINING = 'kept.txt';

interface Canary {
  user: SignedInUser;
  files: Artifact[];
  /** In the text, the name and the keywords of a file. */
  words: { text: string; name: string; keyword: string };
  historyId: string;
}

/** A library with unique words, and an answer that cites it. */
async function createLibrary(): Promise<Canary> {
  userCount += 1;
  const user = await engram.signIn(`ann${userCount}@example.org`);
  const words = {
    text: `QXT${userCount}7041`,
    name: `QXN${userCount}7042`,
    keyword: `QXK${userCount}7043`,
  };
  const note = `The padlock of the boathouse has the code ${words.text}.`;
  await user.client.upload(
    uploadArtifacts,
    [
      { name: 'padlock.txt', content: new Blob([note]) },
      { name: `${words.name}.txt`, content: new Blob([`Note ${userCount} on the mill pond.`]) },
      { name: 'picture.png', content: new Blob([PICTURE]) },
      // The last file in every table, which is not deleted.
      { name: REMAINING, content: new Blob([`Kept note ${userCount}: the heron nests in May.`]) },
    ],
    { filesKeywords: JSON.stringify({ 'padlock.txt': [words.keyword] }) },
  );
  await engram.settled();
  const text = 'Which code has the padlock of the boathouse?';
  const { data } = await user.client.call(search, { body: { text, audio: false } });
  expect(data.answers[0]).toContain(words.text);
  await engram.deps.index.purge(user.userId);
  const { data: files } = await user.client.call(listArtifacts, {});
  const deleted = files.filter(({ artifactFileName }) => artifactFileName !== REMAINING);
  return { user, files: deleted, words, historyId: data.history_id };
}

const methods: [string, (canary: Canary) => Promise<unknown>][] = [
  [
    'one by one',
    async ({ user, files }) => {
      for (const { artifactId } of files) {
        await user.client.call(deleteArtifact, { params: { artifactId } });
      }
    },
  ],
  [
    'several at once',
    ({ user, files }) =>
      user.client.call(deleteArtifacts, { body: files.map(({ artifactId }) => artifactId) }),
  ],
  [
    'all',
    async ({ user }) => {
      await user.client.call(deleteAllArtifacts, {});
      await user.client.upload(
        uploadArtifacts,
        [{ name: REMAINING, content: new Blob(['A new beginning.']) }],
        {},
      );
    },
  ],
];

test.each(methods)('files that are deleted %s leave no trace', async (_, remove) => {
  const canary = await createLibrary();
  const { user, words, historyId } = canary;
  const { text, name, keyword } = words;
  // The search for traces works.
  expect(await wordsIn('files', text)).toEqual(new Set([text]));
  expect(await wordsIn('index', text, name, keyword)).toEqual(new Set([text, name, keyword]));
  expect(await wordsIn('database', text, name)).toEqual(new Set([text, name]));

  await remove(canary);
  await engram.settled();
  await engram.deps.index.purge(user.userId);
  await engram.deps.database.maintain();

  expect(await engram.deps.files.list(user.userId)).toHaveLength(1);
  expect(await findIn('files', text, name, keyword)).toEqual([]);
  expect(await findIn('index', text, name, keyword)).toEqual([]);
  // The user's keyword itself is not deleted.
  expect(await findIn('database', text, name)).toEqual([]);
  const { data: entry } = await user.client.call(getHistoryEntry, { query: { id: historyId } });
  expect(entry).toMatchObject({
    searchText: 'Which code has the padlock of the boathouse?',
    answers: ['Removed: the file was deleted.'],
    citations: [],
    similarVectors: [],
    recommendations: [],
  });
});

test('a picture has a thumbnail, which is deleted with it', async () => {
  const { user, files } = await createLibrary();
  const picture = files.find(({ artifactFileName }) => artifactFileName === 'picture.png');
  const artifactId = picture?.artifactId ?? '';
  expect(picture?.thumbnailUrl).not.toBeNull();
  const stored = async () =>
    (await engram.deps.files.list(user.userId)).filter((key) => key.includes(artifactId));
  expect(await stored()).toHaveLength(2);
  await user.client.call(deleteArtifact, { params: { artifactId } });
  expect((await fetch(engram.origin + picture?.thumbnailUrl)).status).toBe(404);
  await engram.settled();
  expect(await stored()).toEqual([]);
});

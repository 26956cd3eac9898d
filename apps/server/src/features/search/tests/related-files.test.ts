import { listArtifacts, listHistory, search, uploadArtifacts } from '@engram/contract';
import { beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;

/** More files than an answer lists. Later ones have more text around the answer. */
const FILES = Array.from({ length: 24 }, (_, n) => ({
  name: `meter-${n}.txt`,
  content: new Blob([
    `The meter reading in the cellar was ${1000 + n} units.\n\n${'Other things were noted there as well. '.repeat(n + 1)}`,
  ]),
}));

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  await ann.client.upload(uploadArtifacts, FILES, { source: 'API' });
  await engram.settled();
});

test('an answer names up to 20 different files, best first, each with a link that opens it', async () => {
  const { data } = await ann.client.call(search, {
    body: { text: 'What was the meter reading in the cellar?', audio: false },
  });
  const files = data.similar_vectors;
  expect(files).toHaveLength(20);
  expect(new Set(files.map(({ artifactId }) => artifactId)).size).toBe(20);
  const scores = files.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  const opened = await fetch(engram.origin + (files.at(-1)?.presignedUrl ?? ''));
  expect(await opened.text()).toContain('The meter reading in the cellar was');
});

test('lists are complete without a page limit, without audio, and with the beginning of each text', async () => {
  const files = await ann.client.call(listArtifacts, {});
  expect(files).toMatchObject({ nextCursor: null, total: FILES.length });
  expect(new Set(files.data.map(({ source }) => source))).toEqual(new Set(['API']));
  expect(files.data.every(({ artifactText }) => artifactText?.length === 50)).toBe(true);
  expect(new Set(files.data.map(({ artifactGroupId }) => artifactGroupId)).size).toBe(1);
  const history = await ann.client.call(listHistory, {});
  expect(history).toMatchObject({ nextCursor: null, total: 1, data: [{ audioFile: null }] });
});

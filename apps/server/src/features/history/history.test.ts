import { randomUUID } from 'node:crypto';
import {
  deleteArtifact,
  getHistoryEntry,
  listArtifacts,
  listHistory,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedInUser, type TestApp } from '../../testing/test-app.ts';

let engram: TestApp;
let ann: SignedInUser;
let people = 0;

beforeAll(async () => {
  engram = await buildTestApp();
});
beforeEach(async () => {
  people += 1;
  ann = await engram.signIn(`ann${people}@example.org`);
});
afterAll(() => engram.close());

const DEPOSIT = 'The deposit for the boathouse is 2,340 euros.';

async function upload(name: string, content: string): Promise<string> {
  const files = [{ name, content: new Blob([content]) }];
  const { data } = await ann.client.upload(uploadArtifacts, files, {});
  await engram.settled();
  return data.artifacts[0]?.artifactId ?? '';
}

test('what a file said leaves earlier answers when it is deleted', async () => {
  const artifactId = await upload('lease.txt', DEPOSIT);
  const text = 'How much is the deposit for the boathouse?';
  const { data: asked } = await ann.client.call(search, { body: { text } });
  expect(asked.citations).toMatchObject([{ artifactId, quote: DEPOSIT }]);
  await ann.client.call(deleteArtifact, { params: { artifactId } });

  const query = { id: asked.history_id };
  const { data: kept } = await ann.client.call(getHistoryEntry, { query });
  expect(kept).toMatchObject({
    searchText: text,
    answers: ['Removed: the file was deleted.'],
    citations: [],
    similarVectors: [],
    recommendations: [],
  });
  const { data: again } = await ann.client.call(search, { body: { text } });
  expect(again).toMatchObject({ grounded: false, citations: [], similar_vectors: [] });
});

test('an answer that was under way when its file was deleted is kept without it', async () => {
  const artifactId = await upload('lease.txt', DEPOSIT);
  await ann.client.call(deleteArtifact, { params: { artifactId } });
  const id = randomUUID();
  await engram.deps.services.history.record({
    id,
    userId: ann.userId,
    question: 'How much is the deposit?',
    answer: `${DEPOSIT} [1]`,
    grounded: true,
    notice: null,
    citations: [
      {
        n: 1,
        artifactId,
        fileName: 'lease.txt',
        location: { line: 1 },
        quote: DEPOSIT,
        start: 0,
        end: DEPOSIT.length,
      },
    ],
    recommendations: [{ question: 'What is the deposit for?', artifactId }],
    related: [{ artifactId, score: 1 }],
    keywords: [],
    latitude: null,
    longitude: null,
    ip: null,
    device: null,
    bookmarked: false,
    archived: false,
    follows: null,
    createdAt: new Date(),
  });
  const { data } = await ann.client.call(getHistoryEntry, { query: { id } });
  expect(JSON.stringify(data)).not.toContain('2,340');
  expect(data).toMatchObject({ citations: [], recommendations: [] });
});

test('the total counts all rows, wherever the list goes on from', async () => {
  for (const text of ['One?', 'Two?', 'Three?']) {
    await upload(`${text}.txt`, text);
    await ann.client.call(search, { body: { text } });
  }
  for (const route of [listHistory, listArtifacts]) {
    const first = await ann.client.call(route, { query: { limit: 1 } });
    const rest = await ann.client.call(route, { query: { cursor: first.nextCursor ?? '' } });
    expect(first).toMatchObject({ total: 3 });
    expect(rest).toMatchObject({ total: 3, nextCursor: null });
    expect(rest.data).toHaveLength(2);
  }
});

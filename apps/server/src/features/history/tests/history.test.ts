import { randomUUID } from 'node:crypto';
import {
  deleteArtifact,
  getHistoryEntry,
  listArtifacts,
  listHistory,
  search,
  status,
  uploadArtifacts,
} from '@engram/contract';
import { beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let userCount = 0;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
});

const DEPOSIT = 'The deposit for the boathouse is 2,340 euros.';

async function upload(name: string, content: string): Promise<string> {
  const files = [{ name, content: new Blob([content]) }];
  const { data } = await ann.client.upload(uploadArtifacts, files, {});
  await engram.settled();
  return data.artifacts[0]?.artifactId ?? '';
}

test('quotes of a deleted file are removed from earlier answers', async () => {
  const artifactId = await upload('lease.txt', DEPOSIT);
  const text = 'How much is the deposit for the boathouse?';
  const { data: answer } = await ann.client.call(search, { body: { text } });
  expect(answer.citations).toMatchObject([{ artifactId, quote: DEPOSIT }]);
  await ann.client.call(deleteArtifact, { params: { artifactId } });

  const query = { id: answer.history_id };
  const { data: entry } = await ann.client.call(getHistoryEntry, { query });
  expect(entry).toMatchObject({
    searchText: text,
    answers: ['Removed: the file was deleted.'],
    citations: [],
    similarVectors: [],
    recommendations: [],
  });
  const { data: again } = await ann.client.call(search, { body: { text } });
  expect(again).toMatchObject({ grounded: false, citations: [], similar_vectors: [] });
});

test('an answer that is written while its file is deleted is stored without it', async () => {
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
    writtenBy: 'files',
    chosenFiles: [],
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
    nearest: [],
    found: [],
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

test('the total counts all rows with any cursor', async () => {
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

/** Adds 'Question 1?' and so on to a user's history, newest first and a minute apart. */
async function addQuestions(count: number): Promise<void> {
  await engram.deps.database.pool.query(
    `INSERT INTO history (id, thread, user_id, question, answer, grounded, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), $1, 'Question ' || n || '?', 'An answer.', true,
      date_trunc('milliseconds', now()) - n * interval '1 minute'
    FROM generate_series(1, $2::int) AS n`,
    [ann.userId, count],
  );
}

test('a question asked while the list is paged does not shift the pages', async () => {
  await addQuestions(7);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 3, cursor, brief: 'true' as const };
    const page = await ann.client.call(listHistory, { query });
    seen.push(...page.data.map(({ searchText }) => searchText));
    cursor = page.nextCursor ?? undefined;
    await ann.client.call(search, { body: { text: 'What is new?', audio: false } });
  } while (cursor);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `Question ${n}?`));
});

test('a brief list omits only the answers', async () => {
  await upload('lease.txt', DEPOSIT);
  const text = 'How much is the deposit for the boathouse?';
  await ann.client.call(search, { body: { text } });
  const { data: whole } = await ann.client.call(listHistory, { query: {} });
  expect(whole[0]?.citations).toHaveLength(1);
  const without = {
    answers: [],
    citations: [],
    found: [],
    similarVectors: [],
    recommendations: [],
  };
  const { data: brief, total } = await ann.client.call(listHistory, { query: { brief: 'true' } });
  expect(brief).toEqual(whole.map((entry) => Object.assign(entry, without)));
  expect(total).toBe(1);
});

test('ten thousand questions are sent completely without a page limit', async () => {
  await addQuestions(10_000);
  const complete = await ann.client.call(listHistory, { query: {} });
  expect(complete).toMatchObject({ total: 10_000, nextCursor: null });
  expect(new Set(complete.data.map(({ id }) => id)).size).toBe(10_000);
  const query = { q: 'question 9999', limit: 40 };
  const matching = await ann.client.call(listHistory, { query });
  expect(matching.data.map(({ searchText }) => searchText)).toEqual(['Question 9999?']);
});

test('without speech, questions are answered without audio, and listening reports the reason', async () => {
  await upload('lease.txt', DEPOSIT);
  const text = 'How much is the deposit for the boathouse?';
  const { data: answer } = await ann.client.call(search, { body: { text, audio: true } });
  expect(answer.answers[0]).toContain('2,340');
  expect(answer.audio_file).toBeNull();
  const url = `${engram.baseUrl}/search/history/${answer.history_id}/audio`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${ann.token}` } });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    message: 'Answers are not spoken, because ENGRAM_SPEECH is set to none.',
    code: 'speech_unavailable',
  });
  const { data } = await ann.client.call(status, {});
  expect(data.abilities.find(({ name }) => name === 'speech')).toMatchObject({ on: false });
});

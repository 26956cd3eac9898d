import {
  historyThread,
  listHistory,
  listThreads,
  search,
  updateHistory,
  uploadArtifacts,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { excerptAround } from '../markdown-text.ts';

const engram = useTestApp();
let ann: SignedInUser;
let userCount = 0;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
});

async function upload(name: string, content: string): Promise<void> {
  await ann.client.upload(uploadArtifacts, [{ name, content: new Blob([content]) }], {});
  await engram.settled();
}

async function ask(text: string, after?: string, user = ann): Promise<string> {
  engram.advance(60_000);
  const { data } = await user.client.call(search, { body: { text, audio: false, after } });
  return data.history_id;
}

const list = async (query: { q?: string; archived?: 'true' | 'false'; saved?: 'true' } = {}) =>
  (await ann.client.call(listThreads, { query })).data;

const change = (historyId: string, more: object) =>
  ann.client.call(updateHistory, { body: { historyId, ...more } });

describe('conversations', () => {
  test('are listed with their first question, newest first', async () => {
    const deposit = await ask('How much is the deposit?');
    const roof = await ask('Who repaired the roof?');
    const due = await ask('And when is it due?', deposit);
    expect(await list()).toMatchObject([
      { id: due, thread: deposit, searchText: 'How much is the deposit?', turns: 2, times: 1 },
      { id: roof, thread: roof, searchText: 'Who repaired the roof?', turns: 1, times: 1 },
    ]);
  });

  test('can be read by any of their questions, oldest first', async () => {
    const first = await ask('How much is the deposit?');
    await ask('Who repaired the roof?');
    const second = await ask('And when is it due?', first);
    const repeated = await ask('And when is it due?', first);
    for (const id of [first, second, repeated]) {
      const { data } = await ann.client.call(historyThread, { query: { id } });
      expect(data.map((entry) => [entry.id, entry.thread, entry.follows])).toEqual([
        [first, first, null],
        [second, first, first],
        [repeated, first, first],
      ]);
    }
  });

  test('of the same single question are one row with a count', async () => {
    await ask('Who repaired the roof?');
    await ask('How much is the deposit?');
    const last = await ask('who  repaired the roof');
    const otherAnswer = await ask('Who repaired the roof?');
    const followed = await ask('And what did it cost?', otherAnswer);
    expect(await list()).toMatchObject([
      { id: followed, turns: 2, times: 1 },
      { id: last, turns: 1, times: 2 },
      { searchText: 'How much is the deposit?', times: 1 },
    ]);
  });

  test('are found by words of their questions and answers', async () => {
    await upload('lease.txt', 'The boathouse is let to Mr Halden. The deposit is 2,340 euros.');
    const answer = await ask('To whom is the boathouse let?');
    await ask('Which colour has the moon?');
    expect(await list({ q: 'halden' })).toMatchObject([
      { id: answer, found: expect.stringContaining('Halden') },
    ]);
    expect(await list({ q: 'whom halden' })).toHaveLength(1);
    expect(await list({ q: 'moon halden' })).toEqual([]);
    expect(await list({ q: '100%' })).toEqual([]);
    expect(await list({ q: 'MOON' })).toMatchObject([{ found: null }]);
    const { data: entries } = await ann.client.call(listHistory, { query: { q: 'Halden' } });
    expect(entries).toMatchObject([{ id: answer }]);
  });

  test('are paged with their number', async () => {
    const ids: string[] = [];
    for (const topic of ['roof', 'lease', 'moon', 'pond', 'mill'])
      ids.unshift(await ask(`Where is the ${topic}?`));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) };
      const page = await ann.client.call(listThreads, { query });
      expect(page).toMatchObject({ total: 5 });
      seen.push(...page.data.map(({ id }) => id));
      cursor = (page as { nextCursor?: string | null }).nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(ids);
  });

  test('are saved and archived question by question, or whole', async () => {
    const first = await ask('How much is the deposit?');
    const second = await ask('And when is it due?', first);
    await change(second, { isBookmark: true, isArchived: true });
    expect(await list({ archived: 'false' })).toMatchObject([
      { id: first, isBookmark: true, isArchived: false },
    ]);
    expect(await list({ archived: 'true' })).toMatchObject([
      { id: second, searchText: 'How much is the deposit?', isArchived: true },
    ]);
    await change(first, { isBookmark: false, isArchived: true, wholeThread: true });
    expect(await list({ archived: 'false' })).toEqual([]);
    expect(await list({ saved: 'true' })).toEqual([]);
    expect(await list()).toMatchObject([{ isArchived: true, isBookmark: false }]);
  });

  test('change together with repeats in the same row', async () => {
    await ask('Who repaired the roof?');
    const repeated = await ask('Who repaired the roof?');
    await change(repeated, { isArchived: true, wholeThread: true });
    expect(await list({ archived: 'false' })).toEqual([]);
    expect(await list({ archived: 'true' })).toMatchObject([{ times: 2 }]);
  });

  test('belong to one user', async () => {
    const mine = await ask('Who repaired the roof?');
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const foreign = await bob.client.call(listThreads, { query: {} });
    expect(foreign.data).toEqual([]);
    const read = bob.client.call(historyThread, { query: { id: mine } });
    await expect(read).rejects.toMatchObject({ status: 404 });
    await ask('Who repaired the roof?', undefined, bob);
    const body = { historyId: mine, isArchived: true, wholeThread: true };
    await expect(bob.client.call(updateHistory, { body })).rejects.toMatchObject({ status: 404 });
    expect(await list()).toMatchObject([{ times: 1, isArchived: false }]);
  });
});

describe('an excerpt of an answer', () => {
  test.each([
    ['The **deposit** is 2,340 euros [1].', ['euros'], 'The deposit is 2,340 euros.'],
    [
      '## Rents\n\n---\n\n| Year | Rent |\n| --- | ---: |\n| 2024 | 900 |',
      ['rent'],
      'Rents Year Rent 2024 900',
    ],
    ['Take `rm -rf` \\*never\\* [2][unverified].', ['never'], 'Take rm -rf *never*.'],
    ['No such thing.', ['euros'], null],
    [
      `${'word '.repeat(40)}needle${' word'.repeat(40)}`,
      ['needle'],
      expect.stringMatching(/^…(word )+needle( word)+…$/u),
    ],
    ['x'.repeat(500), ['x'], expect.stringMatching(/^x+…$/u)],
  ])('is around the search words', (answer, words, expected) => {
    expect(excerptAround(answer, words)).toEqual(expected);
  });
});

import { once } from 'node:events';
import {
  listHistory,
  recommendedQuestions,
  search,
  type SearchData,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ThreadEnded } from '../../../../platform/threads/threads.ts';
import { buildTestApp, type SignedInUser } from '../../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../../tests/use-app.test-setup.ts';

const FALLBACK = 'This question took too long to answer. Please try rephrasing it.';
const QUESTION = 'What is the deposit of the boathouse?';
const ENDLESS = 'What is the deposit of the endless boathouse?';

const analysis = {
  script: new URL('./hostile-worker.test-setup.ts', import.meta.url),
  limitMs: 1000,
};

type Engram = Awaited<ReturnType<typeof buildTestApp>>;

async function userIn(engram: Engram, name: string) {
  const user = await engram.signIn(`${name}@example.org`);
  const content = new Blob(['The deposit of the boathouse is 2,340 euros.']);
  await user.client.upload(uploadArtifacts, [{ name: 'lease.txt', content }], {});
  await engram.settled();
  return { ...user, ask: (text: string) => ask(user, text) };
}

type TestUser = Awaited<ReturnType<typeof userIn>>;

async function ask({ client }: SignedInUser, text: string): Promise<SearchData> {
  return (await client.call(search, { body: { text, audio: false } })).data;
}

const answered = expect.objectContaining({ grounded: true });

describe('a question whose analysis never ends', () => {
  const engram = useTestApp({ analysis });
  let [ann, bob, cleo]: TestUser[] = [];
  beforeAll(async () => {
    [ann, bob, cleo] = [
      await userIn(engram, 'ann'),
      await userIn(engram, 'bob'),
      await userIn(engram, 'cleo'),
    ];
  });

  test.each([ENDLESS, 'Is the deposit deadly?'])(
    'gets a fallback answer that is stored, and the next question is answered (%s)',
    async (text) => {
      const data = await ann!.ask(text);
      expect(data).toMatchObject({ answers: [FALLBACK], grounded: false, citations: [] });
      expect(await ann!.ask(QUESTION)).toEqual(answered);
      const { data: entries } = await ann!.client.call(listHistory, {});
      const stored = entries.find((entry) => entry.searchText === text);
      expect(stored).toMatchObject({ answers: [FALLBACK], id: data.history_id });
    },
  );

  test('does not delay other users, however often it is asked', async () => {
    let waiting = 0;
    const hostile = [ann!, cleo!].flatMap((user) =>
      Array.from({ length: 3 }, async () => {
        waiting += 1;
        const { answers } = await user.ask(ENDLESS);
        waiting -= 1;
        return answers;
      }),
    );
    for (let n = 0; n < 3; n += 1) expect(await bob!.ask(QUESTION)).toEqual(answered);
    expect(waiting).toBeGreaterThan(0);
    expect(await Promise.all(hostile)).toEqual(hostile.map(() => [FALLBACK]));
    expect(await cleo!.ask(QUESTION)).toEqual(answered);
  });

  test('is stored if its user disconnects', async () => {
    const controller = new AbortController();
    const text = 'Is the endless deposit still due?';
    const response = fetch(`${ann!.baseUrl}/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ann!.token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ text, audio: false }),
      signal: controller.signal,
    });
    await bob!.ask(QUESTION);
    controller.abort();
    await response.catch(() => undefined);
    const texts = async () =>
      (await ann!.client.call(listHistory, {})).data.map((entry) => [
        entry.searchText,
        entry.answers,
      ]);
    await expect.poll(texts).toContainEqual([text, [FALLBACK]]);
  });

  test('also gets a stored fallback answer if a thread of the search index ends', async () => {
    const search = vi
      .spyOn(engram.deps.index, 'search')
      .mockRejectedValue(new ThreadEnded('The thread ended.'));
    onTestFinished(() => search.mockRestore());
    const text = 'What is the deposit of the other boathouse?';
    const { answers, history_id: id } = await bob!.ask(text);
    expect(answers).toEqual([FALLBACK]);
    const { data } = await bob!.client.call(listHistory, {});
    expect(data.find((entry) => entry.id === id)).toMatchObject({ searchText: text, answers });
  });

  test('is never recommended', async () => {
    const content = new Blob(['The endless pier of Dover was built in 1909 by the crew.']);
    await bob!.client.upload(uploadArtifacts, [{ name: 'pier.txt', content }], {});
    await engram.settled();
    const { data } = await bob!.client.call(recommendedQuestions, {});
    expect(data.join('\n')).not.toContain('endless');
  });
});

test('a stop waits for running analyses up to its limit', async () => {
  // The analysis takes longer than the limit of a stop.
  const engram = await buildTestApp({
    analysis: { ...analysis, limitMs: 60_000 },
    env: { ENGRAM_STOP_SECONDS: '2' },
  });
  const ann = await userIn(engram, 'ann');
  const endless = new BroadcastChannel('endless');
  const started = once(endless, 'message');
  const answer = ann.ask(ENDLESS).then(({ answers }) => answers[0]);
  await started;
  endless.close();
  // Each user has one thread at a time, so the next analysis is queued.
  const waiting = engram.deps.analysis.forQuestion(ann.userId)('draft', []);
  const rejection = waiting.catch((error: unknown) => error);
  await engram.close();
  expect(await rejection).toMatchObject({ status: 503, code: 'stopping' });
  expect(await answer).toBe(FALLBACK);
});

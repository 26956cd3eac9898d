import { search, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { awaitRecentUploads, notReadyNotice } from '../recent-uploads.ts';

const engram = useTestApp();

test('a question asked right after an upload finds the file', async () => {
  const ann = await engram.signIn('ann@example.org');
  const upload = (name: string, text: string) =>
    ann.client.upload(uploadArtifacts, [{ name, content: new Blob([text]) }], {});
  // The first file also waits for a process that reads it.
  await upload('chimney.txt', 'The chimney was swept in May.');
  await engram.settled();
  await upload('boiler.txt', 'The boiler was serviced on 3 March 2024.');
  const body = { text: 'When was the boiler serviced?', audio: false };
  const { data: answer } = await ann.client.call(search, { body });
  expect(answer.found[0]?.text).toContain('3 March 2024');
  expect(answer.notice).toBeNull();
});

test('the wait names the files being processed, ends when they are ready, and covers uploads of the last two minutes', async () => {
  const waiting = [['a.pdf', 'b.pdf'], ['b.pdf'], []];
  const steps: string[] = [];
  const times: Date[] = [];
  const now = new Date('2026-01-02T12:00:00Z');
  const notReady = await awaitRecentUploads(
    {
      unfinished: async (_userId, since) => {
        times.push(since);
        return waiting.shift() ?? [];
      },
      now: () => now,
      pause: () => Promise.resolve(),
    },
    'ann',
    { signal: new AbortController().signal, onStep: (text) => steps.push(text) },
  );
  expect(notReady).toEqual([]);
  expect(steps).toEqual(['Reading 2 files…', 'Reading b.pdf…']);
  expect(times[0]).toEqual(new Date('2026-01-02T11:58:00Z'));
});

test('a file that takes longer than ten seconds is named, and the question is answered without it', async () => {
  const pauses: number[] = [];
  const notReady = await awaitRecentUploads(
    {
      unfinished: () => Promise.resolve(['scan.pdf']),
      now: () => new Date(0),
      pause: async (ms) => pauses.push(ms),
    },
    'ann',
    { signal: new AbortController().signal, onStep: () => undefined },
  );
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
  expect(notReadyNotice(notReady)).toBe('scan.pdf is still being processed and was not searched.');
});

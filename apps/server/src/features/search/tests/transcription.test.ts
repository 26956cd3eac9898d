import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '@engram/client';
import { Engram } from '@engram/client/engram-kb';
import { appSettings, getMetrics, transcribe } from '@engram/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRecording, RECORDINGS } from '../../../tests/recordings.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { recordTones } from '../../../tests/tones.test-setup.ts';
import {
  startTranscriptionServer,
  type TranscriptionServer,
} from '../../../tests/transcription-server.test-setup.ts';
import { buildTestApp, type TestApp } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const spoken = (content: Uint8Array<ArrayBuffer>, name = 'spoken') => [
  { name, content: new Blob([content]) },
];

const textOf = async (user: SignedInUser, content: Uint8Array<ArrayBuffer>) =>
  (await user.client.upload(transcribe, spoken(content), {})).data.text;

/** The error of a call, which must be refused. */
async function refusalOf(answer: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('The call was not refused.', { cause: error });
  return error;
}

describe('with a provider', () => {
  let provider: TranscriptionServer;
  let engram: TestApp;
  let ann: SignedInUser;

  beforeAll(async () => {
    provider = await startTranscriptionServer();
    engram = await buildTestApp({
      env: {
        ENGRAM_TRANSCRIPTION: 'openai:whisper-1',
        OPENAI_BASE_URL: provider.url,
        ENGRAM_FFMPEG: 'none',
      },
    });
    ann = await engram.signIn('ann@example.org');
  });
  beforeEach(() => provider.behave({ kind: 'hear' }));
  afterAll(async () => {
    await engram.close();
    await provider.close();
  });

  const storedRecordings = () => readdir(path.join(engram.folder, 'recordings'));

  test('the settings allow the web app to record', async () => {
    const { data } = await engram.anonymous.call(appSettings, {});
    expect(data.transcription).toBe(true);
  });

  test('speech is returned as text, and the recording is not stored', async () => {
    expect(await textOf(ann, recordTones([{ hertz: 450, seconds: 1.5 }]))).toBe('tone 450');
    expect(await storedRecordings()).toEqual([]);
  });

  test('the client library transcribes a recording', async () => {
    const library = new Engram({ baseUrl: engram.origin, token: ann.token });
    const recording = recordTones([{ hertz: 450, seconds: 1.5 }]);
    expect(await library.transcribe(recording, { name: 'spoken.wav' })).toBe('tone 450');
  });

  test.each(RECORDINGS)('%s, as a browser records it, is transcribed', async (name) => {
    const before = provider.requests.length;
    provider.behave({ kind: 'text', text: ' How much\n notice?\u0000 ' });
    expect(await textOf(ann, await readRecording(name))).toBe('How much notice?');
    const [request, ...others] = provider.requests.slice(before);
    expect(others).toEqual([]);
    expect(request?.file.name).toBe(name === 'spoken.m4a' ? 'sound.m4a' : 'sound.webm');
  });

  test('silence gives an empty text without a call to the provider', async () => {
    const before = provider.requests.length;
    expect(await textOf(ann, recordTones([{ hertz: 0, seconds: 2 }]))).toBe('');
    expect(provider.requests).toHaveLength(before);
  });

  test.each([
    ['a text', new TextEncoder().encode('This is a text.'), 415],
    ['a damaged recording', recordTones([{ hertz: 450, seconds: 1 }]).slice(0, 30), 400],
    ['an empty recording', new Uint8Array(0), 400],
    ['a recording longer than 2 minutes', recordTones([{ hertz: 450, seconds: 130 }]), 413],
    ['a recording larger than 25 MB', new Uint8Array(25 * 1_048_576 + 1), 413],
  ])(
    '%s is refused with a message, and is neither sent to the provider nor stored',
    async (_, content, status) => {
      const before = provider.requests.length;
      const refusal = await refusalOf(textOf(ann, content));
      expect(refusal.status).toBe(status);
      expect(refusal.message).toMatch(/^[A-Z].*\.$/u);
      expect(provider.requests).toHaveLength(before);
      expect(await storedRecordings()).toEqual([]);
    },
  );

  test('a form without a recording or with two, and a body that is not a form, are refused', async () => {
    expect(await refusalOf(ann.client.upload(transcribe, [], {}))).toMatchObject({ status: 400 });
    const recording = recordTones([{ hertz: 450, seconds: 1 }]);
    const two = [...spoken(recording), ...spoken(recording)];
    const refusal = await refusalOf(ann.client.upload(transcribe, two, {}));
    expect(refusal).toMatchObject({ status: 400, message: 'Please send exactly one recording.' });
    const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    expect((await fetch(`${engram.baseUrl}/search/transcribe`, init)).status).toBe(415);
    expect(await storedRecordings()).toEqual([]);
  });

  test('a signed-out caller is refused', async () => {
    const upload = engram.anonymous.upload(transcribe, spoken(new Uint8Array(1)), {});
    expect(await refusalOf(upload)).toMatchObject({ status: 401 });
  });

  test('a provider that is down or refuses is reported, and no question is counted', async () => {
    provider.behave({ kind: 'status', status: 401 });
    const tone = recordTones([{ hertz: 450, seconds: 1 }]);
    const refusal = await refusalOf(textOf(ann, tone));
    expect(refusal.status).toBe(503);
    expect(refusal.message).toContain('did not accept the key');
    expect(refusal.message).toContain('type your question');
    provider.behave({ kind: 'status', status: 429, headers: { 'retry-after': '20' } });
    expect(await refusalOf(textOf(ann, tone))).toMatchObject({ status: 503, retryAfterMs: 20_000 });
    const { data } = await ann.client.call(getMetrics, {});
    expect(data.daily_queries_used).toBe(0);
    expect(await storedRecordings()).toEqual([]);
  });

  test('a caller who disconnects stops the transcription', async () => {
    provider.behave({ kind: 'hang' });
    const leaving = new AbortController();
    const before = provider.requests.length;
    const content = spoken(recordTones([{ hertz: 450, seconds: 1 }]));
    const answer = ann.client.upload(transcribe, content, {}, { signal: leaving.signal });
    await provider.received(before + 1);
    expect(await storedRecordings()).toHaveLength(1);
    leaving.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(storedRecordings).toEqual([]);
  });

  test('an expired plan is refused before the transcription', async () => {
    const bob = await engram.signIn('bob@example.org');
    const before = provider.requests.length;
    await engram.deps.database.db.execute(
      sql`UPDATE subscriptions SET status = 'Expired' WHERE user_id = ${bob.userId}`,
    );
    const refusal = await refusalOf(textOf(bob, recordTones([{ hertz: 450, seconds: 1 }])));
    expect(refusal.status).toBe(402);
    expect(provider.requests).toHaveLength(before);
  });
});

test('the limit of recordings affects one user only', async () => {
  const engram = await buildTestApp({
    env: {
      ENGRAM_TRANSCRIPTION: 'openai:whisper-1',
      OPENAI_API_KEY: 'x',
      ENGRAM_RATE_LIMITS: 'on',
    },
  });
  const [ann, bob] = [
    await engram.signIn('ann@example.org'),
    await engram.signIn('bob@example.org'),
  ];
  const statusOf = async (user: SignedInUser) =>
    (await refusalOf(textOf(user, new Uint8Array(0)))).status;
  const statuses = await Promise.all(Array.from({ length: 30 }, () => statusOf(ann)));
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
  expect(await statusOf(bob)).toBe(400);
  await engram.close();
});

describe('without a provider', () => {
  const engram = useTestApp();

  test('the call is refused with the reason, and the settings say so', async () => {
    const ann = await engram.signIn('ann@example.org');
    const refusal = await refusalOf(textOf(ann, recordTones([{ hertz: 450, seconds: 1 }])));
    expect(refusal).toMatchObject({ status: 503, code: 'transcription_off' });
    const { data } = await engram.anonymous.call(appSettings, {});
    expect(data.transcription).toBe(false);
  });
});

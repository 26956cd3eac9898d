import {
  type Artifact,
  getArtifactText,
  listArtifacts,
  retryArtifact,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { retryNow } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';
import { recordTones } from '../../../tests/tones.test-setup.ts';
import {
  startTranscriptionServer,
  type TranscriptionServer,
} from '../../../tests/transcription-server.test-setup.ts';
import { useRestartingApp } from '../../../tests/use-restarting-app.test-setup.ts';

let provider: TranscriptionServer;
let engram: TestApp;
let ann: SignedInUser;

beforeAll(async () => {
  provider = await startTranscriptionServer();
});
beforeEach(() => void (provider.requests.length = 0));
afterAll(() => provider.close());
const { running } = useRestartingApp();

async function start(env: Record<string, string>): Promise<void> {
  ({ app: engram, ann } = await running(env));
}

const withProvider = (): Promise<void> =>
  start({ ENGRAM_TRANSCRIPTION: 'openai:whisper-1', OPENAI_BASE_URL: provider.url });

async function upload(name: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const file = { name, content: new Blob([content]) };
  const { data } = await ann.client.upload(uploadArtifacts, [file], {});
  return data.artifacts[0]?.artifactId ?? '';
}

async function find(artifactId: string): Promise<Artifact | undefined> {
  const { data } = await ann.client.call(listArtifacts, {});
  return data.find((artifact) => artifact.artifactId === artifactId);
}

test('speech in a recording is found at its time', async () => {
  await withProvider();
  provider.behave({
    kind: 'segments',
    segments: [
      { start: 0, end: 4, text: ' Welcome to the harbour tour.' },
      { start: 4, end: 9, text: ' The lighthouse was painted red in 1987.' },
    ],
  });
  const id = await upload('tour.wav', recordTones([{ hertz: 440, seconds: 10 }]));
  await engram.settled();
  expect(await find(id)).toMatchObject({
    uploadStatus: 'SUCCESS',
    isVectorReady: true,
    statusReason: null,
    durationMs: 10_000,
  });
  const { data } = await ann.client.call(search, {
    body: { text: 'When was the lighthouse painted?', audio: false },
  });
  expect(data.citations[0]).toMatchObject({ artifactId: id, fileName: 'tour.wav' });
  expect(data.citations[0]?.quote).toContain('1987');
  expect(data.citations[0]?.location).toMatchObject({ endMs: 9000 });
});

/** A recording longer than the maximum piece, which is two minutes. */
const LONG = recordTones([
  { hertz: 300, seconds: 110 },
  { hertz: 600, seconds: 110 },
  { hertz: 900, seconds: 30 },
]);

test('a long recording continues after its finished parts when the provider is back', async () => {
  await withProvider();
  provider.behave({ kind: 'hear' }, { kind: 'status', status: 503 });
  const id = await upload('long.wav', LONG);
  await provider.received(2);
  await expect.poll(() => retryNow(engram.deps, 'recognize-artifact', `${id}:1`)).toBe(true);
  expect((await find(id))?.uploadStatus).toBe('PROCESSING');
  provider.behave({ kind: 'hear' });
  // The job may still be failing for the second time, and then waits again.
  await expect
    .poll(async () => {
      await retryNow(engram.deps, 'recognize-artifact', `${id}:1`);
      return (await find(id))?.isVectorReady;
    })
    .toBe(true);
  await engram.settled();

  const artifact = await find(id);
  expect(artifact).toMatchObject({ isVectorReady: true, statusReason: null, durationMs: 250_000 });
  const text = await ann.client.text(getArtifactText, { params: { artifactId: id } });
  const transcribedTones: string[] = text.match(/tone \d+/gu) ?? [];
  expect(transcribedTones.indexOf('tone 300')).toBe(0);
  expect(transcribedTones.at(-1)).toBe('tone 900');
  // The first piece was transcribed once.
  const first = provider.requests.filter(({ tones }) => tones[0]?.hertz === 300);
  expect(first).toHaveLength(1);
});

test('if a provider refuses, the transcript is missing until the file is processed again', async () => {
  await withProvider();
  provider.behave({ kind: 'status', status: 401 });
  const id = await upload('tour.wav', recordTones([{ hertz: 450, seconds: 3 }]));
  await engram.settled();
  expect(await find(id)).toMatchObject({
    uploadStatus: 'SUCCESS',
    statusReason: expect.stringContaining('The speech is not transcribed'),
    durationMs: 3000,
  });
  provider.behave({ kind: 'hear' });
  await ann.client.call(retryArtifact, { params: { artifactId: id } });
  await engram.settled();
  expect(await find(id)).toMatchObject({ isVectorReady: true, statusReason: null });
  const text = await ann.client.text(getArtifactText, { params: { artifactId: id } });
  expect(text).toContain('tone 450');
});

test('without a provider the file has a note', async () => {
  await start({});
  const id = await upload('tour.wav', recordTones([{ hertz: 450, seconds: 3 }]));
  await engram.settled();
  expect(await find(id)).toMatchObject({
    uploadStatus: 'SUCCESS',
    statusReason: expect.stringContaining(
      'Speech is not transcribed: no transcription provider is configured.',
    ),
  });
  expect(provider.requests).toEqual([]);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Artifact,
  deleteArtifact,
  getArtifactText,
  getArtifactWords,
  listArtifacts,
  retryArtifact,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { storedZip } from '../../../tests/archives.test-setup.ts';
import { startMisbehavingModel } from '../../../tests/misbehaving-model.test-setup.ts';
import { readScan, type Scan, scannedPdf } from '../../../tests/scans.test-setup.ts';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';
import { useRestartingApp } from '../../../tests/use-restarting-app.test-setup.ts';

let harbour: Scan;
let mill: Scan;
let ann: SignedInUser;
const library = useRestartingApp();

beforeAll(async () => {
  harbour = await readScan('harbour');
  mill = await readScan('mill');
});

/** Starts Engram with these settings, and signs in a new user. */
async function startApp(env: Record<string, string> = {}): Promise<TestApp> {
  const running = await library.running(env);
  ({ ann } = running);
  return running.app;
}

async function upload(name: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const { data } = await ann.client.upload(
    uploadArtifacts,
    [{ name, content: new Blob([content]) }],
    {},
  );
  return data.artifacts[0]?.artifactId ?? '';
}

async function find(artifactId: string): Promise<Artifact | undefined> {
  const { data } = await ann.client.call(listArtifacts, {});
  return data.find((artifact) => artifact.artifactId === artifactId);
}

async function ask(text: string) {
  return (await ann.client.call(search, { body: { text, audio: false } })).data;
}

/** The stored files of an artifact, without those that are being written. */
async function stored(artifactId: string): Promise<string[]> {
  const folder = join(library.dataDir(), 'files', ann.userId, artifactId);
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries.toSorted();
}

const untilRecognizing = (artifactId: string) =>
  vi.waitFor(
    async () => {
      const names = await stored(artifactId);
      expect(
        names.filter((name) => /supplements.[0-9a-f]{32}$/u.test(name)).length,
      ).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 50 },
  );

describe('scanned PDFs', () => {
  test('a scanned PDF is found by its text, with its page, words and thumbnail', async () => {
    const app = await startApp();
    const id = await upload('harbour.pdf', scannedPdf([mill, harbour]));
    await app.settled();
    const artifact = await find(id);
    expect(artifact).toMatchObject({
      uploadStatus: 'SUCCESS',
      isVectorReady: true,
      statusReason: null,
      progress: 100,
      stage: 'ready',
    });

    const { citations } = await ask('When does the harbour office open on Saturdays?');
    expect(citations[0]).toMatchObject({ artifactId: id, location: { page: 2 } });

    const text = await ann.client.text(getArtifactText, { params: { artifactId: id } });
    const { data: words } = await ann.client.call(getArtifactWords, {
      params: { artifactId: id },
      query: { page: 2 },
    });
    const spoken = words.map(({ start: from, end }) => text.slice(from, end));
    expect(spoken).toEqual(expect.arrayContaining(['harbour', 'Saturdays.', '48.50']));
    // The first line is above the last.
    const top = (word: string): number => words[spoken.indexOf(word)]?.top ?? NaN;
    expect(top('harbour')).toBeLessThan(top('48.50'));
    expect(words.every((box) => box.left + box.width <= 1 && box.top + box.height <= 1)).toBe(true);

    const picture = await fetch(new URL(artifact?.thumbnailUrl ?? '', app.origin));
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    expect(picture.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
    expect(await stored(id)).toEqual(['original', 'thumbnail']);
  });

  test('a scanned PDF that is deleted during recognition leaves no data and no running job', async () => {
    const app = await startApp();
    const id = await upload('book.pdf', scannedPdf(Array<Scan>(20).fill(harbour)));
    await untilRecognizing(id);
    const before = app.deps.lane.pids();
    await ann.client.call(deleteArtifact, { params: { artifactId: id } });
    await app.settled();
    expect(await stored(id)).toEqual([]);
    expect(app.deps.lane.pids()).not.toEqual(before);
    expect((await ask('When does the harbour office open?')).citations).toEqual([]);
  });

  test('a scanned PDF whose process is killed is completed', async () => {
    const app = await startApp();
    const id = await upload('book.pdf', scannedPdf([harbour, mill, harbour]));
    await untilRecognizing(id);
    for (const pid of app.deps.lane.pids()) process.kill(pid, 'SIGKILL');
    await app.settled();
    expect(await find(id)).toMatchObject({ isVectorReady: true, statusReason: null });
    const text = await ann.client.text(getArtifactText, { params: { artifactId: id } });
    expect(text.match(/harbour office/gu)).toHaveLength(2);
    expect(text.match(/barley/gu)).toHaveLength(1);
  });

  test('a scanned PDF continues at its next page after a restart of the server', async () => {
    const before = await startApp();
    const id = await upload('book.pdf', scannedPdf(Array<Scan>(4).fill(harbour)));
    await untilRecognizing(id);
    await before.deps.jobs.stop({ graceful: false });
    const pages = (await stored(id)).length;
    const { app, ann: back } = await library.start();
    ann = back;
    expect((await stored(id)).length).toBeGreaterThanOrEqual(pages);
    await app.settled();
    expect(await find(id)).toMatchObject({ isVectorReady: true, statusReason: null });
    expect(await stored(id)).toEqual(['original', 'thumbnail']);
  });
});

test('a photograph of a page is found by its text', async () => {
  const app = await startApp();
  const id = await upload('mill.jpg', mill.jpeg);
  await app.settled();
  const artifact = await find(id);
  expect(artifact).toMatchObject({ isVectorReady: true, statusReason: null });
  expect(artifact?.thumbnailUrl).toMatch(/^\/v1\/files\//u);
  const { citations } = await ask('Which year was the flood at the mill?');
  expect(citations[0]?.quote).toContain('1784');
  const { data: words } = await ann.client.call(getArtifactWords, { params: { artifactId: id } });
  expect(words.length).toBeGreaterThan(15);
});

test('the members of an archive are recognized, too, each under its path', async () => {
  const app = await startApp();
  const zip = storedZip({ 'trip/mill.jpg': mill.jpeg, 'trip/harbour.pdf': scannedPdf([harbour]) });
  const id = await upload('trip.zip', zip);
  await app.settled();
  expect(await find(id)).toMatchObject({ isVectorReady: true, statusReason: null });
  const { citations } = await ask('When does the harbour office open on Saturdays?');
  expect(citations[0]?.location).toMatchObject({ path: 'trip/harbour.pdf', page: 1 });
  const { data: words } = await ann.client.call(getArtifactWords, {
    params: { artifactId: id },
    query: { path: 'trip/mill.jpg' },
  });
  expect(words.length).toBeGreaterThan(15);
});

test('a picture is found by its description and its text if a vision model is set', async () => {
  const model = await startMisbehavingModel();
  model.behave({ kind: 'answer', pieces: ['A watercolour of a windmill ', 'beside a canal.'] });
  const app = await startApp({ ENGRAM_VISION: 'openai:eyes', OPENAI_BASE_URL: `${model.url}/v1` });
  const id = await upload('mill.jpg', mill.jpeg);
  await app.settled();
  await model.close();
  expect(await find(id)).toMatchObject({ isVectorReady: true, statusReason: null });
  const text = await ann.client.text(getArtifactText, { params: { artifactId: id } });
  expect(text).toContain('A watercolour of a windmill beside a canal.');
  expect(text).toContain('ground barley');
  expect(model.requests).toHaveLength(1);
});

test('a scanned PDF has a note if recognition is off, and can be processed again', async () => {
  const app = await startApp({ ENGRAM_OCR: 'off' });
  const id = await upload('harbour.pdf', scannedPdf([harbour]));
  await app.settled();
  expect(await find(id)).toMatchObject({
    uploadStatus: 'SUCCESS',
    isVectorReady: false,
    statusReason: expect.stringContaining('not recognized'),
  });
  const { data } = await ann.client.call(retryArtifact, { params: { artifactId: id } });
  expect(data.uploadStatus).toBe('PENDING');
  await app.settled();
  expect(await find(id)).toMatchObject({ uploadStatus: 'SUCCESS' });
});

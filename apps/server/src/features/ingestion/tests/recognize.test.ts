import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExtractionError } from '@engram/extraction';
import type { RecognizedPage, SupplementRequest } from '@engram/extraction';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelUnavailable } from '../../../platform/ai/model-unavailable.ts';
import { createDiskRoom } from '../../../platform/files/disk-room.ts';
import { createDiskFileStore } from '../../../platform/files/disk.ts';
import type { FileStore } from '../../../platform/files/files.ts';
import { ChildCrash, ChildTaskError } from '../../../platform/processes/task-process.ts';
import { loadSupplements, openStoredSupplements } from '../supplements.ts';
import { createRecognition } from '../recognize.ts';

let folder = '';
let files: FileStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engram-recognition-'));
  files = await createDiskFileStore({ folder, room: createDiskRoom({ folder, spareBytes: 0 }) });
});

afterAll(() => rm(folder, { recursive: true }));

type Lane = Parameters<typeof createRecognition>[0]['lane'];
type PageHandler = (page: number) => Promise<RecognizedPage>;

const recognized = (page: number): RecognizedPage => ({ page, lines: [] });
const pages = (count: number): SupplementRequest[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'page', page: i + 1 }));

/**
 * Fulfills the requests of one file with the given functions. A second call continues with the
 * stored results.
 */
async function setUp(handlers: {
  page?: PageHandler;
  transcribe?: () => Promise<never>;
  caption?: () => Promise<string>;
}) {
  const artifact = { userId: randomUUID(), id: randomUUID() };
  const processed: number[] = [];
  const shares: number[] = [];
  const lane = {
    run: async (call: string, _task: unknown, _file: unknown, ref?: { page: number }) => {
      if (call === 'picture') return new Uint8Array([1]);
      const page = ref?.page ?? 0;
      processed.push(page);
      return (handlers.page ?? (async (number) => recognized(number)))(page);
    },
  } as Lane;
  const recognize = createRecognition({
    lane,
    transcription: {
      transcribe: handlers.transcribe ?? (() => Promise.reject(new Error('unexpected'))),
    },
    describer: { caption: handlers.caption ?? (async () => 'A harbour.') },
  });
  const recognizeAll = async (
    requests: SupplementRequest[],
    options: { mayWait?: boolean; signal?: AbortSignal } = {},
  ) => {
    const stored = await openStoredSupplements(files, artifact);
    const temporary = await recognize({
      requests,
      durationMs: null,
      file: { filePath: '/nowhere', fileName: 'scan.pdf', type: 'pdf', passwords: [] },
      task: {
        group: artifact.userId,
        logFields: {},
        signal: options.signal ?? new AbortController().signal,
      },
      languages: ['eng'],
      stored,
      mayWait: options.mayWait ?? true,
      assertNeeded: async () => {},
      onProgress: (fraction) => shares.push(fraction),
    });
    return { temporary, stored: await files.withLocalFiles(stored.keys(), loadSupplements) };
  };
  return { recognizeAll, processed, shares };
}

const storedPages = (stored: Awaited<ReturnType<typeof loadSupplements>>) =>
  stored
    .flatMap((supplement) => (supplement.kind === 'page' ? [supplement.value] : []))
    .toSorted((a, b) => a.page - b.page);

test('each page is stored, and progress follows the pages', async () => {
  const { recognizeAll, processed, shares } = await setUp({});
  const { stored, temporary } = await recognizeAll(pages(4));
  expect(processed).toEqual([1, 2, 3, 4]);
  expect(storedPages(stored)).toEqual([1, 2, 3, 4].map(recognized));
  expect(temporary).toEqual([]);
  expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
});

test('a second attempt continues after the stored pages', async () => {
  let down = true;
  const { recognizeAll, processed } = await setUp({
    page: async (page) => {
      if (down && page === 3) throw new Error('the disk is full');
      return recognized(page);
    },
  });
  await expect(recognizeAll(pages(3))).rejects.toThrow('the disk is full');
  down = false;
  processed.length = 0;
  const { stored } = await recognizeAll(pages(3));
  expect(processed).toEqual([3]);
  expect(storedPages(stored)).toHaveLength(3);
});

test.each([
  [new ChildCrash('timeout'), 'Recognizing its text took too long.', 1],
  [new ChildCrash('memory'), 'Recognizing its text failed.', 2],
  [new ChildCrash('crash'), 'Recognizing its text failed.', 2],
  [
    new ChildTaskError({ name: 'Error', code: null, message: 'oops' }),
    'Recognizing its text failed.',
    1,
  ],
  [new ExtractionError('damaged', 'This picture is damaged.'), 'This picture is damaged.', 1],
])('a page that fails with %s does not affect the others', async (error, sentence, tries) => {
  const { recognizeAll, processed } = await setUp({
    page: async (page) => {
      if (page === 2) throw error;
      return recognized(page);
    },
  });
  const { stored } = await recognizeAll(pages(3));
  expect(storedPages(stored)).toEqual([
    recognized(1),
    { page: 2, missing: expect.stringContaining(sentence) },
    recognized(3),
  ]);
  expect(processed.filter((page) => page === 2)).toHaveLength(tries);
});

test('a page whose process was killed is recognized in the second attempt', async () => {
  let kills = 1;
  const { recognizeAll } = await setUp({
    page: async (page) => {
      if (kills-- > 0) throw new ChildCrash('crash');
      return recognized(page);
    },
  });
  expect(storedPages((await recognizeAll(pages(1))).stored)).toEqual([recognized(1)]);
});

const down = new ModelUnavailable('down', 'The model cannot be reached.');
const refused = new ModelUnavailable('refused', 'The model’s provider did not accept the key.');

test('a provider that is down is retried after everything else is done', async () => {
  const { recognizeAll, processed } = await setUp({ transcribe: () => Promise.reject(down) });
  const requests: SupplementRequest[] = [{ kind: 'transcript', path: 'talk.mp3' }, ...pages(2)];
  await expect(recognizeAll(requests)).rejects.toBe(down);
  expect(processed).toEqual([1, 2]);
});

test('after the last attempt the result is missing, and another extraction requests it again', async () => {
  const { recognizeAll } = await setUp({ transcribe: () => Promise.reject(down) });
  const request: SupplementRequest = { kind: 'transcript', path: 'talk.mp3' };
  const missing = 'The speech is not transcribed: The model cannot be reached.';
  const { temporary, stored } = await recognizeAll([request], { mayWait: false });
  expect(temporary).toEqual([{ kind: 'transcript', value: { path: 'talk.mp3', missing } }]);
  expect(stored).toEqual([]);
});

test.each([
  { mayWait: true, outcome: down },
  { mayWait: false, outcome: { temporary: { length: 20 } } },
])('a provider that is down is not called for each picture: %j', async ({ mayWait, outcome }) => {
  let calls = 0;
  const { recognizeAll, processed } = await setUp({
    caption: async () => {
      calls += 1;
      throw down;
    },
  });
  const pictures = Array.from({ length: 20 }, (_, i): SupplementRequest => ({
    kind: 'caption',
    path: `${i}.png`,
  }));
  const recognizing = recognizeAll([...pictures, ...pages(2)], { mayWait });
  expect(await recognizing.catch((error: unknown) => error)).toMatchObject(outcome);
  // Two requests run at a time.
  expect(calls).toBeLessThanOrEqual(2);
  expect(processed).toEqual([1, 2]);
});

test('a provider that refuses a request is not called again', async () => {
  const { recognizeAll } = await setUp({ caption: () => Promise.reject(refused) });
  const { temporary } = await recognizeAll([{ kind: 'caption' }]);
  expect(temporary).toEqual([
    { kind: 'caption', value: { missing: `The picture is not described: ${refused.message}` } },
  ]);
});

test('an abort takes effect between two pages', async () => {
  const controller = new AbortController();
  const { recognizeAll, processed } = await setUp({
    page: async (page) => {
      if (page === 2) controller.abort(new Error('deleted'));
      return recognized(page);
    },
  });
  await expect(recognizeAll(pages(50), { signal: controller.signal })).rejects.toThrow('deleted');
  expect(processed.length).toBeLessThanOrEqual(3);
});

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
type PageMaker = (page: number) => Promise<RecognizedPage>;

const recognized = (page: number): RecognizedPage => ({ page, lines: [] });
const pages = (count: number): SupplementRequest[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'page', page: at + 1 }));

/**
 * Fulfills the requests of one file with the given functions. A second call continues with the
 * stored results.
 */
async function startMeeting(makers: {
  page?: PageMaker;
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
      return (makers.page ?? (async (at) => recognized(at)))(page);
    },
  } as Lane;
  const recognize = createRecognition({
    lane,
    transcription: {
      transcribe: makers.transcribe ?? (() => Promise.reject(new Error('unexpected'))),
    },
    describer: { caption: makers.caption ?? (async () => 'A harbour.') },
  });
  const meet = async (
    requests: SupplementRequest[],
    options: { mayWait?: boolean; signal?: AbortSignal } = {},
  ) => {
    const stored = await openStoredSupplements(files, artifact);
    const passing = await recognize({
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
    return { passing, stored: await files.withLocalFiles(stored.keys(), loadSupplements) };
  };
  return { meet, processed, shares };
}

const keptPages = (stored: Awaited<ReturnType<typeof loadSupplements>>) =>
  stored
    .flatMap((supplement) => (supplement.kind === 'page' ? [supplement.value] : []))
    .toSorted((a, b) => a.page - b.page);

test('each page is stored, and progress follows the pages', async () => {
  const { meet, processed, shares } = await startMeeting({});
  const { stored, passing } = await meet(pages(4));
  expect(processed).toEqual([1, 2, 3, 4]);
  expect(keptPages(stored)).toEqual([1, 2, 3, 4].map(recognized));
  expect(passing).toEqual([]);
  expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
});

test('a second attempt continues after the stored pages', async () => {
  let down = true;
  const { meet, processed } = await startMeeting({
    page: async (page) => {
      if (down && page === 3) throw new Error('the disk is full');
      return recognized(page);
    },
  });
  await expect(meet(pages(3))).rejects.toThrow('the disk is full');
  down = false;
  processed.length = 0;
  const { stored } = await meet(pages(3));
  expect(processed).toEqual([3]);
  expect(keptPages(stored)).toHaveLength(3);
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
  const { meet, processed } = await startMeeting({
    page: async (page) => {
      if (page === 2) throw error;
      return recognized(page);
    },
  });
  const { stored } = await meet(pages(3));
  expect(keptPages(stored)).toEqual([
    recognized(1),
    { page: 2, missing: expect.stringContaining(sentence) },
    recognized(3),
  ]);
  expect(processed.filter((page) => page === 2)).toHaveLength(tries);
});

test('a page whose process was killed is recognized in the second attempt', async () => {
  let kills = 1;
  const { meet } = await startMeeting({
    page: async (page) => {
      if (kills-- > 0) throw new ChildCrash('crash');
      return recognized(page);
    },
  });
  expect(keptPages((await meet(pages(1))).stored)).toEqual([recognized(1)]);
});

const down = new ModelUnavailable('down', 'The model cannot be reached.');
const refused = new ModelUnavailable('refused', 'The model’s provider did not accept the key.');

test('a provider that is down is retried after everything else is done', async () => {
  const { meet, processed } = await startMeeting({ transcribe: () => Promise.reject(down) });
  const requests: SupplementRequest[] = [{ kind: 'transcript', path: 'talk.mp3' }, ...pages(2)];
  await expect(meet(requests)).rejects.toBe(down);
  expect(processed).toEqual([1, 2]);
});

test('after the last attempt the result is missing, and another extraction requests it again', async () => {
  const { meet } = await startMeeting({ transcribe: () => Promise.reject(down) });
  const request: SupplementRequest = { kind: 'transcript', path: 'talk.mp3' };
  const missing = 'The speech is not transcribed: The model cannot be reached.';
  const { passing, stored } = await meet([request], { mayWait: false });
  expect(passing).toEqual([{ kind: 'transcript', value: { path: 'talk.mp3', missing } }]);
  expect(stored).toEqual([]);
});

test.each([
  { mayWait: true, outcome: down },
  { mayWait: false, outcome: { passing: { length: 20 } } },
])('a provider that is down is not called for each picture: %j', async ({ mayWait, outcome }) => {
  let calls = 0;
  const { meet, processed } = await startMeeting({
    caption: async () => {
      calls += 1;
      throw down;
    },
  });
  const pictures = Array.from({ length: 20 }, (_, at): SupplementRequest => ({
    kind: 'caption',
    path: `${at}.png`,
  }));
  const meeting = meet([...pictures, ...pages(2)], { mayWait });
  expect(await meeting.catch((error: unknown) => error)).toMatchObject(outcome);
  // Two requests run at a time.
  expect(calls).toBeLessThanOrEqual(2);
  expect(processed).toEqual([1, 2]);
});

test('a provider that refuses a request is not called again', async () => {
  const { meet } = await startMeeting({ caption: () => Promise.reject(refused) });
  const { passing } = await meet([{ kind: 'caption' }]);
  expect(passing).toEqual([
    { kind: 'caption', value: { missing: `The picture is not described: ${refused.message}` } },
  ]);
});

test('an abort takes effect between two pages', async () => {
  const controller = new AbortController();
  const { meet, processed } = await startMeeting({
    page: async (page) => {
      if (page === 2) controller.abort(new Error('deleted'));
      return recognized(page);
    },
  });
  await expect(meet(pages(50), { signal: controller.signal })).rejects.toThrow('deleted');
  expect(processed.length).toBeLessThanOrEqual(3);
});

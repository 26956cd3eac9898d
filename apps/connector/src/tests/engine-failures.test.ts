import { once } from 'node:events';
import { appendFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { deleteArtifacts, endDevice, listArtifacts, listDevices } from '@engram/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../../../server/src/tests/app.test-setup.ts';
import { useTestApp } from '../../../server/src/tests/use-app.test-setup.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine.ts';
import {
  keyOf,
  openEngine,
  TestFolder,
  pathsOf,
  skippingClock,
  UPLOAD,
  Wire,
} from './synced-folder.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let testFolder: TestFolder;
let wire: Wire;
let clock: Clock;
let engine: Engine;
let count = 0;

beforeEach(async () => {
  count += 1;
  ann = await engram.signIn(`end${count}@example.org`);
  testFolder = new TestFolder();
  wire = new Wire();
  clock = skippingClock();
  engine = await openEngine(testFolder, wire, {
    clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms, signal) },
  });
  await engine.pair(engram.origin, await keyOf(ann, 'Connector'));
});

afterEach(async () => {
  await engine.close();
  testFolder.remove();
});

/** Leaves time for responses, because the loops of the engine share the clock. */
function takeTurns(): void {
  const { now, sleep } = clock;
  clock = {
    now,
    sleep: async (ms, signal) => {
      await setImmediate();
      await sleep(ms, signal);
    },
  };
}

/** Holds uploads until they are aborted. Resolves at the first one. */
function holdUploads(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  wire.intercept = (call, init) => {
    if (call !== UPLOAD) return null;
    resolve();
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  };
  return promise;
}

const countMoves = (): number => wire.calls.filter((call) => call.endsWith('/place')).length;

test('a device that is removed while it reports moved files stops, and sends no further requests', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  renameSync(testFolder.disk('letter.txt'), testFolder.disk('old letter.txt'));
  const [device] = (await ann.client.call(listDevices, {})).data;
  let isEnded = false;
  wire.intercept = ((call: string) => {
    if (!call.endsWith('/place') || isEnded) return null;
    isEnded = true;
    return ann.client.call(endDevice, { params: { id: device?.id ?? '' } }).then(() => null);
  }) as never;
  await engine.syncOnce();
  expect(engine.status().pairing).toBe('ended');
  expect(countMoves()).toBe(1);
});

test('copies of a file that the user deleted in Engram are not uploaded, even if they are renamed', async () => {
  for (const name of ['a', 'b', 'c'])
    testFolder.write(`${name}.txt`, 'Dear Ann, the roses are red.');
  testFolder.write('other.txt', 'This one stays.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  const { data } = await ann.client.call(listArtifacts, { query: {} } as never);
  const ids = data.flatMap(({ path, artifactId }) =>
    path === 'Papers/other.txt' ? [] : artifactId,
  );
  expect(ids).toHaveLength(1);
  await ann.client.call(deleteArtifacts, { body: ids });
  for (const name of ['a', 'b', 'c']) {
    renameSync(testFolder.disk(`${name}.txt`), testFolder.disk(`new ${name}.txt`));
  }
  await engine.syncOnce();
  expect(await pathsOf(ann)).toEqual(['Papers/other.txt']);
  expect(engine.status().folders[0]).toMatchObject({ state: 'current', files: 1, refused: 3 });
});

test('a file that is written constantly does not prevent other files from syncing', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  testFolder.write('log.txt', 'It begins.');
  const { sleep } = clock;
  const write = (): void => {
    appendFileSync(testFolder.disk('log.txt'), 'And it goes on.');
    utimesSync(testFolder.disk('log.txt'), clock.now() / 1000, clock.now() / 1000);
  };
  write();
  clock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      await sleep(ms, signal);
      write();
    },
  };
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  expect(await pathsOf(ann)).toEqual(['Papers/letter.txt']);
});

test('a file whose date cannot be represented is sent without it', async () => {
  testFolder.write('letter.txt', 'Dear Ann, this is from long ago.');
  const yearMinusOne = Date.UTC(-1, 0, 1) / 1000;
  utimesSync(testFolder.disk('letter.txt'), yearMinusOne, yearMinusOne);
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  expect(engine.status().folders[0]).toMatchObject({ state: 'current', files: 1, refused: 0 });
});

test('permission to archive missing files expires with a missing folder, and does not apply to other files', async () => {
  for (let index = 0; index < 12; index += 1)
    testFolder.write(`${index}.txt`, `This is paper number ${index}.`);
  const id = await engine.addFolder(testFolder.root, { archive: true });
  await engine.syncOnce();
  await expect(engine.answerArchive(id, true)).rejects.toThrow('no question');
  const remove = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) rmSync(testFolder.disk(`${index}.txt`));
  };
  remove(0, 5);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(5);
  await engine.answerArchive(id, true);
  renameSync(testFolder.root, `${testFolder.root} away`);
  await engine.syncOnce();
  renameSync(`${testFolder.root} away`, testFolder.root);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(5);
  await engine.answerArchive(id, true);
  remove(5, 9);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(4);
  expect(await pathsOf(ann, true)).toHaveLength(5);
});

test('an upload that arrives after the client gave up leaves no duplicate', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  await engram.settled();
  testFolder.write('letter.txt', 'Dear Ann, the garden is wet.', 1800);
  let arrive = async (): Promise<unknown> => undefined;
  const send = (call: string, init: RequestInit | undefined): Promise<Response> =>
    fetch(`${engram.origin}/v1${call.slice(call.indexOf('/'))}`, init);
  wire.intercept = async (call, init) => {
    if (!call.endsWith('/upload')) return null as never;
    const body = await new Response(init?.body ?? null).arrayBuffer();
    const { method = '', headers = {} } = init ?? {};
    arrive = () => send(call, { method, headers, body });
    throw new TypeError('fetch failed');
  };
  await engine.syncOnce();
  testFolder.write('letter.txt', 'Dear Ann, the garden is dry.', 900);
  wire.intercept = async (call, init) => {
    if (!call.endsWith('/check')) return null as never;
    wire.intercept = () => null;
    const answer = await send(call, init);
    await arrive();
    return answer;
  };
  await engine.syncOnce();
  await engram.settled();
  const { data } = await ann.client.call(listArtifacts, { query: {} } as never);
  expect(data).toMatchObject([{ artifactText: 'Dear Ann, the garden is dry.' }]);
});

test('requests to a server that fails for an hour back off, and syncing resumes once it works', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  takeTurns();
  const hour = clock.now() + 3_600_000;
  let failures = 0;
  wire.intercept = () => {
    if (clock.now() >= hour) return null;
    failures += 1;
    return Response.json({ message: 'Something broke.' }, { status: 500 });
  };
  engine.start();
  await expect.poll(() => engine.status().folders[0]?.state).toBe('current');
  expect(clock.now()).toBeGreaterThan(hour);
  // A report and a scan that fail at the same time count as two failures.
  expect(failures).toBeLessThan(60);
  expect(await pathsOf(ann)).toEqual(['Papers/letter.txt']);
});

test('a clock that is set back does not delay syncing', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  await engine.syncOnce();
  const { now, sleep } = clock;
  let setBackMs = 0;
  clock = {
    now: () => now() - setBackMs,
    sleep: async (ms, signal) => {
      await setImmediate();
      await sleep(ms, signal);
    },
  };
  engine.start();
  await expect.poll(() => wire.count('POST /devices')).toBeGreaterThan(5);
  testFolder.write('news.txt', 'Dear Ann, it rains.', -3600);
  setBackMs = 365 * 86_400_000;
  await expect.poll(() => engine.status().folders[0]).toMatchObject({ state: 'current', files: 2 });
});

test.each([
  [402, 'payment_required', 'Your plan has ended.'],
  [429, 'too_many_requests', 'Too many calls.'],
])(
  'the message of status %i is shown, and the sync is retried later',
  async (status, code, message) => {
    testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
    await engine.addFolder(testFolder.root, {});
    const headers = { 'retry-after': '120' };
    wire.intercept = (call) =>
      call.endsWith('/upload') ? Response.json({ message, code }, { status, headers }) : null;
    await engine.syncOnce();
    expect(engine.status()).toMatchObject({ problem: message, folders: [{ state: 'waiting' }] });
    wire.intercept = () => null;
    await engine.syncOnce();
    expect(engine.status()).toMatchObject({ problem: null, folders: [{ state: 'current' }] });
  },
);

test('a folder can be removed during its sync', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  const id = await engine.addFolder(testFolder.root, {});
  takeTurns();
  const uploading = holdUploads();
  engine.start();
  await uploading;
  await engine.removeFolder(id);
  await engine.syncOnce();
  expect(engine.status()).toMatchObject({ problem: null, folders: [] });
});

test('files of a sync that is interrupted by another pairing are sent to the new account', async () => {
  const bob = await engram.signIn(`bob${count}@example.org`);
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  takeTurns();
  const uploading = holdUploads();
  engine.start();
  await uploading;
  wire.intercept = () => null;
  await engine.pair(engram.origin, await keyOf(bob, 'Connector'));
  await expect.poll(() => engine.status().folders[0]?.state).toBe('current');
  expect(await pathsOf(bob)).toEqual(['Papers/letter.txt']);
  expect(await pathsOf(ann)).toEqual([]);
});

test('a newer version of the Connector on the server is reported', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, {});
  const build = { fileName: 'a', size: 1, sha256: '', version: '0.10.0' };
  const platforms = ['linux', 'windows', 'macos-arm64', 'macos-x64'];
  wire.intercept = (call) =>
    call === 'GET /connector/builds'
      ? Response.json({
          message: 'OK',
          data: platforms.map((platform) => ({ ...build, platform })),
        })
      : null;
  await engine.syncOnce();
  const link = `${engram.origin}/connector`;
  expect(engine.status().newer).toEqual({ version: '0.10.0', link });
});

test('a folder that reappears is noticed within a minute, whatever its scan interval', async () => {
  testFolder.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(testFolder.root, { intervalMs: 7 * 86_400_000 });
  renameSync(testFolder.root, `${testFolder.root} away`);
  let currentTime = clock.now();
  let wake = Promise.withResolvers<void>();
  const aborted = async (signal?: AbortSignal): Promise<void> => {
    if (signal && !signal.aborted) await once(signal, 'abort');
  };
  clock = {
    now: () => currentTime,
    sleep: (_ms, signal) => Promise.race([wake.promise, aborted(signal)]),
  };
  const advance = (ms: number): void => {
    currentTime += ms;
    wake.resolve();
    wake = Promise.withResolvers();
  };
  engine.start();
  await expect.poll(() => engine.status().folders[0]?.state).toBe('missing');
  renameSync(`${testFolder.root} away`, testFolder.root);
  advance(60_000);
  await expect.poll(() => engine.status().folders[0]?.state).toBe('current');
});

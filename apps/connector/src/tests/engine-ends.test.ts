import { once } from 'node:events';
import { appendFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { deleteArtifacts, endDevice, listArtifacts, listDevices } from '@engram/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../../../server/src/tests/app.test-setup.ts';
import { useTestApp } from '../../../server/src/tests/use-app.test-setup.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine.ts';
import { keyOf, openEngine, Papers, pathsOf, skippingClock, Wire } from './in-step.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let papers: Papers;
let wire: Wire;
let clock: Clock;
let engine: Engine;
let count = 0;

beforeEach(async () => {
  count += 1;
  ann = await engram.signIn(`end${count}@example.org`);
  papers = new Papers();
  wire = new Wire();
  clock = skippingClock();
  engine = await openEngine(papers, wire, {
    clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms, signal) },
  });
  await engine.pair(engram.origin, await keyOf(ann, 'Connector'));
});

afterEach(async () => {
  await engine.close();
  papers.remove();
});

const places = (): number => wire.calls.filter((call) => call.endsWith('/place')).length;

test('a device that is ended while it says places stops, and does not ask on and on', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  renameSync(papers.disk('letter.txt'), papers.disk('old letter.txt'));
  const [device] = (await ann.client.call(listDevices, {})).data;
  let isEnded = false;
  wire.intercept = ((call: string) => {
    if (!call.endsWith('/place') || isEnded) return null;
    isEnded = true;
    return ann.client.call(endDevice, { params: { id: device?.id ?? '' } }).then(() => null);
  }) as never;
  await engine.syncOnce();
  expect(engine.status().pairing).toBe('ended');
  expect(places()).toBe(1);
});

test('copies of a file that the person deleted in Engram are let be, whichever is renamed', async () => {
  for (const name of ['a', 'b', 'c']) papers.write(`${name}.txt`, 'Dear Ann, the roses are red.');
  papers.write('other.txt', 'This one stays.');
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  const { data } = await ann.client.call(listArtifacts, { query: {} } as never);
  const ids = data.filter(({ path }) => path !== 'Papers/other.txt').map((one) => one.artifactId);
  expect(ids).toHaveLength(1);
  await ann.client.call(deleteArtifacts, { body: ids });
  for (const name of ['a', 'b', 'c']) {
    renameSync(papers.disk(`${name}.txt`), papers.disk(`new ${name}.txt`));
  }
  await engine.syncOnce();
  expect(await pathsOf(ann)).toEqual(['Papers/other.txt']);
  expect(engine.status().folders[0]).toMatchObject({ state: 'current', files: 1, refused: 3 });
});

test('a file that is written to all the time does not keep other files from being synced', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  papers.write('log.txt', 'It begins.');
  const { sleep } = clock;
  const write = (): void => {
    appendFileSync(papers.disk('log.txt'), 'And it goes on.');
    utimesSync(papers.disk('log.txt'), clock.now() / 1000, clock.now() / 1000);
  };
  write();
  clock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      await sleep(ms, signal);
      write();
    },
  };
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  expect(await pathsOf(ann)).toEqual(['Papers/letter.txt']);
});

test('a file from a year that cannot be said is sent without its time', async () => {
  papers.write('letter.txt', 'Dear Ann, this is from long ago.');
  const yearMinusOne = Date.UTC(-1, 0, 1) / 1000;
  utimesSync(papers.disk('letter.txt'), yearMinusOne, yearMinusOne);
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  expect(engine.status().folders[0]).toMatchObject({ state: 'current', files: 1, refused: 0 });
});

test('an answer about missing files ends with a missing root, and does not apply to more of them', async () => {
  for (let at = 0; at < 12; at += 1) papers.write(`${at}.txt`, `This is paper number ${at}.`);
  const id = await engine.addFolder(papers.root, { archive: true });
  await engine.syncOnce();
  await expect(engine.answerArchive(id, true)).rejects.toThrow('no question');
  const remove = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) rmSync(papers.disk(`${at}.txt`));
  };
  remove(0, 5);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(5);
  await engine.answerArchive(id, true);
  renameSync(papers.root, `${papers.root} away`);
  await engine.syncOnce();
  renameSync(`${papers.root} away`, papers.root);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(5);
  await engine.answerArchive(id, true);
  remove(5, 9);
  await engine.syncOnce();
  expect(engine.status().folders[0]?.archiveAsked).toBe(4);
  expect(await pathsOf(ann, true)).toHaveLength(5);
});

test('an upload that the server keeps only after it was asked for leaves nothing doubled', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  await engram.settled();
  papers.write('letter.txt', 'Dear Ann, the garden is wet.', 1800);
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
  papers.write('letter.txt', 'Dear Ann, the garden is dry.', 900);
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

test('a server in problem for an hour is asked ever less often, and gone on with', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, {});
  const { now, sleep } = clock;
  clock = {
    now,
    // Two loops wait: neither keeps the other from being answered.
    sleep: async (ms, signal) => {
      await setImmediate();
      await sleep(ms, signal);
    },
  };
  const hour = clock.now() + 3_600_000;
  wire.calls.length = 0;
  wire.intercept = () =>
    clock.now() < hour ? Response.json({ message: 'Something broke.' }, { status: 500 }) : null;
  engine.start();
  await expect.poll(() => engine.status().folders[0]?.state).toBe('current');
  expect(clock.now()).toBeGreaterThan(hour);
  // Two failures count at once where a report and a walk fail side by side.
  expect(wire.calls.length).toBeLessThan(60);
  expect(await pathsOf(ann)).toEqual(['Papers/letter.txt']);
});

test('a clock that is set back keeps nothing waiting', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, {});
  await engine.syncOnce();
  const { now, sleep } = clock;
  let back = 0;
  clock = {
    now: () => now() - back,
    sleep: async (ms, signal) => {
      await setImmediate();
      await sleep(ms, signal);
    },
  };
  engine.start();
  await expect.poll(() => wire.count('POST /devices')).toBeGreaterThan(5);
  papers.write('news.txt', 'Dear Ann, it rains.', -3600);
  back = 365 * 86_400_000;
  await expect.poll(() => engine.status().folders[0]).toMatchObject({ state: 'current', files: 2 });
});

test.each([
  [402, 'payment_required', 'Your plan has ended.'],
  [429, 'too_many_requests', 'Too many calls.'],
])(
  'an answer of %i is shown as it is, and the sync is tried again later',
  async (status, code, message) => {
    papers.write('letter.txt', 'Dear Ann, the garden is fine.');
    await engine.addFolder(papers.root, {});
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

test('a newer version on the server is reported', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, {});
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

test('a folder that is back is noticed within a minute, however rarely it is walked', async () => {
  papers.write('letter.txt', 'Dear Ann, the garden is fine.');
  await engine.addFolder(papers.root, { intervalMs: 7 * 86_400_000 });
  renameSync(papers.root, `${papers.root} away`);
  let at = clock.now();
  let wake = Promise.withResolvers<void>();
  const aborted = async (signal?: AbortSignal): Promise<void> => {
    if (signal && !signal.aborted) await once(signal, 'abort');
  };
  clock = { now: () => at, sleep: (_ms, signal) => Promise.race([wake.promise, aborted(signal)]) };
  const pass = (ms: number): void => {
    at += ms;
    wake.resolve();
    wake = Promise.withResolvers();
  };
  engine.start();
  await expect.poll(() => engine.status().folders[0]?.state).toBe('missing');
  renameSync(`${papers.root} away`, papers.root);
  pass(60_000);
  await expect.poll(() => engine.status().folders[0]?.state).toBe('current');
});

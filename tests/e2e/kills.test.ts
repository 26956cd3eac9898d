import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import {
  type Artifact,
  listArtifacts,
  search,
  searchReady,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Engram, signIn, startEngram } from './engram.ts';
import { createRandom } from './random.test-setup.ts';

/** The number of kills. `ENGRAM_TEST_KILLS=100` runs the full test, which takes some minutes. */
const TRIAL = process.env['ENGRAM_TEST_KILLS'];
const KILLS = Number(TRIAL ?? 5);
/** Enough that some are unprocessed at each kill. */
const FILES = TRIAL ? 600 : 120;
/** Files of one upload, so that some arrive between two kills. */
const FILES_PER_UPLOAD = 20;
/** Longest time from a start of the server to its next kill, in milliseconds. */
const MAX_UPTIME_MS = 1500;
/** Long enough for a slow machine, because this does not test speed. */
const longWait = { timeout: 180_000 + KILLS * 6000, interval: 100 };
const fixtures = path.resolve(import.meta.dirname, '../../packages/extraction/fixtures');

let engram: Engram;
let client: Client;
let token: string;

beforeAll(async () => {
  engram = await startEngram({ ENGRAM_RATE_LIMITS: 'off', ENGRAM_LLM: 'none' });
  token = await signIn(engram, 'ada@example.org');
  client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
});
afterAll(() => engram.close());

interface TestFile {
  name: string;
  content: Blob;
  /** The expected final state. */
  readable: boolean;
}

async function fixture(prefix: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = (await readdir(fixtures)).find((name) => name.startsWith(prefix)) ?? '';
  const files = await readdir(path.join(fixtures, folder));
  const name = files.find((file) => file !== 'expected.json') ?? '';
  return new Uint8Array(await readFile(path.join(fixtures, folder, name)));
}

/** A code that only one file contains. */
const codeOf = (n: number): string => `QX${7000 + n}`;

/** Notes, tables and pages, a few PDFs, and some unreadable files. */
async function createFiles(): Promise<TestFile[]> {
  const pdf = await fixture('012-');
  const broken = await fixture('017-');
  const text = (name: string, content: string): TestFile => ({
    name,
    content: new Blob([content]),
    readable: true,
  });
  const note = (n: number) =>
    text(`note ${n}.txt`, `Note ${n}.\n\nThe stone of note ${n} has the code ${codeOf(n)}.\n`);
  const table = (n: number) => text(`table ${n}.csv`, `stone,code\nslate ${n},${codeOf(n)}\n`);
  const page = (n: number) =>
    text(`page ${n}.html`, `<h1>Stones</h1><p>Stone ${n} has the code ${codeOf(n)}.</p>`);
  const pages = (n: number): TestFile => ({
    name: `pages ${n}.pdf`,
    content: new Blob([pdf, `\n% ${n}\n`]),
    readable: true,
  });
  const unreadable = (n: number): TestFile => ({
    name: `broken ${n}.pdf`,
    content: new Blob([broken, `\n% ${n}\n`]),
    readable: false,
  });
  const kinds = [note, note, table, page, note, pages, note, table, page, unreadable];
  return Array.from({ length: FILES }, (_, n) => kinds[n % kinds.length]!(n));
}

const list = async (): Promise<Artifact[]> => (await client.call(listArtifacts, {})).data;

const read = (artifacts: readonly Artifact[]): number =>
  artifacts.filter(({ uploadStatus }) => uploadStatus === 'SUCCESS').length;

async function untilAllHaveEnded(): Promise<void> {
  await vi.waitFor(async () => {
    expect((await client.call(searchReady, {})).data).toBe(true);
  }, longWait);
}

/** The files below a folder. The server may remove a folder while it is listed. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const found = entries.map((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
  return (await Promise.all(found)).flat();
}

/** The ids of the artifacts that have stored bytes. A kill may leave an empty folder. */
async function storedArtifacts(): Promise<string[]> {
  const folder = path.join(engram.dataDir, 'files');
  const ids = (await filesBelow(folder)).map(
    (file) => path.relative(folder, path.dirname(file)).split(path.sep)[1] ?? '.incoming',
  );
  return [...new Set(ids)].toSorted();
}

/** The parts of the data folder that other users may open. */
async function readableByOthers(): Promise<string[]> {
  const entries = await readdir(engram.dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => path.join(entry.parentPath, entry.name));
  const modes = await Promise.all(paths.map(async (file) => (await stat(file)).mode));
  // Windows has no modes for other users.
  const open = process.platform === 'win32' ? 0 : 0o077;
  return paths.filter((_, n) => ((modes[n] ?? 0) & open) !== 0);
}

/** Uploads until the server has confirmed all files, despite kills at any time. */
async function uploadDespiteKills(files: readonly TestFile[], restarted: () => Promise<void>) {
  for (let from = 0; from < files.length;) {
    try {
      await client.upload(uploadArtifacts, files.slice(from, from + FILES_PER_UPLOAD), {});
      from += FILES_PER_UPLOAD;
    } catch {
      await restarted();
    }
  }
}

/** An upload that sends one file and stops in the middle of the next. */
async function startEndlessUpload(): Promise<() => void> {
  const socket = connect(Number(new URL(engram.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const part = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${content}`;
  socket.write(
    'POST /v1/artifacts/upload HTTP/1.1\r\nHost: localhost\r\n' +
      `Authorization: Bearer ${token}\r\nContent-Length: 99999999\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
      `${part('first.txt', 'A first file.')}\r\n${part('second.txt', 'x'.repeat(200_000))}`,
  );
  const incoming = path.join(engram.dataDir, 'files/.incoming');
  await vi.waitFor(async () => expect(await readdir(incoming)).not.toEqual([]), longWait);
  return () => void socket.destroy();
}

/** Expects every file once, and in the state that its content requires. */
async function expectFinalStates(files: readonly TestFile[]): Promise<void> {
  const artifacts = await list();
  const states = new Map(artifacts.map((artifact) => [artifact.artifactFileName, artifact]));
  const wrong = files.filter(({ name, readable }) => {
    const { uploadStatus, isVectorReady, statusReason } = states.get(name) ?? {};
    return readable
      ? uploadStatus !== 'SUCCESS' || !isVectorReady
      : uploadStatus !== 'FAILED' || statusReason !== 'This PDF is damaged and cannot be opened.';
  });
  expect(wrong.map(({ name }) => states.get(name) ?? name)).toEqual([]);
  expect(artifacts.map(({ artifactFileName }) => artifactFileName).toSorted()).toEqual(
    files.map(({ name }) => name).toSorted(),
  );
  const ids = artifacts.map(({ artifactId }) => artifactId).toSorted();
  // Interrupted writes stay for a day, because another server might be writing them.
  expect(await storedArtifacts()).toEqual(expect.arrayContaining(ids));
  const notes = files.filter(({ name }) => name.startsWith('note'));
  for (const { name } of notes.filter((_, n) => n % Math.ceil(notes.length / 12) === 0)) {
    const code = codeOf(Number(/\d+/u.exec(name)));
    const body = { text: `Which stone has the code ${code}?`, explain: true };
    const { data: answer } = await client.call(search, { body });
    expect(answer.citations[0]?.artifactId).toBe(states.get(name)?.artifactId);
    const places = answer.explain?.passages.map(
      ({ artifactId, start }) => `${artifactId}:${start}`,
    );
    expect(new Set(places).size).toBe(places?.length);
  }
}

test(
  `${KILLS} kills during one upload neither lose nor duplicate a file, and make none fail`,
  { timeout: 400_000 + KILLS * 30_000 },
  async () => {
    const random = createRandom(20_261_121);
    const files = await createFiles();
    let restarting = Promise.resolve();
    let before = 0;
    const uploaded = uploadDespiteKills(files, () => restarting);
    for (let killed = 0; killed < KILLS; killed += 1) {
      const endUpload = killed === 1 ? await startEndlessUpload() : undefined;
      // Kills at a fixed time, without waiting for a state.
      await sleep(random() * MAX_UPTIME_MS);
      restarting = (async () => {
        await engram.kill();
        await engram.restart();
      })();
      await restarting;
      endUpload?.();
      const readyCount = read(await list());
      expect(readyCount).toBeGreaterThanOrEqual(before);
      before = readyCount;
      if (TRIAL) process.stdout.write(`Kills: ${killed + 1}, files read: ${readyCount}\n`);
    }
    await uploaded;
    await untilAllHaveEnded();
    await expectFinalStates(files);
  },
);

test(
  'a server that is asked to stop ends in time, whatever is running',
  { timeout: 400_000 },
  async () => {
    const ready = read(await list());
    const files = Array.from({ length: 50 }, (_, n) => ({
      name: `late ${n}.txt`,
      content: new Blob([`A late note, number ${n}.`]),
    }));
    await client.upload(uploadArtifacts, files, {});
    const stored = await storedArtifacts();
    const endUpload = await startEndlessUpload();
    expect(await engram.stop()).toBe(0);
    endUpload();
    expect(await storedArtifacts()).toEqual(stored);
    expect(await readableByOthers()).toEqual([]);

    await engram.restart();
    await untilAllHaveEnded();
    expect(read(await list())).toBe(ready + files.length);
  },
);

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
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

const FILES = 120;
/** For a whole test: kills, starts and all the reading. */
const timeout = 400_000;
/** Long enough for a machine on which everything takes several times as long: no speed is proven. */
const patient = { timeout: 180_000, interval: 50 };

let engram: Engram;
let token: string;

beforeAll(async () => {
  engram = await startEngram({ ENGRAM_RATE_LIMITS: 'off', ENGRAM_LLM: 'none' });
  token = await signIn(engram, 'ada@example.org');
});
afterAll(() => engram.close());

const clientAt = (url: string): Client =>
  createClient({ baseUrl: `${url}/v1`, token: () => token });

const list = async (client: Client): Promise<Artifact[]> =>
  (await client.call(listArtifacts, {})).data;

const read = (artifacts: readonly Artifact[]): number =>
  artifacts.filter(({ uploadStatus }) => uploadStatus === 'SUCCESS').length;

/** A code that stands in one file alone. */
const codeOf = (n: number): string => `QX${7000 + n}`;

/** Names of the folders that hold users' bytes, one for each artifact. */
async function storedArtifacts(): Promise<string[]> {
  const files = path.join(engram.dataDir, 'files');
  const users = (await readdir(files)).filter((name) => name !== '.incoming');
  const folders = await Promise.all(users.map((user) => readdir(path.join(files, user))));
  return folders.flat().toSorted();
}

/** An upload that has sent one whole file and stays silent in the middle of the next. */
async function startEndlessUpload(url: string): Promise<() => void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
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
  await vi.waitFor(async () => expect(await readdir(incoming)).toHaveLength(1), patient);
  return () => void socket.destroy();
}

test(
  'a server that is killed again and again while it reads loses no file and doubles none',
  { timeout },
  async () => {
    let client = clientAt(engram.url);
    const files = Array.from({ length: FILES }, (_, n) => ({
      name: `note ${n}.txt`,
      content: new Blob([`Note ${n}.\n\nThe stone of note ${n} has the code ${codeOf(n)}.\n`]),
    }));
    const { data } = await client.upload(uploadArtifacts, files, {});
    expect(data.artifacts).toHaveLength(FILES);

    let before = 0;
    for (const share of [0.1, 0.4]) {
      await vi.waitFor(async () => {
        before = read(await list(client));
        expect(before).toBeGreaterThanOrEqual(FILES * share);
      }, patient);
      const endUpload = share === 0.1 ? await startEndlessUpload(engram.url) : undefined;
      await engram.kill();
      endUpload?.();
      client = clientAt(await engram.restart());
      expect(read(await list(client))).toBeGreaterThanOrEqual(before);
    }
    await vi.waitFor(async () => {
      expect((await client.call(searchReady, {})).data).toBe(true);
    }, patient);

    const artifacts = await list(client);
    expect(artifacts.filter(({ isVectorReady }) => !isVectorReady)).toEqual([]);
    expect(artifacts.map(({ artifactFileName }) => artifactFileName).toSorted()).toEqual(
      files.map(({ name }) => name).toSorted(),
    );
    const ids = artifacts.map(({ artifactId }) => artifactId).toSorted();
    await vi.waitFor(async () => expect(await storedArtifacts()).toEqual(ids), patient);
    expect(await readdir(path.join(engram.dataDir, 'files/.incoming'))).toEqual([]);

    for (let n = 3; n < FILES; n += 17) {
      const text = `Which stone has the code ${codeOf(n)}?`;
      const { data: answer } = await client.call(search, { body: { text, explain: true } });
      const found = artifacts.find(({ artifactFileName }) => artifactFileName === `note ${n}.txt`);
      expect(answer.citations[0]?.artifactId).toBe(found?.artifactId);
      const passages = answer.explain?.passages.map(
        ({ artifactId, start }) => `${artifactId}:${start}`,
      );
      expect(new Set(passages).size).toBe(passages?.length);
    }
  },
);

test(
  'a server that is asked to stop ends in time, whatever is under way',
  { timeout },
  async () => {
    const { url } = engram;
    const client = clientAt(url);
    const files = Array.from({ length: 50 }, (_, n) => ({
      name: `late ${n}.txt`,
      content: new Blob([`A late note, number ${n}.`]),
    }));
    await client.upload(uploadArtifacts, files, {});
    const stored = await storedArtifacts();
    const endUpload = await startEndlessUpload(url);
    expect(await engram.stop()).toBe(0);
    endUpload();
    expect(await storedArtifacts()).toEqual(stored);

    const again = clientAt(await engram.restart());
    await vi.waitFor(async () => {
      expect((await again.call(searchReady, {})).data).toBe(true);
    }, patient);
    expect(read(await list(again))).toBe(FILES + files.length);
  },
);

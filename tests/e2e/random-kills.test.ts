import { readdir, readFile } from 'node:fs/promises';
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

/** Kills in all. A few in every run; `ENGRAM_TEST_KILLS=100` is the whole trial, some minutes long. */
const TRIAL = process.env['ENGRAM_TEST_KILLS'];
const KILLS = Number(TRIAL ?? 3);
/** Kills of one pile of files. Then it is read to its end and checked, and the next pile comes. */
const KILLS_PER_PILE = 5;
/** Enough that the kills of a pile come while some are unread; on a fast machine not each may. */
const FILES = TRIAL ? 200 : 120;
/** Longest time from a start of the server to its next kill, in milliseconds. */
const LONGEST_LIFE_MS = 1500;
/** Long enough for a machine on which everything takes several times as long: no speed is proven. */
const patient = { timeout: 180_000, interval: 100 };
const fixtures = path.resolve(import.meta.dirname, '../../packages/extraction/fixtures');

let engram: Engram;
let client: Client;
let token: string;

beforeAll(async () => {
  engram = await startEngram({ ENGRAM_RATE_LIMITS: 'off', ENGRAM_LLM: 'none' });
});
afterAll(() => engram.close());

const clientAt = (url: string): Client =>
  createClient({ baseUrl: `${url}/v1`, token: () => token });

/** The same moments in every run. Lehmer's generator with Park and Miller's numbers (1988). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Given {
  name: string;
  content: Blob;
  /** What must have become of it. */
  readable: boolean;
}

async function fixture(prefix: string): Promise<{ name: string; bytes: Buffer }> {
  const folder = (await readdir(fixtures)).find((name) => name.startsWith(prefix)) ?? '';
  const files = await readdir(path.join(fixtures, folder));
  const name = files.find((file) => file !== 'expected.json') ?? '';
  return { name, bytes: await readFile(path.join(fixtures, folder, name)) };
}

/** Notes, tables and pages, a few PDFs and Word files, and some that nobody can read. */
async function pile(round: number): Promise<Given[]> {
  const pdf = await fixture('012-');
  const broken = await fixture('017-');
  const kinds: ((n: number) => Given)[] = [
    (n) => ({
      name: `note ${n}.txt`,
      content: new Blob([`Note ${n}.\n\nThe stone of note ${n} has the code QZ${round}X${n}.\n`]),
      readable: true,
    }),
    (n) => ({
      name: `table ${n}.csv`,
      content: new Blob([`stone,code\nslate ${n},QZ${round}X${n}\n`]),
      readable: true,
    }),
    (n) => ({
      name: `page ${n}.html`,
      content: new Blob([`<h1>Stones</h1><p>Stone ${n} has the code QZ${round}X${n}.</p>`]),
      readable: true,
    }),
    (n) => ({
      name: `pages ${n}.pdf`,
      content: new Blob([new Uint8Array(pdf.bytes), `\n% ${round} ${n}\n`]),
      readable: true,
    }),
    (n) => ({
      name: `broken ${n}.pdf`,
      content: new Blob([new Uint8Array(broken.bytes), `\n% ${round} ${n}\n`]),
      readable: false,
    }),
  ];
  const shares = [0, 0, 1, 2, 0, 3, 0, 1, 2, 4];
  return Array.from({ length: FILES }, (_, n) => kinds[shares[n % shares.length] ?? 0]!(n));
}

/** Uploads until the server has said once that it has the files; a kill may come at any moment. */
async function uploadInSpiteOf(files: readonly Given[], restarted: () => Promise<void>) {
  for (;;) {
    try {
      const { data } = await client.upload(uploadArtifacts, files, {});
      return data;
    } catch {
      await restarted();
    }
  }
}

/** Artifacts of which bytes are kept; a kill may leave a folder that is empty. */
async function storedArtifacts(userId: string): Promise<string[]> {
  const folder = path.join(engram.dataDir, 'files', userId);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return [...new Set(paths.map((file) => file.split(path.sep)[0] ?? ''))].toSorted();
}

async function check(files: readonly Given[], round: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await client.call(searchReady, {})).data).toBe(true);
  }, patient);
  const artifacts: Artifact[] = (await client.call(listArtifacts, {})).data;
  expect(artifacts.map(({ artifactFileName }) => artifactFileName).toSorted()).toEqual(
    files.map(({ name }) => name).toSorted(),
  );
  const states = new Map(artifacts.map((artifact) => [artifact.artifactFileName, artifact]));
  const wrong = files.filter(({ name, readable }) => {
    const { uploadStatus, isVectorReady, statusReason } = states.get(name) as Artifact;
    return readable
      ? uploadStatus !== 'SUCCESS' || !isVectorReady
      : uploadStatus !== 'FAILED' || !/^This .+\.$/u.test(statusReason ?? '');
  });
  expect(wrong.map(({ name }) => states.get(name))).toEqual([]);
  const ids = artifacts.map(({ artifactId }) => artifactId).toSorted();
  // What a cut upload left goes with the sweep, which runs beside the first requests.
  await vi.waitFor(async () => {
    expect(await storedArtifacts(artifacts[0]?.userId ?? '')).toEqual(ids);
  }, patient);
  for (let n = 0; n < FILES; n += 20) {
    const body = { text: `Which stone has the code QZ${round}X${n}?`, explain: true };
    const { data: answer } = await client.call(search, { body });
    expect(answer.citations[0]?.artifactId).toBe(states.get(`note ${n}.txt`)?.artifactId);
    const places = answer.explain?.passages.map(
      ({ artifactId, start }) => `${artifactId}:${start}`,
    );
    expect(new Set(places).size).toBe(places?.length);
  }
}

test(
  `${KILLS} kills at random moments lose no file, double none and leave none stuck`,
  { timeout: 300_000 + KILLS * 30_000 },
  async () => {
    const random = createRandom(20_261_121);
    for (let killed = 0, round = 0; killed < KILLS; round += 1) {
      token = await signIn(engram, `ada${round}@example.org`);
      client = clientAt(engram.url);
      const files = await pile(round);
      const until = Math.min(KILLS, killed + KILLS_PER_PILE);
      let restarting = Promise.resolve();
      const uploaded = uploadInSpiteOf(files, () => restarting);
      while (killed < until) {
        // The moment is what is tried here: nothing is waited for.
        await sleep(random() * LONGEST_LIFE_MS);
        restarting = (async () => {
          await engram.kill();
          client = clientAt(await engram.restart());
        })();
        await restarting;
        killed += 1;
      }
      expect((await uploaded).artifacts).toHaveLength(FILES);
      await check(files, round);
    }
  },
);

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@engram/client';
import {
  type Artifact,
  deleteArtifact,
  listArtifacts,
  search,
  searchReady,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canCluster, type Cluster, startCluster } from './cluster.test-setup.ts';
import { createRandom } from './random.test-setup.ts';

/** The number of kills during uploads. `ENGRAM_TEST_KILLS=20` runs the full test. */
const TRIAL = process.env['ENGRAM_TEST_KILLS'];
const KILLS = Number(TRIAL ?? 3);
const SERVERS = 3;
const USERS = TRIAL ? 5 : 2;
/** Files of each user. */
const FILES = TRIAL ? 60 : 15;
const FILES_PER_UPLOAD = 5;
const MAX_UPTIME_MS = 4000;
/** The duration of each outage, which exceeds the retries of running calls. */
const OUTAGE_MS = 5000;
/** The pause between two outages, so that a failure can be attributed to one. */
const PAUSE_MS = 3000;
/** The time after the last outage until everything is ready, including lost jobs. */
const READY_AFTER_MS = 45_000;
/** Long enough for a slow machine, because this does not test speed. */
const longWait = { timeout: 180_000 + KILLS * 10_000, interval: 200 };

interface Note {
  name: string;
  content: Blob;
  code: string;
}

interface TestUser {
  email: string;
  token: string;
  files: Note[];
}

const noteOf = (name: string, code: string): Note => ({
  name,
  code,
  content: new Blob([`This is ${name}.\n\nThe stone of it has the code ${code}.\n`]),
});

describe.skipIf(!canCluster)('three servers on one PostgreSQL, S3 and OpenSearch', () => {
  const random = createRandom(20_261_127);
  const users: TestUser[] = [];
  let cluster: Cluster;

  const clientOn = (n: number, user: TestUser) => cluster.clientOn(n, user.token);

  const listOn = async (n: number, user: TestUser): Promise<Artifact[]> =>
    (await clientOn(n, user).call(listArtifacts, { query: { limit: 500 } })).data;

  const askOn = async (n: number, user: TestUser, code: string): Promise<string[]> => {
    const body = { text: `Which stone has the code ${code}?` };
    const { data } = await clientOn(n, user).call(search, { body });
    return data.citations.map(({ fileName }) => fileName);
  };

  /** Uploads through any available server until all files are stored. */
  async function uploadAll(user: TestUser, first: number): Promise<void> {
    let on = first;
    for (let from = 0; from < user.files.length;) {
      const some = user.files.slice(from, from + FILES_PER_UPLOAD);
      try {
        await clientOn(on, user).upload(uploadArtifacts, some, {});
        from += FILES_PER_UPLOAD;
      } catch {
        await sleep(100);
      }
      on += 1;
    }
  }

  beforeAll(async () => {
    cluster = await startCluster(SERVERS);
    for (let n = 0; n < USERS; n += 1) {
      const email = `person${n}@example.org`;
      const files = Array.from({ length: FILES }, (_, k) =>
        noteOf(`note ${k}.txt`, `QX${1000 * (n + 1) + k}`),
      );
      users.push({ email, token: await cluster.signIn(email, n), files });
    }
  }, 300_000);

  afterAll(() => cluster.close(), 120_000);

  test(
    `${KILLS} kills neither lose nor duplicate a file, and a consistency check during them removes nothing`,
    { timeout: 400_000 + KILLS * 60_000 },
    async () => {
      const uploaded = Promise.all(users.map(uploadAll));
      for (let killed = 0; killed < KILLS; killed += 1) {
        // Kills at a fixed time, without waiting for a state.
        await sleep(random() * MAX_UPTIME_MS);
        await cluster.pool.query("update jobs set run_at = now() where queue = 'upkeep'");
        await cluster.killAndRestart(Math.floor(random() * SERVERS));
        if (TRIAL) process.stdout.write(`Kills: ${killed + 1}\n`);
      }
      await uploaded;
      for (const [n, user] of users.entries()) {
        await vi.waitFor(async () => {
          expect((await clientOn(n, user).call(searchReady, {})).data).toBe(true);
        }, longWait);
        const artifacts = await listOn(n, user);
        const names = artifacts.map(({ artifactFileName }) => artifactFileName);
        expect(names.toSorted()).toEqual(user.files.map(({ name }) => name).toSorted());
        expect(artifacts.filter(({ uploadStatus }) => uploadStatus !== 'SUCCESS')).toEqual([]);
        for (const { name, code } of user.files.filter((_, k) => k % 10 === n)) {
          expect([name, (await askOn(n + 1, user, code))[0]]).toEqual([name, name]);
        }
      }
      const codes = cluster.mails.filter(({ text }) => text.includes('sign-in code'));
      expect(codes).toHaveLength(USERS);
    },
  );

  test('a file that is ready on one server is found on all in the next call, and a deleted one on none', async () => {
    const [user] = users;
    if (!user) throw new Error('Nobody is there.');
    for (let round = 0; round < 5; round += 1) {
      const code = `ZW${9000 + round}`;
      const name = `late ${round}.txt`;
      await clientOn(round, user).upload(uploadArtifacts, [noteOf(name, code)], {});
      const artifactOn = async (n: number): Promise<Artifact | undefined> =>
        (await listOn(n, user)).find((each) => each.artifactFileName === name);
      await vi.waitFor(async () => {
        expect((await artifactOn(round))?.uploadStatus).toBe('SUCCESS');
      }, longWait);
      const artifact = await artifactOn(round);
      expect(await askOn(round + 1, user, code)).toContain(name);
      expect(await askOn(round + 2, user, code)).toContain(name);
      await clientOn(round, user).call(deleteArtifact, {
        params: { artifactId: artifact?.artifactId ?? '' },
      });
      expect(await askOn(round + 1, user, code)).not.toContain(name);
      expect(await artifactOn(round + 2)).toBeUndefined();
    }
  }, 300_000);

  test('outages of PostgreSQL, S3 and OpenSearch leave no file lost, duplicated or stuck', async () => {
    const [user] = users;
    if (!user) throw new Error('Nobody is there.');
    await uploadAll(user, 0);
    await vi.waitFor(async () => {
      expect((await clientOn(0, user).call(searchReady, {})).data).toBe(true);
    }, longWait);
    const outagesEnded = new AbortController();
    const reported = new Map<string, number>();

    /** Makes a call on one server after the other. Errors must be server errors. */
    async function repeat(callName: string, call: (n: number) => Promise<unknown>): Promise<void> {
      for (let n = 0; !outagesEnded.signal.aborted; n += 1) {
        const sentence = await call(n).then(
          () => 'done',
          (error: unknown) => {
            if (!(error instanceof ApiError) || error.status < 500) throw error;
            expect(error.message).toMatch(/^[A-Z].+[a-z]\.$/u);
            return `${error.status} ${error.message}`;
          },
        );
        reported.set(
          `${callName}: ${sentence}`,
          (reported.get(`${callName}: ${sentence}`) ?? 0) + 1,
        );
        await sleep(100);
      }
    }

    const sent: Note[] = [];
    let isKept = true;
    const uploads = repeat('upload', async (n) => {
      if (isKept) sent.push(noteOf(`outage ${sent.length}.txt`, `KV${5000 + sent.length}`));
      isKept = false;
      await clientOn(n, user).upload(uploadArtifacts, sent.slice(-1), {});
      isKept = true;
    });
    const questions = repeat('question', async (n) => {
      const known = user.files[n % user.files.length];
      expect(await askOn(n, user, known?.code ?? '')).toContain(known?.name);
    });
    const outages = (async () => {
      for (const [name, relay] of Object.entries(cluster.relays)) {
        await sleep(PAUSE_MS);
        reported.set(`${name} outage`, OUTAGE_MS);
        await relay.disconnectFor(OUTAGE_MS);
      }
      await sleep(PAUSE_MS);
    })().finally(() => outagesEnded.abort());
    await Promise.all([outages, uploads, questions]);
    if (!isKept) await clientOn(0, user).upload(uploadArtifacts, sent.slice(-1), {});

    const start = performance.now();
    await vi.waitFor(
      async () => {
        const late = (await listOn(0, user)).filter(
          ({ uploadStatus }) => uploadStatus !== 'SUCCESS',
        );
        expect(late).toEqual([]);
      },
      { timeout: READY_AFTER_MS, interval: 200 },
    );
    if (TRIAL) process.stdout.write(`Ready ${Math.round(performance.now() - start)} ms after.\n`);
    if (TRIAL) process.stdout.write(`${JSON.stringify(Object.fromEntries(reported), null, 2)}\n`);
    const names = (await listOn(1, user)).map(({ artifactFileName }) => artifactFileName);
    const expected = [...user.files, ...sent].map(({ name }) => name);
    expect(names.toSorted()).toEqual(expected.toSorted());
    for (const [n, { name, code }] of sent.entries()) {
      expect([name, (await askOn(n, user, code))[0]]).toEqual([name, name]);
    }
  }, 300_000);
});

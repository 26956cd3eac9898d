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
const PEOPLE = TRIAL ? 5 : 2;
/** Files of each user. */
const FILES = TRIAL ? 60 : 15;
const FILES_PER_UPLOAD = 5;
const LONGEST_LIFE_MS = 4000;
/** The duration of each outage, which exceeds the retries of running calls. */
const AWAY_MS = 5000;
/** The pause between two outages, so that a failure can be attributed to one. */
const BACK_MS = 3000;
/** The time after the last outage until everything is ready, including lost jobs. */
const READY_AFTER_MS = 45_000;
/** Long enough for a slow machine, because this does not test speed. */
const patient = { timeout: 180_000 + KILLS * 10_000, interval: 200 };

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
  const people: TestUser[] = [];
  let cluster: Cluster;

  const clientOn = (n: number, person: TestUser) => cluster.clientOn(n, person.token);

  const listOn = async (n: number, person: TestUser): Promise<Artifact[]> =>
    (await clientOn(n, person).call(listArtifacts, { query: { limit: 500 } })).data;

  const askOn = async (n: number, person: TestUser, code: string): Promise<string[]> => {
    const body = { text: `Which stone has the code ${code}?` };
    const { data } = await clientOn(n, person).call(search, { body });
    return data.citations.map(({ fileName }) => fileName);
  };

  /** Uploads through any available server until all files are stored. */
  async function uploadAll(person: TestUser, first: number): Promise<void> {
    let on = first;
    for (let from = 0; from < person.files.length;) {
      const some = person.files.slice(from, from + FILES_PER_UPLOAD);
      try {
        await clientOn(on, person).upload(uploadArtifacts, some, {});
        from += FILES_PER_UPLOAD;
      } catch {
        await sleep(100);
      }
      on += 1;
    }
  }

  beforeAll(async () => {
    cluster = await startCluster(SERVERS);
    for (let n = 0; n < PEOPLE; n += 1) {
      const email = `person${n}@example.org`;
      const files = Array.from({ length: FILES }, (_, k) =>
        noteOf(`note ${k}.txt`, `QX${1000 * (n + 1) + k}`),
      );
      people.push({ email, token: await cluster.signIn(email, n), files });
    }
  }, 300_000);

  afterAll(() => cluster.close(), 120_000);

  test(
    `${KILLS} kills neither lose nor duplicate a file, and a consistency check during them removes nothing`,
    { timeout: 400_000 + KILLS * 60_000 },
    async () => {
      const uploaded = Promise.all(people.map(uploadAll));
      for (let killed = 0; killed < KILLS; killed += 1) {
        // Kills at a fixed time, without waiting for a state.
        await sleep(random() * LONGEST_LIFE_MS);
        await cluster.pool.query("update jobs set run_at = now() where queue = 'upkeep'");
        await cluster.killAndRestart(Math.floor(random() * SERVERS));
        if (TRIAL) process.stdout.write(`Kills: ${killed + 1}\n`);
      }
      await uploaded;
      for (const [n, person] of people.entries()) {
        await vi.waitFor(async () => {
          expect((await clientOn(n, person).call(searchReady, {})).data).toBe(true);
        }, patient);
        const artifacts = await listOn(n, person);
        const names = artifacts.map(({ artifactFileName }) => artifactFileName);
        expect(names.toSorted()).toEqual(person.files.map(({ name }) => name).toSorted());
        expect(artifacts.filter(({ uploadStatus }) => uploadStatus !== 'SUCCESS')).toEqual([]);
        for (const { name, code } of person.files.filter((_, k) => k % 10 === n)) {
          expect([name, (await askOn(n + 1, person, code))[0]]).toEqual([name, name]);
        }
      }
      const codes = cluster.mails.filter(({ text }) => text.includes('sign-in code'));
      expect(codes).toHaveLength(PEOPLE);
    },
  );

  test('a file that is ready on one server is found on all in the next call, and a deleted one on none', async () => {
    const [person] = people;
    if (!person) throw new Error('Nobody is there.');
    for (let round = 0; round < 5; round += 1) {
      const code = `ZW${9000 + round}`;
      const name = `late ${round}.txt`;
      await clientOn(round, person).upload(uploadArtifacts, [noteOf(name, code)], {});
      const artifactOn = async (n: number): Promise<Artifact | undefined> =>
        (await listOn(n, person)).find((each) => each.artifactFileName === name);
      await vi.waitFor(async () => {
        expect((await artifactOn(round))?.uploadStatus).toBe('SUCCESS');
      }, patient);
      const artifact = await artifactOn(round);
      expect(await askOn(round + 1, person, code)).toContain(name);
      expect(await askOn(round + 2, person, code)).toContain(name);
      await clientOn(round, person).call(deleteArtifact, {
        params: { artifactId: artifact?.artifactId ?? '' },
      });
      expect(await askOn(round + 1, person, code)).not.toContain(name);
      expect(await artifactOn(round + 2)).toBeUndefined();
    }
  }, 300_000);

  test('outages of PostgreSQL, S3 and OpenSearch leave no file lost, duplicated or stuck', async () => {
    const [person] = people;
    if (!person) throw new Error('Nobody is there.');
    await uploadAll(person, 0);
    await vi.waitFor(async () => {
      expect((await clientOn(0, person).call(searchReady, {})).data).toBe(true);
    }, patient);
    const over = new AbortController();
    const reported = new Map<string, number>();

    /** Makes a call on one server after the other. Errors must be server errors. */
    async function repeat(what: string, call: (n: number) => Promise<unknown>): Promise<void> {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const sentence = await call(n).then(
          () => 'done',
          (error: unknown) => {
            if (!(error instanceof ApiError) || error.status < 500) throw error;
            expect(error.message).toMatch(/^[A-Z].+[a-z]\.$/u);
            return `${error.status} ${error.message}`;
          },
        );
        reported.set(`${what}: ${sentence}`, (reported.get(`${what}: ${sentence}`) ?? 0) + 1);
        await sleep(100);
      }
    }

    const sent: Note[] = [];
    let isKept = true;
    const uploads = repeat('upload', async (n) => {
      if (isKept) sent.push(noteOf(`outage ${sent.length}.txt`, `KV${5000 + sent.length}`));
      isKept = false;
      await clientOn(n, person).upload(uploadArtifacts, sent.slice(-1), {});
      isKept = true;
    });
    const questions = repeat('question', async (n) => {
      const known = person.files[n % person.files.length];
      expect(await askOn(n, person, known?.code ?? '')).toContain(known?.name);
    });
    const outages = (async () => {
      for (const [name, relay] of Object.entries(cluster.relays)) {
        await sleep(BACK_MS);
        reported.set(`${name} away`, AWAY_MS);
        await relay.beAway(AWAY_MS);
      }
      await sleep(BACK_MS);
    })().finally(() => over.abort());
    await Promise.all([outages, uploads, questions]);
    if (!isKept) await clientOn(0, person).upload(uploadArtifacts, sent.slice(-1), {});

    const begin = performance.now();
    await vi.waitFor(
      async () => {
        const late = (await listOn(0, person)).filter(
          ({ uploadStatus }) => uploadStatus !== 'SUCCESS',
        );
        expect(late).toEqual([]);
      },
      { timeout: READY_AFTER_MS, interval: 200 },
    );
    if (TRIAL) process.stdout.write(`Ready ${Math.round(performance.now() - begin)} ms after.\n`);
    if (TRIAL) process.stdout.write(`${JSON.stringify(Object.fromEntries(reported), null, 2)}\n`);
    const names = (await listOn(1, person)).map(({ artifactFileName }) => artifactFileName);
    const expected = [...person.files, ...sent].map(({ name }) => name);
    expect(names.toSorted()).toEqual(expected.toSorted());
    for (const [n, { name, code }] of sent.entries()) {
      expect([name, (await askOn(n, person, code))[0]]).toEqual([name, name]);
    }
  }, 300_000);
});

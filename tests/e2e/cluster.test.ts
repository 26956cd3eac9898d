import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import {
  type Artifact,
  deleteArtifact,
  generateCode,
  listArtifacts,
  search,
  searchReady,
  uploadArtifacts,
  validateCode,
} from '@engram/contract';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createServerDatabase,
  testServerUrl,
} from '../../apps/server/src/platform/database/tests/database-suite.test-setup.ts';
import {
  createTestBucket,
  testS3Url,
} from '../../apps/server/src/platform/files/tests/s3.test-setup.ts';
import {
  testIndexName,
  testOpenSearchUrl,
} from '../../apps/server/src/platform/index/opensearch/tests/opensearch.test-setup.ts';
import { startMailServer } from '../../apps/server/src/tests/mail-server.test-setup.ts';
import { end, launch } from './engram.ts';
import { createRandom } from './random.test-setup.ts';

/** Servers killed while files arrive. A few in every run; `ENGRAM_TEST_KILLS=20` is the whole trial. */
const TRIAL = process.env['ENGRAM_TEST_KILLS'];
const KILLS = Number(TRIAL ?? 3);
const SERVERS = 3;
const PEOPLE = TRIAL ? 5 : 2;
/** Files of each person. */
const FILES = TRIAL ? 60 : 15;
const FILES_PER_UPLOAD = 5;
const LONGEST_LIFE_MS = 4000;
/** Long enough for a machine on which everything takes several times as long: no speed is proven. */
const patient = { timeout: 180_000 + KILLS * 10_000, interval: 200 };

interface Server {
  dataDir: string;
  url: string;
  child: ChildProcess;
}

interface Person {
  email: string;
  token: string;
  files: { name: string; content: Blob; code: string }[];
}

const cannotRun = !testServerUrl || !testS3Url || !testOpenSearchUrl;

describe.skipIf(cannotRun)('three servers on one PostgreSQL, S3 and OpenSearch', () => {
  const random = createRandom(20_261_127);
  const servers: Server[] = [];
  const people: Person[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  let env: Record<string, string>;
  let pool: Pool;
  let mail: Awaited<ReturnType<typeof startMailServer>>;

  const clientOn = (n: number, person?: Person): Client =>
    createClient({
      baseUrl: `${servers[n % SERVERS]?.url}/v1`,
      ...(person ? { token: () => person.token } : {}),
    });

  const listOn = async (n: number, person: Person): Promise<Artifact[]> =>
    (await clientOn(n, person).call(listArtifacts, { query: { limit: 500 } })).data;

  async function signIn(n: number): Promise<Person> {
    const email = `person${n}@example.org`;
    await clientOn(n).call(generateCode, { body: { email } });
    const code = /\b\d{6}\b/u.exec((await mail.next(email)).text)?.[0] ?? '';
    // Another server than the one that sent it.
    const { data } = await clientOn(n + 1).call(validateCode, { body: { email, code } });
    const files = Array.from({ length: FILES }, (_, k) => {
      const code = `QX${1000 * (n + 1) + k}`;
      const text = `Note ${k} of person ${n}.\n\nThe stone of note ${k} has the code ${code}.\n`;
      return { name: `note ${k}.txt`, content: new Blob([text]), code };
    });
    return { email, token: data.token, files };
  }

  async function killAndRestart(n: number): Promise<void> {
    const server = servers[n];
    if (!server) return;
    await end(server.child, 'SIGKILL');
    const { port } = new URL(server.url);
    Object.assign(server, await launch(server.dataDir, { ...env, PORT: port }));
  }

  /** Uploads on whichever server answers, until it is said of all files that they are there. */
  async function uploadAll(person: Person, first: number): Promise<void> {
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
    const database = await createServerDatabase(testServerUrl ?? '');
    const { bucket, endpoint } = await createTestBucket();
    const index = testIndexName();
    mail = await startMailServer();
    pool = new Pool({ connectionString: database.url });
    pool.on('error', () => undefined);
    ends.push(database.drop, index.remove, mail.close, () => pool.end());
    env = {
      DATABASE_URL: database.url,
      ENGRAM_FILES: `s3://${bucket}/engram`,
      AWS_ENDPOINT_URL_S3: endpoint,
      ENGRAM_SEARCH: testOpenSearchUrl,
      ENGRAM_SEARCH_INDEX: index.name,
      ENGRAM_SECRET: 'a secret that all servers of this test share',
      ENGRAM_LLM: 'none',
      ENGRAM_EMBEDDINGS: 'none',
      ENGRAM_RATE_LIMITS: 'off',
      SMTP_URL: mail.url,
    };
    const started = Array.from({ length: SERVERS }, async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-cluster-'));
      ends.push(() => rm(dataDir, { recursive: true, force: true }));
      servers.push({ dataDir, ...(await launch(dataDir, env)) });
    });
    await Promise.all(started);
    for (let n = 0; n < PEOPLE; n += 1) people.push(await signIn(n));
  }, 300_000);

  afterAll(async () => {
    await Promise.all(servers.map(({ child }) => end(child, 'SIGTERM')));
    for (const undo of ends.reverse()) await undo();
  }, 120_000);

  test(
    `${KILLS} kills lose no file and double none, and a sweep meanwhile removes nothing`,
    { timeout: 400_000 + KILLS * 60_000 },
    async () => {
      const uploaded = Promise.all(people.map(uploadAll));
      for (let killed = 0; killed < KILLS; killed += 1) {
        // The moment is what is tried here: nothing is waited for.
        await sleep(random() * LONGEST_LIFE_MS);
        await pool.query("update jobs.job set start_after = now() where name = 'upkeep'");
        await killAndRestart(Math.floor(random() * SERVERS));
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
          const body = { text: `Which stone has the code ${code}?` };
          const { data } = await clientOn(n + 1, person).call(search, { body });
          expect([name, data.citations.map(({ fileName }) => fileName)[0]]).toEqual([name, name]);
        }
      }
      const codes = mail.mails.filter(({ text }) => text.includes('sign-in code'));
      expect(codes).toHaveLength(PEOPLE);
    },
  );

  test('what is ready on one is found on all in the next call, and what is deleted is nowhere', async () => {
    const [person] = people;
    if (!person) throw new Error('Nobody is there.');
    for (let round = 0; round < 5; round += 1) {
      const code = `ZW${9000 + round}`;
      const name = `late ${round}.txt`;
      const content = new Blob([`The late stone ${round} has the code ${code}.`]);
      await clientOn(round, person).upload(uploadArtifacts, [{ name, content }], {});
      const artifactOn = async (n: number): Promise<Artifact | undefined> =>
        (await listOn(n, person)).find((each) => each.artifactFileName === name);
      await vi.waitFor(async () => {
        expect((await artifactOn(round))?.uploadStatus).toBe('SUCCESS');
      }, patient);
      const artifact = await artifactOn(round);
      const body = { text: `Which stone has the code ${code}?` };
      const ask = async (n: number): Promise<string[]> =>
        (await clientOn(n, person).call(search, { body })).data.citations.map(
          ({ fileName }) => fileName,
        );
      expect(await ask(round + 1)).toContain(name);
      expect(await ask(round + 2)).toContain(name);
      await clientOn(round, person).call(deleteArtifact, {
        params: { artifactId: artifact?.artifactId ?? '' },
      });
      expect(await ask(round + 1)).not.toContain(name);
      expect(await artifactOn(round + 2)).toBeUndefined();
    }
  }, 300_000);
});

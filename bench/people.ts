import { setTimeout as wait } from 'node:timers/promises';
import { search } from '@engram/contract';
import { buildTestApp, type TestApp } from '../apps/server/src/tests/app.test-setup.ts';
import { end, launch } from '../tests/e2e/engram.ts';
import { percentile, round } from './index-corpus.ts';
import { createLibraryText, type LibraryText } from './library-text.ts';
import {
  addHistory,
  addPeople,
  addRows,
  clientOf,
  type Person,
  uploadFor,
} from './people-library.ts';
import {
  type Bytes,
  hasServices,
  openDataFolder,
  openServices,
  type Stores,
} from './people-stores.ts';
import { memoryOf } from './process-memory.ts';

export interface PeopleOptions {
  /** How many people there are at each measurement: each adds to those before. */
  people?: number[] | undefined;
  /** How many there are, as rows of the database alone, at each measurement of these. */
  rows?: number[] | undefined;
  /** Notes of each. */
  notes?: number | undefined;
}

/** Questions that each person has asked before. */
const EARLIER_QUESTIONS = 3;
const QUESTIONS = 200;
const WARM_UP = 30;
const SECRET = 'a secret that the servers of this bench share';
/** A model that nobody has vectors of, as after a new setting. */
const MODEL = { key: 'none', dimensions: 384, setting: 'local:none' };
/** A server is idle when it computes for less than so much of a second. */
const IDLE_SECONDS = 0.03;
const LONGEST_WAIT_SECONDS = 300;
const KB = 1000;

type Row = Record<string, number | string>;

interface Measured {
  people: number;
  bytes: Bytes;
}

const settings = ({ env }: Stores): Record<string, string> => ({
  ENGRAM_LLM: 'none',
  ENGRAM_EMBEDDINGS: 'none',
  ENGRAM_RATE_LIMITS: 'off',
  ENGRAM_MIN_FREE_MB: '0',
  ENGRAM_SECRET: SECRET,
  ...env,
});

/** Does something in a server of this process, once what its start began has ended. */
async function within<Result>(
  stores: Stores,
  work: (engram: TestApp) => Promise<Result>,
): Promise<Result> {
  const { dataDir, backups } = stores;
  const env = { ...settings(stores), ...(backups ? { ENGRAM_BACKUP: backups } : {}) };
  const engram = await buildTestApp({ dataDir, env, checkAnswers: false });
  try {
    await engram.settled();
    return await work(engram);
  } finally {
    await engram.close();
  }
}

/** Does something beside a server in a process of its own. */
async function beside<Result>(
  stores: Stores,
  work: (server: { url: string; pid: number; startMs: number }) => Promise<Result>,
): Promise<Result> {
  const begin = performance.now();
  const { child, url } = await launch(stores.dataDir, settings(stores));
  try {
    return await work({ url, pid: child.pid ?? 0, startMs: performance.now() - begin });
  } finally {
    await end(child, 'SIGTERM');
  }
}

/** Milliseconds, and those of the processor, that something takes in this process. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; busyMs: number }> {
  const begin = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begin, busyMs: (user + system) / 1000 };
}

/** How long a statement waits at most while something goes on. */
async function longestWait(engram: TestApp, work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  const ended = new AbortController();
  const asking = (async () => {
    while (!ended.signal.aborted) {
      const { ms } = await timed(() => engram.deps.database.pool.query('select 1'));
      worst = Math.max(worst, ms);
      await wait(5);
    }
  })();
  await work();
  ended.abort();
  await asking;
  return worst;
}

/** What the regular work of one server costs for everybody. */
async function measureWork(engram: TestApp, people: number): Promise<Row> {
  const { deps } = engram;
  const { upkeep, backups } = deps.services;
  // The tables that have changed are written anew here, as each hour.
  let maintain = 0;
  const blocked = await longestWait(engram, async () => {
    maintain = (await timed(() => deps.database.maintain())).ms;
  });
  await deps.database.pool.query('analyze');
  let found = 0;
  const sweep = await timed(async () => {
    found = (await upkeep.sweep()).length;
  });
  if (found > 0) throw new Error('The sweep found something, which takes other times.');
  const census = await timed(() => upkeep.census());
  const users = await deps.index.users();
  const vectors = await timed(async () => {
    for (const userId of users) {
      await deps.index.unembedded(userId, MODEL, { limit: 64, exclude: new Set() });
    }
  });
  const row: Row = {
    people,
    'sweep, s': round(sweep.ms / 1000),
    '… ms a person': round(sweep.ms / people),
    '… of the processor': round(sweep.busyMs / people),
    'look for vectors, ms a person': round(vectors.ms / people),
    'count of files, ms': round(census.ms),
    'maintenance, s': round(maintain / 1000),
    '… a query waits, ms': round(blocked),
  };
  for (const name of backups ? ['first backup, s', 'next backup, s'] : []) {
    row[name] = round((await timed(() => backups?.run() ?? Promise.resolve())).ms / 1000);
  }
  return row;
}

/** Bytes by where they are, those of an empty installation and of each person more. */
function rowOfBytes(now: Measured, before: Measured): Row {
  const added = now.people - before.people;
  const each = (name: keyof Bytes) => round((now.bytes[name] - before.bytes[name]) / added / KB);
  const { database, files, index } = now.bytes;
  return {
    people: now.people,
    'all, MB': round((database + files + index) / KB / KB),
    'a person more: database, kB': each('database'),
    '… files': each('files'),
    '… index': each('index'),
  };
}

/** Waits until a server has done what its start began; answers the seconds that took. */
async function untilIdle(stores: Stores, pid: number): Promise<number> {
  const begin = performance.now();
  for (let before = await stores.seconds(pid); ;) {
    await wait(1000);
    const now = await stores.seconds(pid);
    const waited = (performance.now() - begin) / 1000;
    if (now - before < IDLE_SECONDS || waited > LONGEST_WAIT_SECONDS) return waited;
    before = now;
  }
}

async function measureServer(
  stores: Stores,
  text: LibraryText,
  people: readonly Person[],
): Promise<Row> {
  return beside(stores, async ({ url, pid, startMs }) => {
    const settledAfter = await untilIdle(stores, pid);
    const idle = memoryOf(pid);
    const ms: number[] = [];
    let before = 0;
    for (let n = 0; n < WARM_UP + QUESTIONS; n += 1) {
      if (n === WARM_UP) before = await stores.seconds(pid);
      const person =
        people[
          Math.floor(((n * 7919) % (WARM_UP + QUESTIONS)) * (people.length / (WARM_UP + QUESTIONS)))
        ];
      if (!person) throw new Error('There is nobody.');
      const client = await clientOf(url, SECRET, person);
      const asked = await timed(() =>
        client.call(search, { body: { text: text.question(), audio: false } }),
      );
      if (n >= WARM_UP) ms.push(asked.ms);
    }
    const seconds = (await stores.seconds(pid)) - before;
    return {
      people: people.length,
      'ready after, s': round(startMs / 1000),
      'idle after, s': round(settledAfter),
      'memory idle, MB': Math.round(idle.server + idle.children),
      '… asked, MB': Math.round(memoryOf(pid).server),
      'a question, ms': round(percentile(ms, 0.5)),
      '… 95th percentile': round(percentile(ms, 0.95)),
      '… ms of the processor': round((seconds * 1000) / QUESTIONS),
    };
  });
}

async function runOn(stores: Stores, counts: readonly number[], notes: number) {
  const text = createLibraryText(20_261_127);
  const people: Person[] = [];
  const kept: Row[] = [];
  const server: Row[] = [];
  const work: Row[] = [];
  let before: Measured = { people: 0, bytes: await within(stores, stores.bytes) };
  for (const count of counts) {
    const added = await within(stores, (engram) => addPeople(engram, count - people.length));
    people.push(...added);
    const reading = await beside(stores, async ({ url, pid }) => {
      await untilIdle(stores, pid);
      const clients = await Promise.all(added.map((person) => clientOf(url, SECRET, person)));
      const begun = await stores.seconds(pid);
      const { ms } = await timed(() => uploadFor(clients, text, notes));
      return { ms, busyMs: ((await stores.seconds(pid)) - begun) * 1000 };
    });
    const now = await within(stores, async (engram) => {
      await addHistory(engram, added, EARLIER_QUESTIONS);
      work.push(await measureWork(engram, count));
      return { people: count, bytes: await stores.bytes(engram) };
    });
    const files = added.length * notes;
    kept.push({
      ...rowOfBytes(now, before),
      'a file read, ms': round(reading.ms / files),
      '… of the processor': round(reading.busyMs / files),
    });
    before = now;
    server.push(await measureServer(stores, text, people));
  }
  return [
    { title: `What people take, in ${stores.name}, with ${notes} notes each`, rows: kept },
    { title: `What is done for all of them, in ${stores.name}`, rows: work },
    { title: `A server for them, on ${stores.name}`, rows: server },
  ];
}

/** What is asked of the rows of everybody at once, where there are rows and nothing else. */
async function measureRows(stores: Stores, counts: readonly number[], notes: number) {
  const rows = await within(stores, async (engram) => {
    const { deps } = engram;
    const { pool } = deps.database;
    const measured: Row[] = [];
    let before = 0;
    for (const people of counts) {
      await addRows(engram, { people: people - before, notes, questions: EARLIER_QUESTIONS });
      before = people;
      const census = await timed(() => deps.services.upkeep.census());
      const owners = await timed(() => pool.query('select distinct user_id from artifacts'));
      // One file that somebody deletes is enough for its tables to be written anew.
      await pool.query('delete from artifacts where id = (select id from artifacts limit 1)');
      let maintain = 0;
      const blocked = await longestWait(engram, async () => {
        maintain = (await timed(() => deps.database.maintain())).ms;
      });
      measured.push({
        people,
        'database, MB': round((await stores.bytes(engram)).database / KB / KB),
        'count of files, ms': round(census.ms),
        'people with files, ms': round(owners.ms),
        'maintenance, s': round(maintain / 1000),
        '… a query waits, s': round(blocked / 1000),
      });
    }
    return measured;
  });
  return { title: `Rows alone, in ${stores.name}, with ${notes} notes each`, rows };
}

/**
 * What a person costs, and whether that stays the same as there are more: so many people with some
 * notes each, sent to a real server, and what is done regularly for all of them. On the data folder,
 * or where `npm run with-services` runs this on the servers of many installations (Linux only).
 */
export async function run({
  people = [100, 1000],
  rows = [1000, 10_000],
  notes = 5,
}: PeopleOptions) {
  const open = hasServices ? openServices : openDataFolder;
  const tables = [];
  for (const [counts, measure] of [
    [people, runOn],
    [rows, async (...given: Parameters<typeof measureRows>) => [await measureRows(...given)]],
  ] as const) {
    if (counts.length === 0) continue;
    const stores = await open();
    tables.push(...(await measure(stores, counts, notes).finally(stores.close)));
  }
  return tables;
}

import { listArtifacts, search, uploadArtifacts } from '@engram/contract';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/tests/app.test-setup.ts';
import { exportOf, importOf, changed } from '../apps/server/src/tests/exports.test-setup.ts';
import { percentile, round } from './index-corpus.ts';
import { createLibraryText } from './library-text.ts';
import { fillLibrary } from './library.ts';
import { watchThread } from './loop-watch.ts';
import { type Asker, startAsker } from './question-asker.ts';

/** What one person's questions take while others do something, milliseconds. */
export interface NeighbourRow {
  meanwhile: string;
  questions: number;
  medianMs: number;
  worstMs: number;
  longestLoopGapMs: number;
  /** For how long the server's thread computed without a pause, the senders' own work included. */
  longestComputedMs: number;
}

const QUESTIONS = 60;
const CHUNKS = 1000;
const HOSTILE_AT_ONCE = 25;
const NAMED_FILES = 10_000;

const groups = Array.from({ length: 14 }, () => '(1234567)').join(' ');

/** Texts that a pattern which backtracks would take minutes or for ever to read. */
const HOSTILE = {
  'numbers.txt': `The phone number of the boathouse is ${groups} x.`,
  'spaces.txt': `The deposit is${' '.repeat(200_000)}x.`,
  'dots.txt': `The rent is 900${'.'.repeat(200_000)} EUR of Mr. ${'A. '.repeat(20_000)}`,
  'quotes.md': `${'>'.repeat(50_000)} The rent is 900 EUR. ${'[a]('.repeat(20_000)}`,
  'wide.csv': `${'name,'.repeat(20_000)}\n${'1,'.repeat(20_000)}`,
};

const HOSTILE_QUESTIONS = [
  'What is the phone number of the boathouse?',
  `What is the rent ${'and the rent '.repeat(20)}?`,
  `"${'. '.repeat(140)}"`,
  `what is ${'('.repeat(280)}`,
];

async function uploadHostile({ client }: SignedInUser): Promise<void> {
  const files = Object.entries(HOSTILE).map(([name, text]) => ({
    name,
    content: new Blob([text]),
  }));
  await client.upload(uploadArtifacts, files, {});
}

/** Asks as often as it can, so many at once, until it is told to stop. */
async function askOn({ client }: SignedInUser, signal: AbortSignal): Promise<void> {
  const one = async (at: number) => {
    for (let turn = at; !signal.aborted; turn += 1) {
      const text = HOSTILE_QUESTIONS[turn % HOSTILE_QUESTIONS.length] ?? '';
      await client.call(search, { body: { text, audio: false } }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, (_, at) => one(at)));
}

/** Gives a person many files more that are only names. */
async function addNames(engram: TestApp, { userId }: SignedInUser): Promise<void> {
  await engram.deps.database.pool.query(
    `INSERT INTO artifacts (id, user_id, group_id, file_name, file_type, media_type, size, sha256,
       source, status, keywords, archived, indexed, created_at, updated_at)
     SELECT gen_random_uuid(), user_id, group_id, 'report ' || n || '.txt', file_type, media_type,
       size, md5(n::text), source, status, keywords, false, false, created_at, updated_at
     FROM artifacts, generate_series(1, $2) AS n
     WHERE id = (SELECT id FROM artifacts WHERE user_id = $1 LIMIT 1)`,
    [userId, NAMED_FILES],
  );
}

/** Asks for one of many files by its name. */
async function nameFiles(user: SignedInUser, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await user.client.call(search, {
      body: { text: 'What does report 77.txt say of the rent?', audio: false },
    });
    await user.client.call(listArtifacts, { query: { limit: 100 } });
  }
}

async function importHostile(user: SignedInUser, signal: AbortSignal): Promise<void> {
  await user.client.call(search, { body: { text: 'What is the rent?', audio: false } });
  const bytes = await exportOf(user);
  const hostile = await changed(bytes, (json) => {
    const [entry] = json<object[]>('history.json');
    const history = Array.from({ length: 500 }, (_, at) => ({
      ...entry,
      answer: `${' '.repeat(5000)}${'> '.repeat(50)}${'.'.repeat(5000)}${at}`,
    }));
    return { 'history.json': history };
  });
  while (!signal.aborted) await importOf(user, hostile).catch(() => undefined);
}

async function measure(
  meanwhile: string,
  asker: Asker,
  question: () => string,
  others: (signal: AbortSignal) => Promise<unknown>,
): Promise<NeighbourRow> {
  const stop = new AbortController();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const busy = others(stop.signal);
  const longestComputed = watchThread();
  const times: number[] = [];
  delay.enable();
  for (let at = 0; at < QUESTIONS; at += 1) times.push((await asker.ask({ text: question() })).ms);
  delay.disable();
  const computedMs = round(longestComputed());
  stop.abort();
  await busy;
  return {
    meanwhile,
    questions: QUESTIONS,
    medianMs: percentile(times, 0.5),
    worstMs: round(Math.max(...times)),
    longestLoopGapMs: round(delay.max / 1e6),
    longestComputedMs: computedMs,
  };
}

/** One person's questions while two others send what is meant to hold the server up. */
export async function run(): Promise<{ title: string; rows: NeighbourRow[] }> {
  const engram = await buildTestApp({ env: { ENGRAM_LOG_LEVEL: 'error' }, checkAnswers: false });
  const text = createLibraryText(7);
  const [ann, bob, cleo] = [
    await engram.signIn('ann@example.org'),
    await engram.signIn('bob@example.org'),
    await engram.signIn('cleo@example.org'),
  ];
  const asker = startAsker({ url: ann.baseUrl, token: ann.token });
  const rows: NeighbourRow[] = [];
  const row = async (name: string, others: (signal: AbortSignal) => Promise<unknown>) =>
    void rows.push(await measure(name, asker, () => text.question(), others));
  try {
    await fillLibrary(engram, ann.userId, text, CHUNKS);
    for (const person of [bob, cleo]) await uploadHostile(person);
    await engram.settled();
    for (let at = 0; at < 20; at += 1) await asker.ask({ text: text.question() });
    await row('nothing', async () => undefined);
    await row('two accounts with 25 hostile questions at once each', (signal) =>
      Promise.all([askOn(bob, signal), askOn(cleo, signal)]),
    );
    await row('hostile files', async (signal) => {
      while (!signal.aborted) {
        await uploadHostile(bob);
        await engram.settled();
      }
    });
    await row('an import of 500 hostile answers', (signal) => importHostile(bob, signal));
    await addNames(engram, cleo);
    await row('questions that name one of 10,000 files', (signal) => nameFiles(cleo, signal));
    return { title: 'One person’s questions while others …, milliseconds', rows };
  } finally {
    await asker.close();
    await engram.close();
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import type { UploadFile } from '@engram/client';
import { importAccount, listArtifacts, search, uploadArtifacts } from '@engram/contract';
import { exportOfQuestions } from '../apps/server/src/tests/exports.test-setup.ts';
import type { Engram } from '../tests/e2e/engram.ts';
import { memoryOf, watchMemory } from './process-memory.ts';
import {
  percentile,
  round,
  signIn,
  startServer,
  type Table,
  textFile,
  timeOf,
  untilReady,
  type User,
} from './setup.ts';

const IMPORTS = [10_000, 20_000];
const COLUMNS = 1_000_000;
const EXPENSIVE_QUESTIONS = 18;
const EXPENSIVE = 'compare the newt and the car';
const QUESTIONS = 10;
const SLOW_FILES = 12;
const NOTES = 10;
const POLL_MS = 20;
/** Milliseconds after the imports until memory is measured again. */
const SETTLE_MS = 120_000;

/** Asks questions in sequence and returns the milliseconds of each. */
async function ask({ client }: User, count: number): Promise<number[]> {
  const body = { text: 'When does the lease end?', audio: false };
  const times: number[] = [];
  for (let index = 0; index < count; index += 1)
    times.push(await timeOf(() => client.call(search, { body })));
  return times;
}

async function signInReady(engram: Engram, email: string, file: UploadFile): Promise<User> {
  const user = await signIn(engram, email);
  await user.client.upload(uploadArtifacts, [file], {});
  await untilReady(user.client);
  return user;
}

/** Imports many questions with one date: time, memory, and how long another user waits. */
async function imports(engram: Engram, other: User) {
  const rows = [];
  for (const questions of IMPORTS) {
    const { client } = await signIn(engram, `import${questions}@example.org`);
    const content = new Blob([exportOfQuestions(questions)]);
    const before = memoryOf(engram.pid()).server;
    const stop = watchMemory(engram.pid());
    const startedAt = performance.now();
    const done = new AbortController();
    const importing = client
      .upload(importAccount, [{ name: 'engram.zip', content }], {})
      .finally(() => done.abort());
    let worst = 0;
    while (!done.signal.aborted) worst = Math.max(worst, ...(await ask(other, 1)));
    await importing;
    const seconds = (performance.now() - startedAt) / 1000;
    rows.push({
      questions,
      seconds: round(seconds),
      'before, MB': before,
      'peak, MB': stop().server,
      'after, MB': memoryOf(engram.pid()).server,
      'worst wait of another user, ms': Math.round(worst),
    });
  }
  const before = rows[0]?.['before, MB'] ?? 0;
  await wait(SETTLE_MS);
  const settled = memoryOf(engram.pid()).server;
  return {
    imports: rows,
    memory: [{ 'before, MB': before, 'two minutes after both, MB': settled }],
  };
}

/** Uploads notes of one user until each is searchable, while files of another take seconds each. */
async function slowFiles(engram: Engram, other: User) {
  const { client } = await signIn(engram, 'slow@example.org');
  // Each megabyte of blank lines in a mail takes about ten seconds of processor time.
  const slow = Array.from({ length: SLOW_FILES }, (_, index) =>
    textFile(
      `slow ${index}.eml`,
      `From: a@b.example\nSubject: Slow ${index}\n\n${'\n'.repeat(1_000_000)}`,
    ),
  );
  await client.upload(uploadArtifacts, slow, {});
  await wait(1000);
  const times: number[] = [];
  for (let index = 0; index < NOTES; index += 1) {
    const upload = async (): Promise<void> => {
      const file = textFile(`note ${index}.txt`, `Berth ${index} is free from May on.`);
      await other.client.upload(uploadArtifacts, [file], {});
      await untilReady(other.client, POLL_MS);
    };
    times.push(await timeOf(upload));
    await wait(1000);
  }
  const { data } = await client.call(listArtifacts, {});
  return [
    {
      'slow files': SLOW_FILES,
      'of them ready when the last note was': data.filter(({ stage }) => stage === 'ready').length,
      notes: NOTES,
      'median, ms': percentile(times, 0.5),
      'worst, ms': Math.round(Math.max(...times)),
    },
  ];
}

/** Asks questions of one user while another asks many expensive ones in parallel. */
async function askExpensive(engram: Engram, other: User) {
  const columns = Array.from({ length: COLUMNS }, (_, index) => `c${index}`).join(',');
  const wide = textFile('wide.csv', `${columns}\n${columns}\n`);
  const { client } = await signInReady(engram, 'wide@example.org', wide);
  const body = { text: EXPENSIVE, audio: false };
  let failed = 0;
  const expensive = Array.from({ length: EXPENSIVE_QUESTIONS }, () =>
    client.call(search, { body }).catch(() => (failed += 1)),
  );
  const times = await ask(other, QUESTIONS);
  await Promise.all(expensive);
  return [
    {
      'expensive questions': EXPENSIVE_QUESTIONS,
      failed,
      'median of another user, ms': percentile(times, 0.5),
      'worst, ms': Math.round(Math.max(...times)),
    },
  ];
}

/** Measures how slow files, a large import and expensive questions of one user affect another (Linux only). */
export async function run(): Promise<Table[]> {
  await using engram = await startServer();
  const lease = textFile('lease.txt', 'The lease ends in May.');
  const other = await signInReady(engram, 'other@example.org', lease);
  const questions = await askExpensive(engram, other);
  const { imports: rows, memory } = await imports(engram, other);
  return [
    { title: 'Questions of another user beside expensive ones', rows: questions },
    { title: 'Imports of questions with one date', rows },
    { title: 'Memory of the server', rows: memory },
    {
      title: 'Notes of another user beside slow files, upload until searchable',
      rows: await slowFiles(engram, other),
    },
  ];
}

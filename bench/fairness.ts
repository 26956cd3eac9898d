import { importAccount, search, searchReady, uploadArtifacts } from '@engram/contract';
import { exportOfQuestions } from '../apps/server/src/tests/exports.test-setup.ts';
import { startEngram } from '../tests/e2e/engram.ts';
import { percentile, round } from './index-corpus.ts';
import { residentMegabytes, watchMemory } from './process-memory.ts';
import { signIn } from './sign-in.ts';

const IMPORTS = [10_000, 20_000];
const COLUMNS = 1_000_000;
const COSTLY_QUESTIONS = 18;
const COSTLY = 'compare the newt and the car';
const QUESTIONS = 10;

type Engram = Awaited<ReturnType<typeof startEngram>>;

const note = (name: string, text: string) => ({ name, content: new Blob([text]) });

/** Asks one question after the other; answers the milliseconds of each. */
async function ask({ client }: Awaited<ReturnType<typeof signIn>>, count: number) {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const since = performance.now();
    await client.call(search, { body: { text: 'When does the lease end?', audio: false } });
    times.push(performance.now() - since);
  }
  return times;
}

async function signInReady(engram: Engram, email: string, files: ReturnType<typeof note>[]) {
  const user = await signIn(engram.url, engram.codeFor, email);
  await user.client.upload(uploadArtifacts, files, {});
  while (!(await user.client.call(searchReady, {})).data) {
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  return user;
}

/** Imports of many questions of one date: time, memory, and how long another user waits meanwhile. */
async function imports(engram: Engram, other: Awaited<ReturnType<typeof signIn>>) {
  const rows = [];
  for (const questions of IMPORTS) {
    const { client } = await signIn(engram.url, engram.codeFor, `import${questions}@example.org`);
    const content = new Blob([exportOfQuestions(questions)]);
    const before = residentMegabytes(engram.pid());
    const { most, stop } = watchMemory(engram.pid());
    const since = performance.now();
    const done = new AbortController();
    const importing = client
      .upload(importAccount, [{ name: 'engram.zip', content }], {})
      .finally(() => done.abort());
    let worst = 0;
    while (!done.signal.aborted) worst = Math.max(worst, ...(await ask(other, 1)));
    await importing;
    const seconds = (performance.now() - since) / 1000;
    stop();
    rows.push({
      questions,
      seconds: round(seconds),
      'before, MB': Math.round(before),
      'peak, MB': Math.round(most.server),
      'after, MB': Math.round(residentMegabytes(engram.pid())),
      'worst wait of another user, ms': Math.round(worst),
    });
  }
  return rows;
}

/** Questions of one user while another one asks many costly ones at once. */
async function costly(engram: Engram, other: Awaited<ReturnType<typeof signIn>>) {
  const columns = Array.from({ length: COLUMNS }, (_, at) => `c${at}`).join(',');
  const wide = note('wide.csv', `${columns}\n${columns}\n`);
  const { client } = await signInReady(engram, 'wide@example.org', [wide]);
  const body = { text: COSTLY, audio: false };
  let failed = 0;
  const asked = Array.from({ length: COSTLY_QUESTIONS }, () =>
    client.call(search, { body }).catch(() => (failed += 1)),
  );
  const times = await ask(other, QUESTIONS);
  await Promise.all(asked);
  return [
    {
      'costly questions': COSTLY_QUESTIONS,
      failed,
      'median of another user, ms': percentile(times, 0.5),
      'worst, ms': Math.round(Math.max(...times)),
    },
  ];
}

/** What one user's large import or costly questions cost another user (Linux only). */
export async function run() {
  const engram = await startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off' });
  try {
    const lease = note('lease.txt', 'The lease ends in May.');
    const other = await signInReady(engram, 'other@example.org', [lease]);
    return [
      { title: 'Questions of another user beside costly ones', rows: await costly(engram, other) },
      { title: 'Imports of questions with one date', rows: await imports(engram, other) },
    ];
  } finally {
    await engram.close();
  }
}

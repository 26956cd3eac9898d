import { setTimeout as sleep } from 'node:timers/promises';
import { listArtifacts, uploadArtifacts } from '@engram/contract';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/tests/app.test-setup.ts';
import { bareLibraries, closeBareLibraries } from './bare-libraries.ts';
import { sampleFiles, type SampleFile } from './ingest-files.ts';
import { percentile } from './index-corpus.ts';
import { watchMemory } from './process-memory.ts';

const ROUNDS = 3;
const BUSY_FILES = 1000;
const POLL_MS = 5;

const to = (value: number, digits: number): number => Number(value.toFixed(digits));

async function untilReady(user: SignedInUser, file: { name: string; content: Blob }) {
  const begin = performance.now();
  await user.client.upload(uploadArtifacts, [file], {});
  for (;;) {
    const { data } = await user.client.call(listArtifacts, { query: { limit: 1 } });
    if (data[0]?.isVectorReady) return performance.now() - begin;
    if (data[0]?.uploadStatus !== 'PENDING' && data[0]?.uploadStatus !== 'PROCESSING') {
      throw new Error(`${file.name} was not read: ${data[0]?.statusReason}`);
    }
    await sleep(POLL_MS);
  }
}

async function measure(engram: TestApp, sample: SampleFile) {
  const library = bareLibraries[sample.format];
  if (library === undefined) throw new Error(`There is no library for ${sample.format}.`);
  await library.read(sample.bytes);
  const file = { name: sample.fileName, content: new Blob([Buffer.from(sample.bytes)]) };
  const bare: number[] = [];
  const whole: number[] = [];
  const { most, stop } = watchMemory(process.pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round by a person of its own: the same bytes are one file to a person.
    const user = await engram.signIn(`${sample.fileName}-${round}@example.org`);
    const begin = performance.now();
    await library.read(sample.bytes);
    bare.push((performance.now() - begin) / 1000);
    whole.push((await untilReady(user, file)) / 1000);
    await engram.settled();
  }
  stop();
  const [bareSeconds, seconds] = [median(bare), median(whole)];
  const megabytes = sample.bytes.length / 1e6;
  return {
    format: sample.format,
    MB: to(megabytes, 2),
    library: library.name,
    'library s': to(bareSeconds, 3),
    'ready s': to(seconds, 3),
    'allowed s': to(bareSeconds * 1.5 + 0.5, 3),
    'MB/s': to(megabytes / seconds, 2),
    'pages/s': sample.pages === null ? '' : to(sample.pages / seconds, 1),
    'child MB': Math.round(most.child),
  };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Time until one small file is ready while nothing else is read, and while another's pile is. */
async function oneSmallFile(engram: TestApp): Promise<{ idle: number[]; busy: number[] }> {
  const [user, other] = [
    await engram.signIn('one@example.org'),
    await engram.signIn('many@example.org'),
  ];
  const small = (name: string) => ({
    name: `${name}.txt`,
    content: new Blob([`A note on ${name}.`]),
  });
  const ready = (name: string): Promise<number> => untilReady(user, small(name));
  const idle: number[] = [];
  const busy: number[] = [];
  for (let n = 0; n < 5; n += 1) idle.push(await ready(`idle ${n}`));
  const pile = Array.from({ length: BUSY_FILES }, (_, n) => small(`pile ${n}`));
  await other.client.upload(uploadArtifacts, pile, {});
  for (let n = 0; n < 5; n += 1) busy.push(await ready(`busy ${n}`));
  await engram.settled();
  return { idle, busy };
}

/** How fast each format becomes searchable, beside the bare library on the same file. */
export async function run(): Promise<{ title: string; rows: object[] }> {
  const engram = await buildTestApp({ env: { ENGRAM_LOG_LEVEL: 'warn' }, checkAnswers: false });
  try {
    const rows: object[] = [];
    const { idle, busy } = await oneSmallFile(engram);
    for (const sample of await sampleFiles(11)) rows.push(await measure(engram, sample));
    const title =
      'From upload to searchable, medians, beside the bare library\n' +
      `one small file: ${percentile(idle, 0.5)} ms on an idle server, ${percentile(busy, 0.5)} ms while ${BUSY_FILES} files of another person are read`;
    return { title, rows };
  } finally {
    await closeBareLibraries();
    await engram.close();
  }
}

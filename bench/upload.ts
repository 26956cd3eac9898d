import { listArtifacts, uploadArtifacts } from '@engram/contract';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/tests/app.test-setup.ts';
import { percentile } from './figures.ts';

export interface UploadRow {
  what: string;
  value: number;
  unit: string;
}

const SMALL_FILES = 500;
const ROUNDS = 5;

const page = (number: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `Line ${line} of note ${number} says ${number * 7 + line}.`,
  ).join('\n');

async function timeToSearchable(engram: TestApp, user: SignedInUser): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    const content = new Blob([page(1_000_000 + round)]);
    await user.client.upload(uploadArtifacts, [{ name: 'page.txt', content }], {});
    await engram.settled();
    times.push(performance.now() - begin);
  }
  return times;
}

async function manySmallFiles(engram: TestApp, user: SignedInUser): Promise<UploadRow[]> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const begin = performance.now();
  const files = Array.from({ length: SMALL_FILES }, (_, number) => ({
    name: `note-${number}.txt`,
    content: new Blob([page(number)]),
  }));
  const lists: number[] = [];
  const ended = new AbortController();
  const asking = (async () => {
    while (!ended.signal.aborted) {
      const start = performance.now();
      await user.client.call(listArtifacts, { query: { limit: 10 } });
      lists.push(performance.now() - start);
    }
  })();
  await user.client.upload(uploadArtifacts, files, {});
  await engram.settled();
  const seconds = (performance.now() - begin) / 1000;
  ended.abort();
  await asking;
  delay.disable();
  const { data } = await user.client.call(listArtifacts, {});
  return [
    { what: `${SMALL_FILES} small files until all are searchable`, value: seconds, unit: 's' },
    {
      what: 'files lost or failed',
      value: data.filter((file) => file.artifactFileName.startsWith('note-') && !file.isVectorReady)
        .length,
      unit: '',
    },
    {
      what: 'GET /artifacts meanwhile, 95th percentile',
      value: percentile(lists, 0.95),
      unit: 'ms',
    },
    { what: 'longest event-loop gap meanwhile', value: delay.max / 1e6, unit: 'ms' },
  ];
}

/** How fast files become searchable, and what it costs the server. */
export async function run(): Promise<{ title: string; rows: UploadRow[] }> {
  const engram = await buildTestApp({
    env: { ENGRAM_LOG_LEVEL: 'warn' },
    checkAnswers: false,
  });
  try {
    const user = await engram.signIn('bench@example.org');
    const single = await timeToSearchable(engram, user);
    const rows = [
      {
        what: 'one page, upload until searchable, median',
        value: percentile(single, 0.5),
        unit: 'ms',
      },
      ...(await manySmallFiles(engram, user)),
    ];
    return {
      title: 'Uploading',
      rows: rows.map((row) => ({ ...row, value: Math.round(row.value * 100) / 100 })),
    };
  } finally {
    await engram.close();
  }
}

import { listArtifacts, uploadArtifacts } from '@engram/contract';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/tests/app.test-setup.ts';
import { noteFile, percentile, round, type Table, timeOf } from './setup.ts';

const SMALL_FILES = 500;
const ROUNDS = 5;

/** The median time in milliseconds until a file of one page is searchable. */
async function timeToSearchable(engram: TestApp, user: SignedInUser): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const upload = async (): Promise<void> => {
      await user.client.upload(uploadArtifacts, [noteFile(1_000_000 + round)], {});
      await engram.settled();
    };
    times.push(await timeOf(upload));
  }
  return percentile(times, 0.5);
}

async function measureSmallFiles(engram: TestApp, user: SignedInUser): Promise<object[]> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const begin = performance.now();
  const files = Array.from({ length: SMALL_FILES }, (_, number) => noteFile(number));
  const lists: number[] = [];
  const uploaded = new AbortController();
  const listing = (async () => {
    while (!uploaded.signal.aborted) {
      const list = () => user.client.call(listArtifacts, { query: { limit: 10 } });
      lists.push(await timeOf(list));
    }
  })();
  await user.client.upload(uploadArtifacts, files, {});
  await engram.settled();
  const seconds = (performance.now() - begin) / 1000;
  uploaded.abort();
  await listing;
  delay.disable();
  const { data } = await user.client.call(listArtifacts, {});
  const lost = data.filter(
    (file) => file.artifactFileName.startsWith('note-') && !file.isVectorReady,
  );
  return [
    {
      measurement: `${SMALL_FILES} small files until all are searchable, s`,
      value: round(seconds),
    },
    { measurement: 'files lost or failed', value: lost.length },
    {
      measurement: 'GET /artifacts during the upload, 95th percentile, ms',
      value: percentile(lists, 0.95),
    },
    { measurement: 'longest event-loop gap during the upload, ms', value: round(delay.max / 1e6) },
  ];
}

/** Measures how fast files become searchable, and the load on the server. */
export async function run(): Promise<Table[]> {
  await using engram = await buildTestApp({
    env: { ENGRAM_LOG_LEVEL: 'warn' },
    checkResponses: false,
  });
  const user = await engram.signIn('bench@example.org');
  const single = await timeToSearchable(engram, user);
  const rows = [
    { measurement: 'one page, upload until searchable, median, ms', value: single },
    ...(await measureSmallFiles(engram, user)),
  ];
  return [{ title: 'Uploading', rows }];
}

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSearchIndex } from '../apps/server/src/platform/index/search-index.ts';
import { createCorpus, fill, percentile, round } from './index-corpus.ts';

const chunks = 100_000;
const seconds = 30;
/** Ten times as fast as a file a second, so that half a minute shows what five minutes do. */
const writeEveryMs = 100;
const askEveryMs = 20;

export interface TrickleRow {
  phase: string;
  searches: number;
  searchMedianMs: number;
  searchP95Ms: number;
  writes: number;
  writeMedianMs: number;
  writeP95Ms: number;
  longestEventLoopGapMs: number;
}

/** Files trickle into a large library while questions are asked; then a merge runs while asking. */
export async function run(): Promise<{ title: string; rows: TrickleRow[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  const index = await openSearchIndex({ folder, log: { warn: console.warn } });
  try {
    const corpus = createCorpus(1);
    const userId = randomUUID();
    await fill(index, userId, corpus, chunks);
    const ask = () => index.search(userId, { terms: corpus.question(), limit: 50 });
    const write = () => index.replace(userId, [corpus.artifact()]);
    for (let number = 0; number < 20; number += 1) await ask();
    const rows = [
      await measure('a write each 100 ms', ask, write, () => wait(seconds * 1000)),
      await measure('the same during a merge', ask, write, () => index.compact(userId)),
    ];
    return { title: `Trickling files into ${chunks} chunks while asking`, rows };
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  phase: string,
  ask: () => Promise<unknown>,
  write: () => Promise<unknown>,
  during: () => Promise<unknown>,
): Promise<TrickleRow> {
  const running = { ended: false };
  const searches: number[] = [];
  const writes: number[] = [];
  const timed = async (every: number, into: number[], act: () => Promise<unknown>) => {
    while (!running.ended) {
      const begin = performance.now();
      await act();
      into.push(performance.now() - begin);
      await wait(every);
    }
  };
  let longest = 0;
  let last = performance.now();
  const heartbeat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const loops = [timed(askEveryMs, searches, ask), timed(writeEveryMs, writes, write)];
  await during();
  running.ended = true;
  await Promise.all(loops);
  clearInterval(heartbeat);
  return {
    phase,
    searches: searches.length,
    searchMedianMs: percentile(searches, 0.5),
    searchP95Ms: percentile(searches, 0.95),
    writes: writes.length,
    writeMedianMs: percentile(writes, 0.5),
    writeP95Ms: percentile(writes, 0.95),
    longestEventLoopGapMs: round(longest),
  };
}

if (import.meta.main) {
  const { title, rows } = await run();
  console.log(title);
  console.table(rows);
}

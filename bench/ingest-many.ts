import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Asking } from './asker.ts';
import type { Client } from '@engram/client';
import { listArtifacts, search, searchReady } from '@engram/contract';
import { startEngram } from '../tests/e2e/engram.ts';
import { percentile } from './figures.ts';
import { residentMegabytes, watchMemory } from './process-memory.ts';
import { signIn } from './sign-in.ts';
import { codeOf, uploadNotes } from './small-notes.ts';

export interface ManyRow {
  what: string;
  value: number;
  unit: string;
}

const SAMPLE = 20;
/** Wait of the asker and of the lister between two calls: a person and a page that refreshes itself. */
const PAUSE_MS = 200;

/** Starts an asker; what is answered ends it and hands over its times. */
function startAsker(asking: Asking): () => Promise<number[]> {
  const worker = new Worker(new URL('asker.ts', import.meta.url), { workerData: asking });
  return async () => {
    worker.postMessage('end', []);
    const [times] = (await once(worker, 'message')) as [number[]];
    return times;
  };
}

/** How many of a sample of files are not the first cited for their code. */
async function notFound(client: Client, count: number): Promise<number> {
  let missing = 0;
  for (let at = 0; at < SAMPLE; at += 1) {
    const number = Math.floor((at * count) / SAMPLE);
    const text = `Which note has the code ${codeOf(number)}?`;
    const { data } = await client.call(search, { body: { text, audio: false } });
    if (data.citations[0]?.fileName !== `note-${number}.txt`) missing += 1;
  }
  return missing;
}

/**
 * Uploads `count` small files, a thousand at a time, to a real server on an empty data folder, while
 * somebody asks and somebody looks at the list, until all of them are ready (Linux only).
 */
export async function run(count = 10_000): Promise<{ title: string; rows: ManyRow[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  const loopFile = join(folder, 'loop');
  const engram = await startEngram({
    ENGRAM_LLM: 'none',
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_BENCH_LOOP_FILE: loopFile,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'loop-watch.ts')).href}`,
  });
  try {
    const { client, token } = await signIn(engram.url, engram.codeFor);
    await wait(5000);
    const idle = residentMegabytes(engram.pid());
    const memory = watchMemory(engram.pid());
    const begin = performance.now();
    const asking = { url: engram.url, token, pauseMs: PAUSE_MS };
    const question = 'Which note has the code QX{n}?';
    const endAsking = startAsker({ ...asking, what: 'search', question });
    const endListing = startAsker({ ...asking, what: 'list', question });
    await uploadNotes(client, count);
    const uploaded = (performance.now() - begin) / 1000;
    while (!(await client.call(searchReady, {})).data) await wait(PAUSE_MS);
    const ready = (performance.now() - begin) / 1000;
    const [questions, lists] = await Promise.all([endAsking(), endListing()]);
    const gap = Number(await readFile(loopFile, 'utf8'));
    memory.stop();
    const { data } = await client.call(listArtifacts, {});
    const lost = count - data.filter(({ isVectorReady }) => isVectorReady).length;
    const missing = await notFound(client, count);
    const rows = [
      { what: `${count} files, last upload answered after`, value: uploaded, unit: 's' },
      { what: `${count} files, all ready after`, value: ready, unit: 's' },
      { what: 'a file', value: (ready * 1000) / count, unit: 'ms' },
      { what: 'files lost or failed', value: lost, unit: '' },
      { what: `of ${SAMPLE} files asked for not found`, value: missing, unit: '' },
      { what: 'POST /search meanwhile, median', value: percentile(questions, 0.5), unit: 'ms' },
      {
        what: 'POST /search meanwhile, 95th percentile',
        value: percentile(questions, 0.95),
        unit: 'ms',
      },
      {
        what: 'GET /artifacts meanwhile, 95th percentile',
        value: percentile(lists, 0.95),
        unit: 'ms',
      },
      { what: 'longest event-loop gap meanwhile', value: gap, unit: 'ms' },
      { what: 'server memory, idle before', value: idle, unit: 'MB' },
      { what: 'server memory, most', value: memory.most.server, unit: 'MB' },
      { what: "a child's memory, most", value: memory.most.child, unit: 'MB' },
    ];
    return {
      title: `${count} small files`,
      rows: rows.map((row) => ({ ...row, value: Math.round(row.value * 10) / 10 })),
    };
  } finally {
    await engram.close();
    await rm(folder, { recursive: true });
  }
}

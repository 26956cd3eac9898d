import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@engram/client';
import { listArtifacts, search } from '@engram/contract';

/** What one asker is told: where, as whom, and how long it pauses between two calls. */
export interface Asking {
  url: string;
  token: string;
  what: 'search' | 'list';
  /** Questions in which `{n}` is the round. */
  question: string;
  pauseMs: number;
}

/**
 * Calls again and again until it is told to end, in a thread of its own, so that what else the bench
 * does is no part of the times; answers the milliseconds of each call.
 */
async function ask({ url, token, what, question, pauseMs }: Asking): Promise<void> {
  const client = createClient({ baseUrl: `${url}/v1`, token: () => token });
  const times: number[] = [];
  const ended = new AbortController();
  parentPort?.once('message', () => ended.abort());
  for (let round = 0; !ended.signal.aborted; round += 1) {
    const text = question.replace('{n}', String(100_000 + round));
    const start = performance.now();
    await (what === 'search'
      ? client.call(search, { body: { text, audio: false } })
      : client.call(listArtifacts, { query: { limit: 10 } }));
    times.push(performance.now() - start);
    await wait(pauseMs);
  }
  parentPort?.postMessage(times, []);
}

await ask(workerData as Asking);

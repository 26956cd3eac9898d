import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { uploadArtifacts } from '@engram/contract';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
} from '../apps/server/src/tests/app.test-setup.ts';
import { fillLibrary, keywordsOf } from './fill-library.ts';
import { createLibraryText, type LibraryText } from './library-text.ts';
import { type Asker, startAsker } from './question-asker.ts';
import { percentile, round, type Table } from './setup.ts';

/** Times of `POST /search` in one situation. */
interface SearchHttpRow {
  chunks: number;
  situation: string;
  medianMs: number;
  p95Ms: number;
  firstEventMedianMs: number;
  firstEventP95Ms: number;
  longestLoopGapMs: number;
}

export interface SearchOptions {
  /** Chunks of the library, in ascending order. */
  sizes: number[];
  /** Questions in each situation. */
  questions: number;
  /** Other users' libraries in the last situation. */
  others: number;
  /** Seconds during which one file per second arrives. */
  arrivingSeconds: number;
}

/** The full bench takes about ten minutes, the quick one two. */
export const fullSearch: SearchOptions = {
  sizes: [1000, 10_000, 100_000],
  questions: 50,
  others: 1000,
  arrivingSeconds: 15,
};

export const quickSearch: SearchOptions = {
  sizes: [1000, 10_000],
  questions: 30,
  others: 0,
  arrivingSeconds: 5,
};

const WARM_UP = 20;
const CHUNKS_OF_OTHERS = 20;

/** Milliseconds by situation and stage. */
type Stages = Map<string, Map<string, number[]>>;

interface Bench {
  engram: TestApp;
  user: SignedInUser;
  text: LibraryText;
  asker: Asker;
  stages: Stages;
}

interface Situation {
  chunks: number;
  situation: string;
  questions: number;
  keywords?: string[];
  /** Runs before each question, unmeasured. */
  before?: (number: number) => Promise<unknown>;
}

async function measure(bench: Bench, situation: Situation): Promise<SearchHttpRow> {
  const { asker, text, stages } = bench;
  const { chunks, keywords = [], before, questions } = situation;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const times = { whole: [] as number[], first: [] as number[] };
  for (let number = 0; number < questions + WARM_UP; number += 1) {
    await before?.(number);
    const question = text.question();
    const whole = await asker.ask({ text: question, keywords });
    const streamed = await asker.ask({ text: text.question(), keywords, streamed: true });
    if (number < WARM_UP) continue;
    if (number === WARM_UP) delay.enable();
    times.whole.push(whole.ms);
    times.first.push(streamed.firstEventMs);
    addStages(stages, `${chunks} ${situation.situation}`, streamed.body);
  }
  delay.disable();
  return {
    chunks,
    situation: situation.situation,
    medianMs: percentile(times.whole, 0.5),
    p95Ms: percentile(times.whole, 0.95),
    firstEventMedianMs: percentile(times.first, 0.5),
    firstEventP95Ms: percentile(times.first, 0.95),
    longestLoopGapMs: round(delay.max / 1e6),
  };
}

/** Adds the stage times of a streamed answer. */
function addStages(stages: Stages, situation: string, body: string): void {
  const [, done = '{}'] = /^event: done\ndata: (.*)$/mu.exec(body) ?? [];
  const { explain } = JSON.parse(done) as { explain?: { stages: { name: string; ms: number }[] } };
  const times = stages.get(situation) ?? new Map<string, number[]>();
  stages.set(situation, times);
  for (const { name, ms } of explain?.stages ?? []) {
    times.set(name, [...(times.get(name) ?? []), ms]);
  }
}

/** A row for each situation, with the median of each stage. */
function stageRows(stages: Stages) {
  return Array.from(stages, ([situation, times]) => ({
    situation,
    ...Object.fromEntries(Array.from(times, ([name, values]) => [name, percentile(values, 0.5)])),
  }));
}

/** Adds accounts with a small library each. Returns their IDs. */
async function addOtherUsers({ engram, text }: Bench, count: number): Promise<string[]> {
  const others = Array.from({ length: count }, () => randomUUID());
  await engram.deps.database.pool.query(
    `INSERT INTO users (id, email, created_at)
     SELECT id, id || '@example.org', now() FROM unnest($1::uuid[]) AS given (id)`,
    [others],
  );
  for (const other of others) {
    await fillLibrary(engram, other, text, CHUNKS_OF_OTHERS);
  }
  return others;
}

async function uploadNote({ user, text }: Bench, number: number): Promise<void> {
  const content = new Blob([text.file(2)]);
  await user.client.upload(uploadArtifacts, [{ name: `note ${number}.txt`, content }], {});
}

/** Measures questions while one file per second is uploaded and read. */
async function measureArriving(bench: Bench, chunks: number, seconds: number) {
  let number = 0;
  const uploads: Promise<void>[] = [];
  const timer = setInterval(() => uploads.push(uploadNote(bench, (number += 1))), 1000);
  try {
    const until = performance.now() + seconds * 1000;
    const pause = async () => {
      // About one question every 100 ms until the time is over.
      const remaining = until - performance.now();
      await wait(Math.max(0, Math.min(50, remaining)));
    };
    const situation = 'a file a second arriving';
    const questions = Math.floor(seconds * 10);
    return await measure(bench, { chunks, situation, questions, before: pause });
  } finally {
    clearInterval(timer);
    await Promise.all(uploads);
  }
}

async function measureSize(bench: Bench, chunks: number, options: SearchOptions) {
  const { questions } = options;
  const filters = [
    { name: 'just written', keywords: [] },
    { name: 'keyword of 1%', keywords: [keywordsOf.hundredth] },
    { name: 'keyword of 50%', keywords: [keywordsOf.half] },
  ];
  const rows: SearchHttpRow[] = [];
  for (const { name, keywords } of filters) {
    rows.push(await measure(bench, { chunks, situation: name, questions, keywords }));
  }
  return rows;
}

/** Measures `POST /search` over HTTP with growing libraries and other work on the server. */
export async function run(options: SearchOptions): Promise<Table[]> {
  await using engram = await buildTestApp({
    env: { ENGRAM_LOG_LEVEL: 'warn' },
    checkResponses: false,
  });
  const user = await engram.signIn('bench@example.org');
  await using asker = startAsker({ url: user.baseUrl, token: user.token });
  const stages: Stages = new Map();
  const bench: Bench = { engram, user, text: createLibraryText(7), asker, stages };
  const rows: SearchHttpRow[] = [];
  let chunks = 0;
  for (const size of options.sizes) {
    const missing = size - chunks;
    await fillLibrary(engram, user.userId, bench.text, missing);
    chunks = size;
    rows.push(...(await measureSize(bench, size, options)));
  }
  rows.push(await measureArriving(bench, chunks, options.arrivingSeconds));
  if (options.others > 0) rows.push(await measureOthers(bench, chunks, options));
  return [
    { title: 'POST /v1/search over HTTP, milliseconds', rows },
    {
      title: 'Stages of a question on the server, medians in milliseconds',
      rows: stageRows(stages),
    },
  ];
}

/** Other users ask before each question, so their libraries compete for the caches. */
async function measureOthers(bench: Bench, chunks: number, options: SearchOptions) {
  const others = await addOtherUsers(bench, options.others);
  const { search } = bench.engram.deps.services;
  const before = async (number: number) => {
    for (let index = 0; index < 5; index += 1) {
      const userId = others[(number * 5 + index) % others.length] ?? '';
      const ids = { sessionId: null, apiKeyId: null, connectionId: null };
      const asker = { ...ids, userId, email: `${userId}@example.org`, ip: '127.0.0.1' };
      const request = { text: bench.text.question(), keywords: [], explain: false };
      await search.ask(asker, request, new AbortController().signal);
    }
  };
  const situation = `${options.others} other libraries asked in turn`;
  return measure(bench, { chunks, situation, questions: options.questions, before });
}

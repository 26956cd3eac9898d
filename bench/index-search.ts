import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type {
  ArtifactLimits,
  SearchIndex,
  VectorModel,
} from '../apps/server/src/platform/index/search-index.ts';
import { createCorpus, fill, mulberry32, percentile, round } from './index-corpus.ts';
import { openIndexes } from './indexes.ts';

const LIMIT = 50;
const QUESTIONS = 60;
const WARM_UP = 10;
const WRITE_EVERY_MS = 100;
const WRITING_MS = 10_000;

const model: VectorModel = { key: 'bench', dimensions: 384, setting: 'local:bench' };

/** One question to the index, milliseconds. */
export interface IndexRow {
  chunks: number;
  situation: string;
  medianMs: number;
  p95Ms: number;
}

async function measure(
  chunks: number,
  situation: string,
  ask: () => Promise<unknown>,
): Promise<IndexRow> {
  const times: number[] = [];
  for (let number = 0; number < QUESTIONS; number += 1) {
    const begin = performance.now();
    await ask();
    // The first ones warm the caches.
    if (number >= WARM_UP) times.push(performance.now() - begin);
  }
  return { chunks, situation, medianMs: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

function limits(ids: string[]): { name: string; limit: ArtifactLimits }[] {
  const each = (step: number) => new Set(ids.filter((_, number) => number % step === 0));
  const butEach = (step: number) => new Set(ids.filter((_, number) => number % step !== 0));
  return [
    { name: 'only 1%', limit: { only: each(100) } },
    { name: 'only 50%', limit: { only: each(2) } },
    { name: 'exclude 1%', limit: { exclude: each(100) } },
    { name: 'exclude 99%', limit: { exclude: butEach(100) } },
  ];
}

async function addVectors(index: SearchIndex, userId: string, next: () => Float32Array) {
  const request = { limit: 2000, exclude: new Set<string>() };
  for (;;) {
    const { rows } = await index.unembedded(userId, model, request);
    if (rows.length === 0) return;
    const vectors = rows.map(({ key }) => ({ key, vector: next() }));
    await index.addVectors(userId, model, vectors);
  }
}

/** Asks while something is done, and looks how long the event loop stands still. */
async function measureDuring(
  chunks: number,
  situation: string,
  ask: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<IndexRow & { longestLoopGapMs: number }> {
  const state = { ended: false };
  const times: number[] = [];
  let longest = 0;
  let last = performance.now();
  const heartbeat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const asking = (async () => {
    while (!state.ended) {
      const begin = performance.now();
      await ask();
      times.push(performance.now() - begin);
      await wait(20);
    }
  })();
  await work();
  state.ended = true;
  await asking;
  clearInterval(heartbeat);
  const [medianMs, p95Ms] = [percentile(times, 0.5), percentile(times, 0.95)];
  return { chunks, situation, medianMs, p95Ms, longestLoopGapMs: round(longest) };
}

async function measureSize(index: SearchIndex, chunks: number): Promise<IndexRow[]> {
  const corpus = createCorpus(chunks);
  const userId = randomUUID();
  const ids = await fill(index, userId, corpus, chunks);
  const ask = (limit: ArtifactLimits = {}) =>
    index.search(userId, { terms: corpus.question(), limit: LIMIT, ...limit });
  const rows = [await measure(chunks, 'just written', ask)];
  await index.purge(userId);
  rows.push(await measure(chunks, 'later', ask));
  for (const { name, limit } of limits(ids)) {
    rows.push(await measure(chunks, name, () => ask(limit)));
  }
  const random = mulberry32(7);
  const direction = () => Float32Array.from({ length: model.dimensions }, () => random() - 0.5);
  await addVectors(index, userId, direction);
  const near = (limit: ArtifactLimits = {}) =>
    index.nearest(userId, model, { vector: direction(), limit: LIMIT, ...limit });
  rows.push(await measure(chunks, 'by meaning', near));
  for (const { name, limit } of limits(ids)) {
    rows.push(await measure(chunks, `by meaning, ${name}`, () => near(limit)));
  }
  const write = async () => {
    const until = performance.now() + WRITING_MS;
    while (performance.now() < until) {
      await index.replace(userId, [corpus.artifact()]);
      await wait(WRITE_EVERY_MS);
    }
  };
  rows.push(await measureDuring(chunks, 'a write each 100 ms', ask, write));
  await index.remove(userId, ids.slice(0, chunks / 10));
  const purge = () => index.purge(userId);
  rows.push(await measureDuring(chunks, 'a tenth being purged', ask, purge));
  await index.removeUser(userId);
  return rows;
}

/** The search index alone at rising sizes, the best 50 of each question: a table for each driver. */
export async function run(
  sizes = [1000, 10_000, 100_000],
): Promise<{ title: string; rows: IndexRow[] }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  try {
    const tables = [];
    for (const { driver, index } of await openIndexes(folder)) {
      const rows: IndexRow[] = [];
      for (const chunks of sizes) rows.push(...(await measureSize(index, chunks)));
      await index.close();
      tables.push({ title: `Search in the index on ${driver}, the best 50`, rows });
    }
    return tables;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const sizes = process.argv.slice(2).map(Number);
  for (const { title, rows } of await run(sizes.length > 0 ? sizes : undefined)) {
    console.log(title);
    console.table(rows);
  }
  process.exit();
}

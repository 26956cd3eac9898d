import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, MatchQuery, type Table } from '@lancedb/lancedb';
import {
  openSearchIndex,
  type SearchIndex,
  type SearchRequest,
} from '../apps/server/src/platform/index/search-index.ts';
import { createCorpus, fill, percentile } from './index-corpus.ts';

const limit = 50;
const questions = 60;

export interface SearchRow {
  chunks: number;
  unmerged: number;
  filter: string;
  rawMedianMs: number;
  rawP95Ms: number;
  searchMedianMs: number;
  searchP95Ms: number;
}

/** `search()` beside the engine's own query for the top 50 with all columns of the same table. */
export async function run(
  sizes = [10_000, 100_000],
): Promise<{ title: string; rows: SearchRow[] }> {
  const rows: SearchRow[] = [];
  for (const chunks of sizes) rows.push(...(await measureSize(chunks)));
  return { title: 'Search in the index: the raw LanceDB query and search(), top 50', rows };
}

async function measureSize(chunks: number): Promise<SearchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'engram-bench-'));
  const index = await openSearchIndex({ folder, log: { warn: console.warn } });
  try {
    const corpus = createCorpus(chunks);
    const userId = randomUUID();
    const ids = await fill(index, userId, corpus, chunks);
    const connection = await connect(join(folder, userId, 'v1'));
    const rows: SearchRow[] = [];
    for (const unmerged of [0, 500]) {
      if (unmerged > 0) {
        await index.replace(userId, Array.from({ length: unmerged }, corpus.artifact));
      }
      const raw = await connection.openTable('main');
      for (const { filter, request } of filters(ids)) {
        const asked = Array.from({ length: questions }, corpus.question);
        rows.push({
          chunks,
          unmerged,
          filter,
          ...(await measure(index, raw, userId, asked, request)),
        });
      }
    }
    connection.close();
    return rows;
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Limits = Pick<SearchRequest, 'only' | 'exclude'>;

function filters(ids: string[]): { filter: string; request: Limits }[] {
  const each = (step: number) => new Set(ids.filter((_, number) => number % step === 0));
  const butEach = (step: number) => new Set(ids.filter((_, number) => number % step !== 0));
  return [
    { filter: 'none', request: {} },
    { filter: 'only 1%', request: { only: each(100) } },
    { filter: 'only 50%', request: { only: each(2) } },
    { filter: 'exclude 50%', request: { exclude: each(2) } },
    { filter: 'exclude 99%', request: { exclude: butEach(100) } },
  ];
}

async function measure(
  index: SearchIndex,
  table: Table,
  userId: string,
  asked: string[][],
  request: Limits,
): Promise<Omit<SearchRow, 'chunks' | 'unmerged' | 'filter'>> {
  const raw: number[] = [];
  const search: number[] = [];
  for (const [number, terms] of asked.entries()) {
    const begin = performance.now();
    await table
      .query()
      .fullTextSearch(new MatchQuery(terms.join(' '), 'terms'))
      .limit(limit)
      .toArray();
    const middle = performance.now();
    await index.search(userId, { terms, limit, ...request });
    const end = performance.now();
    // The first questions warm the caches of both.
    if (number < 10) continue;
    raw.push(middle - begin);
    search.push(end - middle);
  }
  return {
    rawMedianMs: percentile(raw, 0.5),
    rawP95Ms: percentile(raw, 0.95),
    searchMedianMs: percentile(search, 0.5),
    searchP95Ms: percentile(search, 0.95),
  };
}

if (import.meta.main) {
  const sizes = process.argv.slice(2).map(Number);
  const { title, rows } = await run(sizes.length > 0 ? sizes : undefined);
  console.log(title);
  console.table(rows);
}

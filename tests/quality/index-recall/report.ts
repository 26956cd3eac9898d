import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  IndexRow,
  SearchIndex,
} from '../../../apps/server/src/platform/index/search-index.ts';
import { openIndexes } from './indexes.ts';
import { analyzeQuestion, chunk, indexTerms } from '../../../packages/retrieval/src/index.ts';
import { buildBm25 } from '../retrieval/bm25.ts';
import { type Dataset, hasDataset, loadDataset } from '../retrieval/datasets.ts';
import { plainDocument } from '../retrieval/library.ts';

const SETS = ['squad', 'cranfield', 'chunking_eval', 'financebench', 'essays_needle'];
const K = 50;

interface RecallRow {
  set: string;
  chunks: number;
  /** The average share of a question's relevant documents among the best 50 chunks. */
  index: number;
  /** The same for a BM25 that scores every chunk. */
  exact: number;
  /** The share of the exact BM25's chunks that the index finds. */
  shared: number;
}

interface Row extends IndexRow {
  document: string;
}

function rowsOf({ documents }: Dataset): Row[] {
  return documents.flatMap((document) => {
    const artifactId = randomUUID();
    const context = { fileName: `${document.title}.txt`, keywords: [], language: 'en' };
    return chunk(plainDocument(document.text)).map((piece) => ({
      ...piece,
      artifactId,
      document: document.id,
      terms: indexTerms(piece, context),
    }));
  });
}

const placeOf = ({ artifactId, ordinal }: Pick<IndexRow, 'artifactId' | 'ordinal'>): string =>
  `${artifactId}:${ordinal}`;

const mean = (values: readonly number[]): number =>
  Math.round((1000 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 1000;

async function measure(name: string, index: SearchIndex): Promise<RecallRow> {
  const dataset = loadDataset(name);
  const rows = rowsOf(dataset);
  const documentOf = new Map(rows.map((row) => [row.artifactId, row.document]));
  const userId = randomUUID();
  await index.replace(
    userId,
    Array.from(
      Map.groupBy(rows, (row) => row.artifactId),
      ([artifactId, own]) => ({ artifactId, rows: own }),
    ),
  );
  const bm25 = buildBm25(rows.map(({ terms }) => terms));
  const figures = { index: [] as number[], exact: [] as number[], shared: [] as number[] };
  for (const { id, text } of dataset.queries) {
    const grades = [...(dataset.grades.get(id) ?? [])].filter(([, grade]) => grade > 0);
    if (grades.length === 0) continue;
    const { query } = analyzeQuestion(text, ['en']);
    const { passages: found } = await index.search(userId, { terms: query.split(' '), limit: K });
    const best = bm25.search(query, K).flatMap(({ position }) => rows[position] ?? []);
    const recall = (artifactIds: readonly string[]): number => {
      const documents = new Set(artifactIds.map((artifactId) => documentOf.get(artifactId)));
      return grades.filter(([document]) => documents.has(document)).length / grades.length;
    };
    figures.index.push(recall(found.map(({ row }) => row.artifactId)));
    figures.exact.push(recall(best.map(({ artifactId }) => artifactId)));
    const places = new Set(found.map(({ row }) => placeOf(row)));
    if (best.length > 0)
      figures.shared.push(best.filter((row) => places.has(placeOf(row))).length / best.length);
  }
  await index.removeUser(userId);
  const { index: own, exact, shared } = figures;
  return {
    set: name,
    chunks: rows.length,
    index: mean(own),
    exact: mean(exact),
    shared: mean(shared),
  };
}

/** Prints how many results of an exact BM25 the search index finds. */
export async function reportOnIndexRecall(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-recall-'));
  try {
    for (const { driver, index } of await openIndexes(folder)) {
      const rows: RecallRow[] = [];
      for (const name of SETS.filter(hasDataset)) rows.push(await measure(name, index));
      await index.close();
      console.log(`Recall at ${K} of ${driver}, and of a BM25 that scores every chunk`);
      console.table(rows);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

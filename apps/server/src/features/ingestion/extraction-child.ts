import { readFile } from 'node:fs/promises';
import type {
  Extraction,
  FileType,
  PageWords,
  Segment,
  SupplementRequest,
} from '@engram/extraction';
import type { RecordTable } from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { serveTasks, type TaskHandler } from '../../platform/processes/child-serve.ts';
import type { IndexData, RowContext } from './index-rows.ts';
import {
  type Supplement,
  supplementKey,
  combine,
  loadSupplements,
  requestKey,
} from './supplements.ts';

export interface ExtractRequest extends RowContext {
  filePath: string;
  type: FileType;
  /** Files with one supplement each, from earlier extractions. */
  supplementPaths: readonly string[];
  supplements: readonly Supplement[];
  /** The passwords to try on the file and the files in it. */
  passwords: readonly string[];
  /** Kinds of requests that will be fulfilled. If one of them is open, only the requests are returned. */
  awaited: readonly SupplementRequest['kind'][];
}

/** The progress, or a part of a long result. */
export interface ExtractionPart {
  percent?: number;
  text?: string;
  segments?: Segment[];
  rows?: IndexRow[];
  words?: PageWords[];
  /** A table, or further rows of the table with the same ordinal. */
  table?: RecordTable;
}

export type ExtractionSummary = Pick<
  Extraction,
  'title' | 'parts' | 'notes' | 'durationMs' | 'requests'
> &
  Pick<IndexData, 'language' | 'phrases' | 'facts'> & {
    /** Whether a password would open more of the file. */
    locked: boolean;
  };

const NICENESS = 5;
const TEXT_PART_LENGTH = 1_000_000;
const SEGMENTS_PER_PART = 2000;
const ROWS_PER_PART = 200;
const RECORDS_PER_PART = 2000;
const PROGRESS_EVERY_MS = 250;

await serveTasks<ExtractRequest, ExtractionPart, ExtractionSummary>({
  niceness: NICENESS,
  threads: false,
  async prepare(): Promise<TaskHandler<ExtractRequest, ExtractionPart, ExtractionSummary>> {
    const [{ extract }, { deriveIndexData }] = await Promise.all([
      import('@engram/extraction/extract'),
      import('./index-rows.ts'),
    ]);

    return async (task, send) => {
      const { filePath, fileName, type, awaited, passwords } = task;
      const file = await readFile(filePath);
      const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
      const supplements = [...(await loadSupplements(task.supplementPaths)), ...task.supplements];
      const onProgress = throttle((percent) => void send({ percent }));
      const extraction = await extract(
        { bytes, fileName, type, supplements: combine(supplements), passwords },
        { onProgress, ownBytes: true },
      );
      const { title, parts, notes, durationMs, locked } = extraction;
      const fulfilled = new Set(supplements.map(supplementKey));
      const requests = extraction.requests.filter((request) => !fulfilled.has(requestKey(request)));
      const summary = { title, parts, notes, durationMs, locked, requests };
      if (requests.some(({ kind }) => awaited.includes(kind))) {
        return { ...summary, language: null, phrases: [], facts: null };
      }
      const indexData = deriveIndexData(extraction, task);
      await sendParts(extraction, indexData, send);
      const { language, phrases, facts } = indexData;
      return { ...summary, language, phrases, facts };
    };
  },
});

function* slicesOf<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let i = 0; i < items.length; i += length) yield items.slice(i, i + length);
}

async function sendParts(
  { text, segments, words }: Extraction,
  { rows, tables }: IndexData,
  send: (part: ExtractionPart) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < text.length; start += TEXT_PART_LENGTH) {
    await send({ text: text.slice(start, start + TEXT_PART_LENGTH) });
  }
  for (const slice of slicesOf(segments, SEGMENTS_PER_PART)) await send({ segments: slice });
  for (const slice of slicesOf(rows, ROWS_PER_PART)) await send({ rows: slice });
  for (const page of words) await send({ words: [page] });
  for (const table of tables) {
    for (const slice of slicesOf(table.rows, RECORDS_PER_PART)) {
      await send({ table: { ...table, rows: slice } });
    }
  }
}

function throttle(report: (percent: number) => void): (percent: number) => void {
  let last = -Infinity;
  return (percent) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    report(percent);
  };
}

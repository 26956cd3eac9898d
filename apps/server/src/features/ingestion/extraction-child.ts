import { readFile } from 'node:fs/promises';
import type { Extraction, FileType, PageWords, Segment, Want } from '@engram/extraction';
import type { RecordTable } from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { serveTasks, type TaskHandler } from '../../platform/processes/child-serve.ts';
import type { Prepared, RowContext } from './index-rows.ts';
import { type Answer, answerKey, combine, loadAnswers, wantKey } from './answers.ts';

export interface ExtractRequest extends RowContext {
  filePath: string;
  type: FileType;
  /** Files with answers to wants of earlier readings, one in each. */
  answerPaths: readonly string[];
  answers: readonly Answer[];
  /** The passwords to try on the file and the files in it. */
  passwords: readonly string[];
  /** The kinds of wants that will be answered. If one of these is open, only the wants are returned. */
  awaited: readonly Want['kind'][];
}

/** The progress, or a part of a long result. */
export interface ReadingPart {
  percent?: number;
  text?: string;
  segments?: Segment[];
  rows?: IndexRow[];
  words?: PageWords[];
  /** A table, or further rows of the table with the same ordinal. */
  table?: RecordTable;
}

export type ReadingRest = Pick<Extraction, 'title' | 'parts' | 'notes' | 'durationMs' | 'wants'> &
  Pick<Prepared, 'language' | 'phrases' | 'facts'> & {
    /** Whether a password would open more of the file. */
    locked: boolean;
  };

const NICENESS = 5;
const TEXT_PART_LENGTH = 1_000_000;
const SEGMENTS_PER_PART = 2000;
const ROWS_PER_PART = 200;
const RECORDS_PER_PART = 2000;
const PROGRESS_EVERY_MS = 250;

await serveTasks<ExtractRequest, ReadingPart, ReadingRest>({
  niceness: NICENESS,
  threads: false,
  async prepare(): Promise<TaskHandler<ExtractRequest, ReadingPart, ReadingRest>> {
    const { extract, preload } = await import('@engram/extraction');
    const { prepare } = await import('./index-rows.ts');
    await preload();

    return async (request, send) => {
      const { filePath, fileName, type, awaited, passwords } = request;
      const file = await readFile(filePath);
      const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
      const answers = [...(await loadAnswers(request.answerPaths)), ...request.answers];
      const onProgress = throttle((percent) => void send({ percent }));
      const extraction = await extract(
        { bytes, fileName, type, supplements: combine(answers), passwords },
        { onProgress, ownBytes: true },
      );
      const { title, parts, notes, durationMs, locked } = extraction;
      const given = new Set(answers.map(answerKey));
      const wants = extraction.wants.filter((want) => !given.has(wantKey(want)));
      const rest = { title, parts, notes, durationMs, locked, wants };
      if (wants.some(({ kind }) => awaited.includes(kind))) {
        return { ...rest, language: null, phrases: [], facts: null };
      }
      const prepared = prepare(extraction, request);
      await sendParts(extraction, prepared, send);
      const { language, phrases, facts } = prepared;
      return { ...rest, language, phrases, facts };
    };
  },
});

function* slicesOf<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}

async function sendParts(
  { text, segments, words }: Extraction,
  { rows, tables }: Prepared,
  send: (part: ReadingPart) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < text.length; at += TEXT_PART_LENGTH) {
    await send({ text: text.slice(at, at + TEXT_PART_LENGTH) });
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

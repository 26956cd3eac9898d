import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { isMainThread, Worker } from 'node:worker_threads';
import type { Extraction, ExtractionErrorCode, FileType, Segment } from '@engram/extraction';
import type { IndexRow } from '../../platform/index/search-index.ts';
import type { DocumentContext, Prepared } from './prepare.ts';

/** What the pool asks of its child: one file at a time. */
export interface ExtractRequest extends DocumentContext {
  id: number;
  filePath: string;
  type: FileType;
}

/** What a child answers. Long results come in parts, so that no message stops the server. */
export type ChildMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; id: number; percent: number }
  | { kind: 'text'; id: number; part: string }
  | { kind: 'segments'; id: number; part: Segment[] }
  | { kind: 'rows'; id: number; part: IndexRow[] }
  | { kind: 'done'; id: number; rest: ReadingRest }
  | { kind: 'refused'; id: number; code: ExtractionErrorCode; message: string }
  | { kind: 'unreadable'; id: number; message: string };

/** A little behind the server, from -20 (first) to 19 (last). */
const NICENESS = 5;
/** What is small enough to come at the end of a reading. */
export interface ReadingRest extends Pick<Extraction, 'title' | 'parts' | 'notes'> {
  /** ISO 639-1; null when there is no text. */
  language: string | null;
}

const TEXT_PART_LENGTH = 1_000_000;
const SEGMENTS_PER_PART = 2000;
const ROWS_PER_PART = 200;
const PROGRESS_EVERY_MS = 250;
const PARENT_CHECK_EVERY_MS = 1000;

if (isMainThread) await serve();
else watchParent();

async function serve(): Promise<void> {
  // Answering people comes before reading files.
  setPriority(NICENESS);
  // A stop of the whole group reaches the children too: the parent decides when they end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // An orderly exit would wait for file reads that may never end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // While a file keeps this thread busy no event reaches it: another thread watches the parent.
  new Worker(new URL(import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
  const { extract, ExtractionError, preload } = await import('@engram/extraction');
  const { prepare } = await import('./prepare.ts');
  await preload();

  process.on('message', (request: ExtractRequest) => void answer(request));
  await send({ kind: 'ready' });

  async function answer(request: ExtractRequest): Promise<void> {
    const { id, filePath, fileName, type } = request;
    try {
      const file = await readFile(filePath);
      const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
      const onProgress = throttle((percent) => void send({ kind: 'progress', id, percent }));
      const extraction = await extract({ bytes, fileName, type }, { onProgress, ownBytes: true });
      await sendResult(id, extraction, prepare(extraction, request));
    } catch (error) {
      if (error instanceof ExtractionError) {
        await send({ kind: 'refused', id, code: error.code, message: error.message });
      } else {
        const message = error instanceof Error ? error.message : String(error);
        await send({ kind: 'unreadable', id, message });
      }
    }
  }
}

async function sendResult(
  id: number,
  extraction: Extraction,
  { language, rows }: Prepared,
): Promise<void> {
  const { text, segments, title, parts, notes } = extraction;
  for (let at = 0; at < text.length; at += TEXT_PART_LENGTH) {
    await send({ kind: 'text', id, part: text.slice(at, at + TEXT_PART_LENGTH) });
  }
  for (let at = 0; at < segments.length; at += SEGMENTS_PER_PART) {
    await send({ kind: 'segments', id, part: segments.slice(at, at + SEGMENTS_PER_PART) });
  }
  for (let at = 0; at < rows.length; at += ROWS_PER_PART) {
    await send({ kind: 'rows', id, part: rows.slice(at, at + ROWS_PER_PART) });
  }
  await send({ kind: 'done', id, rest: { title, parts, notes, language } });
}

function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    // A parent that is gone ends this process by 'disconnect'; there is nobody to tell.
    if (process.connected) process.send?.(message, undefined, {}, () => resolve());
    else resolve();
  });
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

/** Ends the process when its parent has gone, even where the main thread never pauses. */
function watchParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, PARENT_CHECK_EVERY_MS);
}

import { statSync } from 'node:fs';
import { ExtractionError } from '@engram/extraction/light';
import type { Extraction, ExtractionErrorCode, FileType, Want } from '@engram/extraction';
import type { RecordTable } from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';
import {
  ChildCrash,
  type ChildCrashCode,
  type ChildPoolOptions,
  ChildTaskError,
  createChildPool,
} from '../../platform/processes/child-pool.ts';
import type { ExtractRequest, ReadingPart, ReadingRest } from './extraction-child.ts';
import type { RowContext } from './index-rows.ts';
import { READING_LANES, type ReadingLane } from './reading-queue.ts';
import type { Answer } from './answers.ts';

/** A file that crashed its process. The message is for the owner of the file. */
export class ExtractionCrash extends Error {
  readonly code: ChildCrashCode;

  constructor(code: ChildCrashCode) {
    super(CRASH_SENTENCES[code]);
    this.name = 'ExtractionCrash';
    this.code = code;
  }
}

const CRASH_SENTENCES = {
  timeout: 'Reading this file took too long and was stopped.',
  memory: 'Reading this file took too much memory and was stopped.',
  crash: 'Reading this file failed unexpectedly.',
};

/** Processes of each lane; the slow one has a single process. */
export interface ExtractionPoolOptions extends Pick<
  ChildPoolOptions,
  'size' | 'memoryMb' | 'idleMs' | 'onIdle' | 'scratch' | 'log'
> {
  /**
   * Wall time in the slow lane for a file of up to 10 MB, in milliseconds; as much again for each
   * further 10 MB, up to {@link MAX_TIMEOUTS} times.
   */
  timeoutMs: number;
  /** Wall time in the other lanes, in milliseconds, instead of that of {@link READING_LANES}. */
  moveAfterMs?: number;
  /** Files after which a process is replaced. */
  recycleAfter: number;
}

export interface ExtractionJob extends RowContext {
  /** Users are served round robin. */
  userId: string;
  filePath: string;
  type: FileType;
  /** Files with answers to wants of earlier readings, one in each. */
  answerPaths?: readonly string[];
  /** Further answers. */
  answers?: readonly Answer[];
  /** The kinds of wants that will be answered. A file with open ones is not read completely. */
  awaited?: readonly Want['kind'][];
}

/** The result of a reading. If `wants` contains awaited kinds, the text and the rows are missing. */
export type ReadDocument = Pick<Extraction, 'text' | 'segments' | 'words'> &
  ReadingRest & { rows: IndexRow[]; tables: RecordTable[] };

export interface ExtractionPool {
  /** Starts a process for short files, because one is about to arrive. */
  warmUp(): void;
  /**
   * Reads a file in a process of a lane, by default the short one.
   * @throws {ExtractionError} the file cannot be read
   * @throws {ExtractionCrash} the file crashed its process, or took too long for its lane
   * @throws the signal's reason after an abort
   */
  extract(
    job: ExtractionJob,
    options?: {
      lane?: ReadingLane;
      onProgress?: (percent: number) => void;
      signal?: AbortSignal;
    },
  ): Promise<ReadDocument>;
  pids(): number[];
  /** Ends all processes. Running readings are rejected. */
  close(): Promise<void>;
}

const BYTES_PER_TIMEOUT = 10_000_000;
const MAX_TIMEOUTS = 8;

/** Child processes that read files one at a time, with limits of time and memory. */
export function createExtractionPool(options: ExtractionPoolOptions): ExtractionPool {
  const { timeoutMs, moveAfterMs, size, onIdle, ...bounds } = options;
  const poolOf = (lane: ReadingLane) =>
    createChildPool<ExtractRequest, ReadingPart, ReadingRest>({
      ...bounds,
      size: lane === 'slow' ? 1 : size,
      onIdle: () => {
        if (pids().length === 0) onIdle?.();
      },
      name: `${lane} extraction`,
      script: new URL('./extraction-child.ts', import.meta.url),
    });
  const pools = { short: poolOf('short'), normal: poolOf('normal'), slow: poolOf('slow') };
  const pids = (): number[] => Object.values(pools).flatMap((pool) => pool.pids());
  const limitOf = (lane: ReadingLane, bytes: number): number => {
    const times = Math.max(1, Math.ceil(bytes / BYTES_PER_TIMEOUT));
    const bound = READING_LANES[lane].moveAfterMs;
    return bound === null ? timeoutMs * Math.min(times, MAX_TIMEOUTS) : (moveAfterMs ?? bound);
  };

  return {
    warmUp: pools.short.warmUp,
    pids,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
    async extract({ userId, ...job }, { lane = 'short', onProgress, signal } = {}) {
      signal?.throwIfAborted();
      // Synchronous, so that files are read in the order of the calls.
      const { size: bytes } = statSync(job.filePath);
      const texts: string[] = [];
      const document: Pick<ReadDocument, 'segments' | 'rows' | 'words' | 'tables'> = {
        segments: [],
        rows: [],
        words: [],
        tables: [],
      };
      const rest = await pools[lane]
        .run(
          (show) => ({
            answers: [],
            awaited: [],
            ...job,
            filePath: show(job.filePath),
            answerPaths: (job.answerPaths ?? []).map(show),
          }),
          {
            group: userId,
            timeoutMs: limitOf(lane, bytes),
            about: { artifactId: job.artifactId, type: job.type },
            signal,
            quick: lane === 'short',
            onPart(part) {
              if (part.kind === 'progress') onProgress?.(part.percent);
              else if (part.kind === 'text') texts.push(part.part);
              else if (part.kind === 'segments') document.segments.push(...part.part);
              else if (part.kind === 'rows') document.rows.push(...part.part);
              else if (part.kind === 'words') document.words.push(part.part);
              else addRecords(document.tables, part.part);
            },
          },
        )
        .catch(explain);
      return { text: texts.join(''), ...document, ...rest };
    },
  };
}

/** Adds a table, or further rows of the one that came before. */
function addRecords(tables: RecordTable[], part: RecordTable): void {
  const last = tables.at(-1);
  if (last?.ordinal === part.ordinal) last.rows.push(...part.rows);
  else tables.push(part);
}

/** Translates errors of the process. */
function explain(error: unknown): never {
  if (error instanceof ChildCrash) throw new ExtractionCrash(error.code);
  if (!(error instanceof ChildTaskError)) throw error;
  const { name, code, message } = error.failure;
  if (name !== 'ExtractionError') {
    throw new Error(`The stored file could not be read: ${message}`, { cause: error });
  }
  throw new ExtractionError(code as ExtractionErrorCode, message);
}

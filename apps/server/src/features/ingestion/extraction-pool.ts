import { statSync } from 'node:fs';
import { ExtractionError } from '@engram/extraction/light';
import type { Extraction, ExtractionErrorCode } from '@engram/extraction';
import type { RecordTable } from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { type ChildPoolOptions, createChildPool } from '../../platform/processes/child-pool.ts';
import {
  ChildCrash,
  type ChildCrashCode,
  ChildTaskError,
} from '../../platform/processes/task-process.ts';
import type { ExtractRequest, ExtractionPart, ExtractionSummary } from './extraction-child.ts';
import { EXTRACTION_LANES, type ExtractionLane } from './extraction-queue.ts';

/** A file crashed its process. The message is for the owner of the file. */
export class ExtractionCrash extends Error {
  readonly code: ChildCrashCode;

  constructor(code: ChildCrashCode) {
    super(CRASH_MESSAGES[code]);
    this.name = 'ExtractionCrash';
    this.code = code;
  }
}

const CRASH_MESSAGES = {
  timeout: 'Reading this file took too long and was stopped.',
  memory: 'Reading this file took too much memory and was stopped.',
  crash: 'Reading this file failed unexpectedly.',
};

export interface ExtractionPoolOptions extends Pick<
  ChildPoolOptions,
  'size' | 'memoryMb' | 'idleMs' | 'onIdle' | 'scratch' | 'log' | 'clock'
> {
  /**
   * Wall time in the slow lane for each 10 MB of a file, in milliseconds, up to {@link MAX_TIMEOUTS}
   * times.
   */
  timeoutMs: number;
  /** Wall time in the other lanes, in milliseconds, instead of that of {@link EXTRACTION_LANES}. */
  moveAfterMs?: number;
  /** Files after which a process is replaced, times ten in the short lane. */
  recycleAfter: number;
}

/** A file to extract. Users are served round robin. */
type ExtractionInput = { userId: string } & Omit<
  ExtractRequest,
  'supplementPaths' | 'supplements' | 'awaited' | 'passwords'
> &
  Partial<Pick<ExtractRequest, 'supplementPaths' | 'supplements' | 'awaited' | 'passwords'>>;

/** The result of an extraction. If `requests` contains awaited kinds, the text and the rows are missing. */
export type ExtractedDocument = Pick<Extraction, 'text' | 'segments' | 'words'> &
  ExtractionSummary & { rows: IndexRow[]; tables: RecordTable[] };

const BYTES_PER_TIMEOUT = 10_000_000;
const MAX_TIMEOUTS = 8;

/** Child processes that extract one file at a time, with limits on time and memory. */
export function createExtractionPool(options: ExtractionPoolOptions) {
  const { timeoutMs, moveAfterMs, size, onIdle, recycleAfter, ...poolOptions } = options;
  const poolOf = (lane: ExtractionLane) =>
    createChildPool<ExtractRequest, ExtractionPart, ExtractionSummary>({
      ...poolOptions,
      size: lane === 'slow' ? 1 : size,
      recycleAfter: lane === 'short' ? recycleAfter * 10 : recycleAfter,
      onIdle: () => {
        if (pids().length === 0) onIdle?.();
      },
      name: `${lane} extraction`,
      script: new URL('./extraction-child.ts', import.meta.url),
    });
  const pools = { short: poolOf('short'), normal: poolOf('normal'), slow: poolOf('slow') };
  const pids = (): number[] => Object.values(pools).flatMap((pool) => pool.pids());
  const limitOf = (lane: ExtractionLane, bytes: number): number => {
    const times = Math.max(1, Math.ceil(bytes / BYTES_PER_TIMEOUT));
    const laneLimit = EXTRACTION_LANES[lane].moveAfterMs;
    return laneLimit === null
      ? timeoutMs * Math.min(times, MAX_TIMEOUTS)
      : (moveAfterMs ?? laneLimit);
  };

  return {
    /** Starts a process for short files before one arrives. */
    warmUp: pools.short.warmUp,

    pids,

    async close(): Promise<void> {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },

    /**
     * Extracts a file in a process of a lane.
     * @throws {ExtractionError} the file cannot be read
     * @throws {ExtractionCrash} the file crashed its process, or took too long for its lane
     * @throws the signal's reason after an abort
     */
    async extract(
      { userId, ...job }: ExtractionInput,
      {
        lane = 'short',
        onProgress,
        signal,
      }: {
        lane?: ExtractionLane;
        onProgress?: (percent: number) => void;
        signal?: AbortSignal;
      } = {},
    ): Promise<ExtractedDocument> {
      signal?.throwIfAborted();
      // Synchronous, so that files are extracted in the order of the calls.
      const { size: bytes } = statSync(job.filePath);
      const texts: string[] = [];
      const document: Pick<ExtractedDocument, 'segments' | 'rows' | 'words' | 'tables'> = {
        segments: [],
        rows: [],
        words: [],
        tables: [],
      };
      const summary = await pools[lane]
        .run(
          (show) => ({
            supplements: [],
            awaited: [],
            passwords: [],
            ...job,
            filePath: show(job.filePath),
            supplementPaths: (job.supplementPaths ?? []).map(show),
          }),
          {
            group: userId,
            timeoutMs: limitOf(lane, bytes),
            logFields: { artifactId: job.artifactId, type: job.type },
            signal,
            onPart({ percent, text = '', segments = [], rows = [], words = [], table }) {
              if (percent !== undefined) onProgress?.(percent);
              texts.push(text);
              document.segments.push(...segments);
              document.rows.push(...rows);
              document.words.push(...words);
              if (table) addRecords(document.tables, table);
            },
          },
        )
        .catch(rethrow);
      return { text: texts.join(''), ...document, ...summary };
    },
  };
}

export type ExtractionPool = ReturnType<typeof createExtractionPool>;

/** Adds a table, or further rows of the last one. */
function addRecords(tables: RecordTable[], part: RecordTable): void {
  const last = tables.at(-1);
  if (last?.ordinal === part.ordinal) last.rows.push(...part.rows);
  else tables.push(part);
}

function rethrow(error: unknown): never {
  if (error instanceof ChildCrash) throw new ExtractionCrash(error.code);
  if (!(error instanceof ChildTaskError)) throw error;
  const { name, code, message } = error.failure;
  if (name !== 'ExtractionError') {
    throw new Error(`The stored file could not be read: ${message}`, { cause: error });
  }
  throw new ExtractionError(code as ExtractionErrorCode, message);
}

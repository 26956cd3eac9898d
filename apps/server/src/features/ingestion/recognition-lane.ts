import type { ExtractionErrorCode } from '@engram/extraction';
import { ExtractionError } from '@engram/extraction/light';
import { type ChildPoolOptions, createChildPool } from '../../platform/processes/child-pool.ts';
import { ChildTaskError } from '../../platform/processes/task-process.ts';
import type {
  Calls,
  RecognitionRequest,
  RecognitionResult,
  RecognitionSettings,
} from './recognition-child.ts';
import type { PieceLimits, SoundFile } from './sound-pieces.ts';

interface RecognitionLaneOptions extends Pick<
  ChildPoolOptions,
  'memoryMb' | 'idleMs' | 'scratch' | 'log'
> {
  settings: RecognitionSettings;
  size?: number;
}

export interface RecognitionTask {
  /** The user. Users are served round robin. */
  group: string;
  /** Logged if the task crashes its process. */
  logFields: Record<string, unknown>;
  signal: AbortSignal;
}

/** A recording, which may be a member of an archive. */
export interface Recording {
  file: SoundFile;
  path: string | undefined;
  limits: PieceLimits;
}

/** Wall times, in milliseconds, of processes that a busy machine runs last. */
const TIMEOUTS: Record<keyof Calls, number> = {
  page: 90_000,
  picture: 60_000,
  thumbnail: 60_000,
  thumbnailOfStill: 60_000,
  photo: 60_000,
  view: 60_000,
  opens: 60_000,
  webPage: 60_000,
  video: 60_000,
  videoPage: 60_000,
  sound: 300_000,
  speech: 600_000,
  speechOf: 600_000,
};

/** Tasks after which the process is replaced, because libraries leak memory. */
const RECYCLE_AFTER = 200;

export type RecognitionLane = ReturnType<typeof createRecognitionLane>;

/**
 * Runs slow tasks in a child process of low priority, which starts with the first task. A call rejects
 * with an {@link ExtractionError} if the task is not possible for the file, with a {@link ChildCrash} if
 * it crashed the process, and with the signal's reason after an abort.
 */
export function createRecognitionLane(options: RecognitionLaneOptions) {
  const { ocrData, speechFolder } = options.settings;
  const pool = createChildPool<RecognitionRequest, Uint8Array, RecognitionResult>({
    size: 1,
    ...options,
    name: 'recognition',
    script: new URL('./recognition-child.ts', import.meta.url),
    recycleAfter: RECYCLE_AFTER,
    reads: [ocrData, speechFolder].filter((folder) => folder !== null),
  });

  /** Runs a call in the process. */
  const run = async <Name extends keyof Calls>(
    call: Name,
    task: RecognitionTask,
    ...[file, ...args]: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> => {
    const parts: Uint8Array[] = [];
    const result = await pool
      .run(
        (show) => {
          const shown = file && { ...file, filePath: show(file.filePath) };
          return { call, args: [shown, ...args] as RecognitionRequest['args'] };
        },
        { ...task, timeoutMs: TIMEOUTS[call], onPart: (part) => parts.push(part) },
      )
      .catch(rethrow);
    const bytes = Buffer.concat(parts);
    let whole = result instanceof Uint8Array ? bytes : result;
    if (whole && 'bytes' in whole) whole = { ...whole, bytes };
    return whole as Awaited<ReturnType<Calls[Name]>>;
  };

  return {
    run,
    pids: pool.pids,
    close: pool.close,
  };
}

function rethrow(error: unknown): never {
  if (error instanceof ChildTaskError && error.failure.name === 'ExtractionError') {
    throw new ExtractionError(error.failure.code as ExtractionErrorCode, error.failure.message);
  }
  throw error;
}

import type {
  ExtractionErrorCode,
  PictureRef,
  ReadingViewOptions,
  SoundPiece,
} from '@engram/extraction';
import { ExtractionError } from '@engram/extraction/light';
import {
  type ChildPoolOptions,
  ChildTaskError,
  createChildPool,
} from '../../platform/processes/child-pool.ts';
import type { Calls, RecognitionRequest, RecognitionResult } from './recognition-child.ts';
import type {
  PieceLimits,
  RecognitionSettings,
  SoundFile,
  SourceFile,
} from './recognition-messages.ts';

export interface RecognitionLaneOptions extends Pick<
  ChildPoolOptions,
  'memoryMb' | 'idleMs' | 'scratch' | 'log'
> {
  settings: RecognitionSettings;
  /** Most processes; 1 unless set. */
  size?: number;
}

/** For whom a task is done. */
export interface RecognitionTask {
  /** Whose file it is: people take turns. */
  group: string;
  /** What stands in the log when the task ends its process. */
  about: Record<string, unknown>;
  signal: AbortSignal;
}

/** A recording, or a member of an archive that is one. */
export interface Recording {
  file: SoundFile;
  path: string | undefined;
  limits: PieceLimits;
}

export type { PieceLimits, SoundFile, SourceFile, SpeechPiece } from './recognition-messages.ts';

/** Wall times, in milliseconds. */
const TIMEOUTS: Record<keyof Calls, number> = {
  page: 90_000,
  picture: 60_000,
  thumbnail: 60_000,
  thumbnailOfStill: 60_000,
  photo: 20_000,
  view: 20_000,
  sound: 300_000,
  speech: 600_000,
  speechOf: 600_000,
};

/** Tasks after which the process is replaced, so that what libraries leak does not add up. */
const RECYCLE_AFTER = 200;

export type RecognitionLane = ReturnType<typeof createRecognitionLane>;

/**
 * What takes long, in one process behind everything else, which starts with the first task. All
 * calls reject with an {@link ExtractionError} when the file does not allow it, with a
 * {@link ChildCrash} when the task ended its process, and with the signal's reason after an abort.
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

  /** Has the child do a call, with its file where it finds it; puts the bytes together again. */
  const run = async <Name extends keyof Calls>(
    call: Name,
    task: RecognitionTask,
    ...[file, ...given]: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> => {
    const parts: Uint8Array[] = [];
    const result = await pool
      .run(
        (show) => {
          const shown = file && { ...file, filePath: show(file.filePath) };
          return { call, given: [shown, ...given] as RecognitionRequest['given'] };
        },
        { ...task, timeoutMs: TIMEOUTS[call], onPart: (part) => parts.push(part) },
      )
      .catch(explain);
    const bytes = Buffer.concat(parts);
    let whole = result instanceof Uint8Array ? bytes : result;
    if (whole && 'bytes' in whole) whole = { ...whole, bytes };
    return whole as Awaited<ReturnType<Calls[Name]>>;
  };

  return {
    /** The text in a picture. */
    page: (file: SourceFile, ref: PictureRef, task: RecognitionTask) =>
      run('page', task, file, ref),
    /** A picture as a JPEG of moderate size, for a model to look at. */
    picture: (file: SourceFile, { path }: { path?: string | undefined }, task: RecognitionTask) =>
      run('picture', task, file, path),
    /** A small picture of a file as WebP; null where it has none. */
    thumbnail: (file: SourceFile, task: RecognitionTask) => run('thumbnail', task, file),
    /** A small picture as WebP of a video's still. */
    thumbnailOfStill: (still: Uint8Array, task: RecognitionTask) =>
      run('thumbnailOfStill', task, null, still),
    /** A picture that somebody sent of themselves as a small square JPEG. */
    photo: (photo: Uint8Array, task: RecognitionTask) => run('photo', task, null, photo),
    /** A file, or a member of it, as sanitized HTML. */
    view: (file: SourceFile, options: ReadingViewOptions, task: RecognitionTask) =>
      run('view', task, file, options),
    /** A recording's sound, piece by piece from 0; null behind the last. */
    sound: ({ file, ...where }: Recording, index: number, task: RecognitionTask) =>
      run('sound', task, file, { ...where, index }),
    /** The speech in a recording's pieces, by the model on this machine; null behind the last. */
    speech: ({ file, ...where }: Recording, index: number, task: RecognitionTask) =>
      run('speech', task, file, { ...where, index }),
    /** The speech in a piece of sound, a WAV of 16 kHz. */
    speechOf: (piece: SoundPiece, task: RecognitionTask) => run('speechOf', task, null, piece),
    /** Process ids of the children, for the status and the tests. */
    pids: pool.pids,
    close: pool.close,
  };
}

/** What is wrong with the file is said in its own words. */
function explain(error: unknown): never {
  if (error instanceof ChildTaskError && error.failure.name === 'ExtractionError') {
    throw new ExtractionError(error.failure.code as ExtractionErrorCode, error.failure.message);
  }
  throw error;
}

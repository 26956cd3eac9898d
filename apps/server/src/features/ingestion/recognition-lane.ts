import type {
  ExtractionErrorCode,
  PictureRef,
  RecognizedPage,
  SoundPiece,
} from '@engram/extraction';
import { ExtractionError } from '@engram/extraction/light';
import {
  type ChildPoolOptions,
  ChildTaskError,
  createChildPool,
  type ShowFile,
} from './child-pool.ts';
import type {
  PieceLimits,
  RecognitionPart,
  RecognitionRequest,
  RecognitionResult,
  RecognitionSettings,
  SoundFile,
  SourceFile,
  SpeechPiece,
} from './recognition-messages.ts';

export interface RecognitionLaneOptions extends Pick<
  ChildPoolOptions,
  'memoryMb' | 'idleMs' | 'scratch' | 'log'
> {
  settings: RecognitionSettings;
}

/** For whom a task is done. */
export interface RecognitionTask {
  /** Whose file it is: people take turns. */
  group: string;
  /** What stands in the log when the task ends its process. */
  about: Record<string, unknown>;
  signal: AbortSignal;
}

/**
 * What takes long, in one process behind everything else. All calls reject with an
 * {@link ExtractionError} when the file does not allow it, with a {@link ChildCrash} when the task
 * ended its process, and with the signal's reason after an abort.
 */
export interface RecognitionLane {
  /** The text in a picture. */
  page(file: SourceFile, ref: PictureRef, task: RecognitionTask): Promise<RecognizedPage>;
  /** A picture as a JPEG of moderate size, for a model to look at. */
  picture(
    file: SourceFile,
    where: { path?: string | undefined },
    task: RecognitionTask,
  ): Promise<Uint8Array>;
  /** A small picture of a file as WebP; null where it has none. */
  thumbnail(file: SourceFile, task: RecognitionTask): Promise<Uint8Array | null>;
  /** A small picture as WebP of a video's still. */
  thumbnailOfStill(still: Uint8Array, task: RecognitionTask): Promise<Uint8Array | null>;
  /** A picture that somebody sent of themselves as a small square JPEG. */
  photo(photo: Uint8Array, task: RecognitionTask): Promise<Uint8Array | null>;
  /** A recording's sound, piece by piece from 0; null behind the last. */
  sound(recording: Recording, index: number, task: RecognitionTask): Promise<SoundPiece | null>;
  /** The speech in a recording's pieces, by the model on this machine; null behind the last. */
  speech(recording: Recording, index: number, task: RecognitionTask): Promise<SpeechPiece | null>;
  /** The speech in a piece of sound, a WAV of 16 kHz. */
  speechOf(piece: SoundPiece, task: RecognitionTask): Promise<SpeechPiece>;
  /** Process ids of the children, for the status and the tests. */
  pids(): number[];
  close(): Promise<void>;
}

/** A recording, or a member of an archive that is one. */
export interface Recording {
  file: SoundFile;
  path: string | undefined;
  limits: PieceLimits;
}

export type { PieceLimits, SoundFile, SourceFile, SpeechPiece } from './recognition-messages.ts';

/** Wall times, in milliseconds. */
const TIMEOUTS = {
  page: 90_000,
  picture: 60_000,
  thumbnail: 60_000,
  'thumbnail-of-still': 60_000,
  photo: 20_000,
  sound: 300_000,
  speech: 600_000,
  'speech-of-piece': 600_000,
};

/** Tasks after which the process is replaced, so that what libraries leak does not add up. */
const RECYCLE_AFTER = 200;

/** Prepares the lane; its process starts with the first task. */
export function createRecognitionLane(options: RecognitionLaneOptions): RecognitionLane {
  const { ocrData, speechFolder } = options.settings;
  const pool = createChildPool<RecognitionRequest, RecognitionPart, RecognitionResult>({
    ...options,
    name: 'recognition',
    script: new URL('./recognition-child.ts', import.meta.url),
    size: 1,
    recycleAfter: RECYCLE_AFTER,
    reads: [ocrData, speechFolder].filter((folder) => folder !== null),
  });

  /** Has one task done; answers its result of the kind it must have, with its bytes. */
  const run = async <Kind extends RecognitionResult['kind']>(
    request: RecognitionRequest,
    task: RecognitionTask,
    kind: Kind,
  ) => {
    const parts: Uint8Array[] = [];
    const result = await pool
      .run((show) => withFile(request, show), {
        ...task,
        timeoutMs: TIMEOUTS[request.kind],
        onPart: ({ bytes }) => parts.push(bytes),
      })
      .catch(explain);
    if (result.kind !== kind) throw new Error(`A ${request.kind} was answered as ${result.kind}.`);
    return {
      result: result as Extract<RecognitionResult, { kind: Kind }>,
      bytes: Buffer.concat(parts),
    };
  };

  const runForBytes = async (request: RecognitionRequest, task: RecognitionTask) => {
    const { result, bytes } = await run(request, task, 'bytes');
    return result.there ? bytes : null;
  };

  return {
    async page(file, ref, task) {
      const { page, path } = ref;
      const wanted = { page, ...(path === undefined ? {} : { path }) };
      return (await run({ kind: 'page', file, ref: wanted }, task, 'page')).result.page;
    },
    async picture(file, { path }, task) {
      const picture = await runForBytes({ kind: 'picture', file, path }, task);
      if (picture) return picture;
      throw new ExtractionError('damaged', 'This picture cannot be shown.');
    },
    thumbnail: (file, task) => runForBytes({ kind: 'thumbnail', file }, task),
    thumbnailOfStill: (still, task) => runForBytes({ kind: 'thumbnail-of-still', still }, task),
    photo: (photo, task) => runForBytes({ kind: 'photo', photo }, task),
    async sound(recording, index, task) {
      const { result, bytes } = await run({ kind: 'sound', ...recording, index }, task, 'sound');
      return result.piece && { ...result.piece, bytes };
    },
    speech: async (recording, index, task) =>
      (await run({ kind: 'speech', ...recording, index }, task, 'speech')).result.piece,
    async speechOf(piece, task) {
      const { result } = await run({ kind: 'speech-of-piece', piece }, task, 'speech');
      return result.piece ?? { startMs: piece.startMs, endMs: piece.endMs, parts: [] };
    },
    pids: pool.pids,
    close: pool.close,
  };
}

/** The request with its file where the child finds it. */
function withFile(request: RecognitionRequest, show: ShowFile): RecognitionRequest {
  if (!('file' in request)) return request;
  const file = { ...request.file, filePath: show(request.file.filePath) };
  return { ...request, file } as RecognitionRequest;
}

/** What is wrong with the file is said in its own words. */
function explain(error: unknown): never {
  if (error instanceof ChildTaskError && error.failure.name === 'ExtractionError') {
    throw new ExtractionError(error.failure.code as ExtractionErrorCode, error.failure.message);
  }
  throw error;
}

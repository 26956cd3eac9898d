import { readFile } from 'node:fs/promises';
import {
  createRecognizer,
  type FileType,
  opensWith,
  pictureOf,
  type PictureRef,
  type PictureSource,
  readingViewOf,
  type ReadingViewOptions,
  recognizePicture,
  type Recognizer,
  type SoundPiece,
  thumbnailOf,
} from '@engram/extraction';
import { createLocalSpeech } from '../../platform/ai/transcription/local-speech.ts';
import { squarePhoto } from '../../platform/media/square-photo.ts';
import { childSettings, serveTasks } from '../../platform/processes/child-serve.ts';
import { type PageOrigin, snapshotOf } from './page-snapshot.ts';
import { sanitizeView } from './sanitize-view.ts';
import { createSoundPieces, type PieceRequest, type SoundFile } from './sound-pieces.ts';
import { readVideo, type SavedVideo, videoSnapshot } from './video-snapshot.ts';

export interface SourceFile {
  filePath: string;
  fileName: string;
  type: FileType;
  /** The passwords to try on the file and the files in it. */
  passwords: readonly string[];
}

export interface RecognitionSettings {
  /** A folder with `*.traineddata` of further languages; null for the bundled ones. */
  ocrData: string | null;
  /** The folder of the local speech model, or null. */
  speechFolder: string | null;
}

/** Lower priority than the server and the extraction. */
const NICENESS = 10;
const BYTES_PER_PART = 1_000_000;

const { ocrData, speechFolder } = childSettings() as RecognitionSettings;
// The first task that needs a model loads it.
const recognizerOf = createRecognizerCache();
const pieceOf = createSoundPieces();
const open = createFileCache();
let speech: ReturnType<typeof createLocalSpeech> | null = null;

const transcribe = (piece: SoundPiece) => {
  speech ??= createLocalSpeech(speechFolder ?? '');
  const { startMs, endMs } = piece;
  return { startMs, endMs, parts: speech.transcribePiece(piece) };
};

type PieceSelection = Omit<PieceRequest, 'file' | 'pcmOnly'>;

/** Each call is short, so that users are served round robin. */
const calls = {
  page: async (file: SourceFile, ref: PictureRef, languages: readonly string[]) =>
    recognizePicture(await open(file), ref, await recognizerOf(languages)),
  /** A picture as JPEG or PNG. */
  picture: async (file: SourceFile, ref: PictureRef, maxPixels: number) =>
    pictureOf(await open(file), ref, { maxPixels }),
  /** A thumbnail as WebP; null if the file has none. */
  thumbnail: async (file: SourceFile) => thumbnailOf(await open(file)),
  thumbnailOfStill: (_: null, bytes: Uint8Array) =>
    thumbnailOf({ bytes, fileName: 'still.jpg', type: 'jpeg' }),
  photo: (_: null, photo: Uint8Array): Promise<Uint8Array> => squarePhoto(photo),
  /** A file, or a member of it, as sanitized HTML. */
  view: async ({ filePath, ...file }: SourceFile, options: ReadingViewOptions) => {
    const { html, complete } = await readingViewOf(await fileOf(filePath, file), options);
    return { html: sanitizeView(html), complete };
  },
  /** Whether a password opens something in a file. */
  opens: async (file: SourceFile, password: string) => ({
    opens: await opensWith(await open(file), password),
  }),
  webPage: async (_: null, page: Uint8Array, from: PageOrigin) => snapshotOf(page, from),
  video: async (_: null, page: Uint8Array) => readVideo(page),
  videoPage: async (_: null, captions: Uint8Array, video: SavedVideo) =>
    videoSnapshot(captions, video),
  /** A piece of a recording's sound; null after the last. */
  sound: (file: SoundFile, selection: PieceSelection) =>
    pieceOf({ file, ...selection, pcmOnly: false }),
  /** The speech in a piece of a recording, by the local model; null after the last. */
  speech: async (file: SoundFile, selection: PieceSelection) => {
    const piece = await pieceOf({ file, ...selection, pcmOnly: true });
    return piece && transcribe(piece);
  },
  /** The speech in a piece of sound, a 16 kHz WAV. */
  speechOf: async (_: null, piece: SoundPiece) => transcribe(piece),
};

export type Calls = typeof calls;

export interface RecognitionRequest {
  call: keyof Calls;
  args: Parameters<Calls[keyof Calls]>;
}

export type RecognitionResult = Awaited<ReturnType<Calls[keyof Calls]>>;

await serveTasks<RecognitionRequest, Uint8Array, RecognitionResult>({
  niceness: NICENESS,
  threads: true,
  prepare: async () => async (request, send) => {
    const call = calls[request.call] as (...args: unknown[]) => Promise<RecognitionResult>;
    return sendBytes(await call(...request.args), send);
  },
});

/** Caches only the recognizer of the last languages, because each takes much memory. */
function createRecognizerCache(): (languages: readonly string[]) => Promise<Recognizer> {
  let last: { key: string; recognizer: Recognizer } | null = null;
  return async (languages) => {
    const key = languages.join('+');
    if (last?.key === key) return last.recognizer;
    await last?.recognizer.close();
    const dataFolder = ocrData === null ? {} : { dataFolder: ocrData };
    last = { key, recognizer: createRecognizer({ languages, ...dataFolder }) };
    return last.recognizer;
  };
}

/** Caches the bytes of the last file, because its next page usually follows. */
function createFileCache(): (file: SourceFile) => Promise<PictureSource> {
  let last: { key: string; source: PictureSource } | null = null;
  return async ({ filePath, ...file }) => {
    const key = JSON.stringify([filePath, file.passwords]);
    if (last?.key === key) return last.source;
    last = null;
    const source = await fileOf(filePath, file);
    last = { key, source };
    return source;
  };
}

async function fileOf(
  filePath: string,
  file: Omit<SourceFile, 'filePath'>,
): Promise<PictureSource> {
  const { buffer, byteOffset, byteLength } = await readFile(filePath);
  return { bytes: new Uint8Array(buffer, byteOffset, byteLength), ...file };
}

/** Sends the bytes of a result in parts, and returns the rest. */
async function sendBytes(
  result: RecognitionResult,
  send: (part: Uint8Array) => Promise<void>,
): Promise<RecognitionResult> {
  if (result instanceof Uint8Array) {
    for (let start = 0; start < result.length; start += BYTES_PER_PART) {
      await send(result.subarray(start, start + BYTES_PER_PART));
    }
    return new Uint8Array();
  }
  if (!result || !('bytes' in result)) return result;
  await sendBytes(result.bytes, send);
  return { ...result, bytes: new Uint8Array() };
}

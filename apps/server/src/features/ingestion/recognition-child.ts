import { readFile } from 'node:fs/promises';
import {
  createRecognizer,
  pictureOf,
  type PictureSource,
  recognizePicture,
  type SoundPiece,
  thumbnailOf,
} from '@engram/extraction';
import {
  createLocalSpeech,
  type LocalSpeech,
} from '../../platform/ai/transcription/local-speech.ts';
import { squarePhoto } from '../../platform/media/square-photo.ts';
import { childSettings, serveTasks, type TaskHandler } from './child-serve.ts';
import type {
  RecognitionPart,
  RecognitionRequest,
  RecognitionResult,
  RecognitionSettings,
  SourceFile,
  SpeechPiece,
} from './recognition-messages.ts';
import { createSoundPieces } from './sound-pieces.ts';

/** Well behind the server and behind those who wait for a reading. */
const NICENESS = 10;
const BYTES_PER_PART = 1_000_000;
/** What a model is shown of a picture that it is to describe. */
const CAPTION_PIXELS = 1_048_576;

type Send = (part: RecognitionPart) => Promise<void>;
type Handler = TaskHandler<RecognitionRequest, RecognitionPart, RecognitionResult>;

await serveTasks<RecognitionRequest, RecognitionPart, RecognitionResult>({
  niceness: NICENESS,
  threads: true,
  prepare: () => Promise.resolve(createHandler(childSettings() as RecognitionSettings)),
});

/** Does tasks; what they need is loaded with the first that needs it, and kept for the next. */
function createHandler({ ocrLanguages, ocrData, speechFolder }: RecognitionSettings): Handler {
  const recognizer = createRecognizer({
    languages: ocrLanguages,
    ...(ocrData === null ? {} : { dataFolder: ocrData }),
  });
  const pieceOf = createSoundPieces();
  const open = createLastFile();
  let speech: LocalSpeech | null = null;

  const hear = (piece: SoundPiece): SpeechPiece => {
    speech ??= createLocalSpeech(speechFolder ?? '');
    const { startMs, endMs } = piece;
    return { startMs, endMs, parts: speech.transcribePiece(piece) };
  };

  const answerBytes = async (bytes: Uint8Array | null, send: Send): Promise<RecognitionResult> => {
    if (bytes !== null) await sendBytes(bytes, send);
    return { kind: 'bytes', there: bytes !== null };
  };

  return async (request, send) => {
    switch (request.kind) {
      case 'page': {
        const page = await recognizePicture(await open(request.file), request.ref, recognizer);
        return { kind: 'page', page };
      }
      case 'picture': {
        const { file, path } = request;
        const ref = { page: 1, ...(path === undefined ? {} : { path }) };
        const picture = await pictureOf(await open(file), ref, { maxPixels: CAPTION_PIXELS });
        return answerBytes(picture, send);
      }
      case 'thumbnail':
        return answerBytes(await thumbnailOf(await open(request.file)), send);
      case 'thumbnail-of-still': {
        const still: PictureSource = { bytes: request.still, fileName: 'still.jpg', type: 'jpeg' };
        return answerBytes(await thumbnailOf(still), send);
      }
      case 'photo':
        return answerBytes(await squarePhoto(request.photo), send);
      case 'sound': {
        const piece = await pieceOf({ ...request, pcmOnly: false });
        if (piece === null) return { kind: 'sound', piece: null };
        const { bytes, ...about } = piece;
        await sendBytes(bytes, send);
        return { kind: 'sound', piece: about };
      }
      case 'speech': {
        const piece = await pieceOf({ ...request, pcmOnly: true });
        return { kind: 'speech', piece: piece && hear(piece) };
      }
      case 'speech-of-piece':
        return { kind: 'speech', piece: hear(request.piece) };
    }
  };
}

/** Keeps the bytes of the last file: its next page is asked for next, and drawn from the same. */
function createLastFile(): (file: SourceFile) => Promise<PictureSource> {
  let last: { filePath: string; source: PictureSource } | null = null;
  return async ({ filePath, fileName, type }) => {
    if (last?.filePath === filePath) return last.source;
    last = null;
    const { buffer, byteOffset, byteLength } = await readFile(filePath);
    const source = { bytes: new Uint8Array(buffer, byteOffset, byteLength), fileName, type };
    last = { filePath, source };
    return source;
  };
}

async function sendBytes(bytes: Uint8Array, send: Send): Promise<void> {
  for (let at = 0; at < bytes.length; at += BYTES_PER_PART) {
    await send({ bytes: bytes.subarray(at, at + BYTES_PER_PART) });
  }
}

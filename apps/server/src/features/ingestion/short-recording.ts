import { open } from 'node:fs/promises';
import type { TranscriptPart } from '@engram/extraction';
import { detectSound, ExtractionError, HEAD_BYTES } from '@engram/extraction/light';
import type { Providers } from '../../composition/core.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import type { StoredSupplements, StoredPiece } from './supplements.ts';
import type { RecognitionLane, RecognitionTask } from './recognition-lane.ts';
import type { SoundFile } from './sound-pieces.ts';
import { createTranscription } from './transcription.ts';

interface ShortRecording {
  filePath: string;
  userId: string;
  signal: AbortSignal;
}

/**
 * Transcribes spoken questions. Returns the text, which is empty if nothing was said; null if no
 * transcription provider is configured.
 */
export function createQuestionTranscription(
  providers: Pick<Providers, 'transcriber' | 'ffmpeg'>,
  lane: RecognitionLane,
): ((recording: ShortRecording) => Promise<string>) | null {
  const { transcriber } = providers;
  if (transcriber.kind === 'none') return null;
  const transcription = createTranscription(providers, lane);
  // A recording must fit in one piece.
  const { limits } = transcriber;
  const tooLong = (): ExtractionError =>
    new ExtractionError(
      'too_large',
      `A recording can last at most ${Math.round(limits.maxMs / 60_000)} minutes.`,
    );

  /** Stores nothing, and refuses a second piece. */
  const onePiece: Pick<StoredSupplements, 'pieces' | 'savePiece'> = {
    pieces: () => Promise.resolve<StoredPiece[]>([]),
    savePiece: (_request, index) => (index > 0 ? Promise.reject(tooLong()) : Promise.resolve()),
  };

  /** Checks the length first, except for formats that only ffmpeg decodes. */
  const assertShort = async (file: SoundFile, task: RecognitionTask): Promise<void> => {
    const secondPiece = { path: undefined, limits, index: 1 };
    const second = await lane.run('sound', task, file, secondPiece).catch((error: unknown) => {
      if (error instanceof ExtractionError && error.code === 'unsupported') return null;
      throw error;
    });
    if (second !== null) throw tooLong();
  };

  return async ({ filePath, userId, signal }) => {
    const file = await openRecording(filePath);
    const task: RecognitionTask = {
      group: userId,
      logFields: { purpose: 'a spoken question' },
      signal,
    };
    try {
      await assertShort(file, task);
      const parts = await transcription.transcribe({
        file,
        request: { kind: 'transcript' },
        task,
        stored: onePiece,
        durationMs: null,
        onProgress: () => undefined,
      });
      return wordsOf(parts);
    } catch (error) {
      if (!(error instanceof ChildCrash)) throw error;
      throw new ExtractionError('damaged', 'The recording cannot be read.', { cause: error });
    }
  };
}

async function openRecording(filePath: string): Promise<SoundFile> {
  const file = await open(filePath, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const type = await detectSound(buffer.subarray(0, bytesRead));
    if (type !== null) return { filePath, fileName: `recording.${type}`, type };
  } finally {
    await file.close();
  }
  throw new ExtractionError('unsupported', 'This is not a supported recording.');
}

/** More than two minutes of speech, in UTF-16 units. */
const MAX_TEXT = 5000;

const wordsOf = (parts: readonly TranscriptPart[]): string =>
  parts
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();

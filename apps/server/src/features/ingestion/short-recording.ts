import { open } from 'node:fs/promises';
import type { TranscriptPart } from '@engram/extraction';
import { detectSound, ExtractionError, HEAD_BYTES } from '@engram/extraction/light';
import { ChildCrash } from '../../platform/processes/child-pool.ts';
import type { KeptAnswers, KeptPiece } from './kept-answers.ts';
import type { RecognitionTask, Recording, SoundFile } from './recognition-lane.ts';
import { createTranscription, type TranscriptionDependencies } from './transcription.ts';

/** What a person has just said, in a file that nobody else keeps. */
export interface ShortRecording {
  filePath: string;
  userId: string;
  signal: AbortSignal;
}

/**
 * Hears what a person says to the server. It has a lane of its own: who speaks waits for the answer,
 * and must not stand behind the pages and recordings of files.
 *
 * @returns what was said, '' when nothing was; null where nothing here transcribes
 */
export function createListening(
  deps: TranscriptionDependencies,
): ((recording: ShortRecording) => Promise<string>) | null {
  const { lane, transcriber } = deps;
  if (transcriber.kind === 'none') return null;
  const transcription = createTranscription(deps);
  /** What is sent at once is also the longest that somebody may speak. */
  const { limits } = transcriber;
  const tooLong = (): ExtractionError =>
    new ExtractionError(
      'too_large',
      `A recording can last at most ${Math.round(limits.maxMs / 60_000)} minutes.`,
    );

  /** A piece behind the first begins where the time is over. */
  const keepsNothing: Pick<KeptAnswers, 'pieces' | 'savePiece'> = {
    pieces: () => Promise.resolve<KeptPiece[]>([]),
    savePiece: (_want, index) => (index > 0 ? Promise.reject(tooLong()) : Promise.resolve()),
  };

  /** Before anything is transcribed; what only ffmpeg reads is measured as it is heard. */
  const assertShort = async (recording: Recording, task: RecognitionTask): Promise<void> => {
    const second = await lane.sound(recording, 1, task).catch((error: unknown) => {
      if (error instanceof ExtractionError && error.code === 'unsupported') return null;
      throw error;
    });
    if (second !== null) throw tooLong();
  };

  return async ({ filePath, userId, signal }) => {
    const file = await openRecording(filePath);
    const task: RecognitionTask = { group: userId, about: { what: 'a spoken question' }, signal };
    try {
      await assertShort({ file, path: undefined, limits }, task);
      const parts = await transcription.transcribe({
        file,
        want: { kind: 'transcript' },
        task,
        kept: keepsNothing,
        durationMs: null,
        onShare: () => undefined,
      });
      return wordsOf(parts);
    } catch (error) {
      if (!(error instanceof ChildCrash)) throw error;
      throw new ExtractionError('damaged', 'The recording cannot be read.', { cause: error });
    }
  };
}

export type Listening = ReturnType<typeof createListening>;

async function openRecording(filePath: string): Promise<SoundFile> {
  const file = await open(filePath, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const type = await detectSound(buffer.subarray(0, bytesRead));
    if (type !== null) return { filePath, fileName: `recording.${type}`, type };
  } finally {
    await file.close();
  }
  throw new ExtractionError('unsupported', 'This is no recording that can be heard here.');
}

/** Longest text that is answered, in UTF-16 units: more than two minutes of speech. */
const MOST_TEXT = 5000;

/** One line of text: it becomes a question. */
const wordsOf = (parts: readonly TranscriptPart[]): string =>
  parts
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_TEXT)
    .toWellFormed();

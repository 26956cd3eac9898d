import { ExtractionError } from '@engram/extraction/light';
import type { SoundPiece, TranscriptPart, Want } from '@engram/extraction';
import {
  joinTranscripts,
  type Transcriber,
} from '../../platform/ai/transcription/transcription.ts';
import { type Ffmpeg, FfmpegError } from '../../platform/media/ffmpeg.ts';
import type { KeptAnswers, KeptPiece } from './kept-answers.ts';
import type { RecognitionLane, RecognitionTask, Recording, SoundFile } from './recognition-lane.ts';

export interface TranscriptionDependencies {
  lane: RecognitionLane;
  transcriber: Transcriber;
  ffmpeg: Ffmpeg;
}

export interface TranscriptionJob {
  file: SoundFile;
  want: Want;
  task: RecognitionTask;
  kept: Pick<KeptAnswers, 'pieces' | 'savePiece'>;
  /** How long the recording is, in milliseconds; null where that is not known. */
  durationMs: number | null;
  /** Takes how much of the recording is transcribed, as a fraction of 1. */
  onShare: (fraction: number) => void;
}

/** Transcribes the next piece of a recording; null behind the last. */
type NextPiece = (index: number, before: KeptPiece | undefined) => Promise<KeptPiece | null>;

/** Transcribes recordings of any length, piece by piece: by a provider, or by a model on this machine. */
export function createTranscription({ lane, transcriber, ffmpeg }: TranscriptionDependencies) {
  /** Asks the provider, with the end of what was said before, so that names are spelled alike. */
  const ask = async (
    piece: SoundPiece,
    before: KeptPiece | undefined,
    signal: AbortSignal,
  ): Promise<KeptPiece> => {
    const { startMs, endMs } = piece;
    const said = before?.parts.at(-1)?.text;
    const heard = await transcriber.transcribe(piece, {
      signal,
      language: before?.language ?? null,
      ...(said === undefined ? {} : { prompt: said }),
    });
    return { startMs, endMs, ...heard };
  };

  /** Pieces of sound that are made in the lane. */
  const inLane = (recording: Recording, task: RecognitionTask): NextPiece => {
    if (transcriber.kind === 'local') {
      return async (index) => {
        const piece = await lane.speech(recording, index, task);
        return piece && { ...piece, language: null };
      };
    }
    return async (index, before) => {
      const piece = await lane.sound(recording, index, task);
      return piece && ask(piece, before, task.signal);
    };
  };

  /** Pieces that ffmpeg makes of what nothing else here decodes. */
  const byFfmpeg = (
    { file, limits }: Recording,
    { task }: TranscriptionJob,
    use: (next: NextPiece) => Promise<KeptPiece[]>,
  ): Promise<KeptPiece[]> => {
    const pieces = ffmpeg.sound(file.filePath, { maxMs: limits.maxMs, signal: task.signal });
    let at = 0;
    const next: NextPiece = async (index, before) => {
      for (; at < index; at += 1) await pieces.next();
      at += 1;
      const { value: piece } = await pieces.next();
      if (!piece) return null;
      if (transcriber.kind !== 'local') return ask(piece, before, task.signal);
      return { ...(await lane.speechOf(piece, task)), language: null };
    };
    // ffmpeg ends when nobody wants another piece.
    return use(next).finally(() => pieces.return());
  };

  const transcribeAll = async (next: NextPiece, job: TranscriptionJob): Promise<KeptPiece[]> => {
    const { want, kept, durationMs, onShare } = job;
    const pieces = await kept.pieces(want);
    for (;;) {
      const done = pieces.at(-1);
      if (done && durationMs) onShare(Math.min(1, done.endMs / durationMs));
      const piece = await next(pieces.length, done);
      if (!piece) return pieces;
      await kept.savePiece(want, pieces.length, piece);
      pieces.push(piece);
    }
  };

  return {
    /**
     * What is said in a recording, with the times from its begin. Each piece is kept when it is
     * done, and not transcribed again by another try.
     *
     * @throws {ExtractionError} its sound cannot be read here
     * @throws {ModelUnavailable} the provider did not answer
     */
    async transcribe(job: TranscriptionJob): Promise<TranscriptPart[]> {
      const { file, want, task } = job;
      const recording: Recording = { file, path: want.path, limits: transcriber.limits };
      let pieces: KeptPiece[];
      try {
        pieces = await transcribeAll(inLane(recording, task), job);
      } catch (error) {
        const undecoded = error instanceof ExtractionError && error.code === 'unsupported';
        if (!undecoded || want.path !== undefined || !ffmpeg.describe().on) throw error;
        const use = (next: NextPiece) => transcribeAll(next, job);
        pieces = await byFfmpeg(recording, job, use).catch(tellFfmpeg);
      }
      return joinTranscripts(pieces.map(({ parts }) => parts));
    },
  };
}

export type Transcription = ReturnType<typeof createTranscription>;

/** What ffmpeg cannot do is wrong with the file. */
function tellFfmpeg(error: unknown): never {
  if (error instanceof FfmpegError) throw new ExtractionError('unsupported', error.message);
  throw error;
}

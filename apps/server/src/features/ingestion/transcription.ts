import { ExtractionError } from '@engram/extraction/light';
import type { SoundPiece, TranscriptPart, SupplementRequest } from '@engram/extraction';
import type { Providers } from '../../composition/core.ts';
import { joinTranscripts } from '../../platform/ai/transcription/transcription.ts';
import { FfmpegError } from '../../platform/media/ffmpeg.ts';
import type { StoredSupplements, StoredPiece } from './supplements.ts';
import type { RecognitionLane, RecognitionTask, Recording } from './recognition-lane.ts';
import type { SoundFile } from './sound-pieces.ts';

interface TranscriptionJob {
  file: SoundFile;
  request: SupplementRequest;
  task: RecognitionTask;
  stored: Pick<StoredSupplements, 'pieces' | 'savePiece'>;
  /** The duration of the recording in milliseconds; null if unknown. */
  durationMs: number | null;
  onProgress: (fraction: number) => void;
}

/** Transcribes the next piece of a recording; null after the last. */
type NextPiece = (index: number, previous: StoredPiece | undefined) => Promise<StoredPiece | null>;

export function createTranscription(
  { transcriber, ffmpeg }: Pick<Providers, 'transcriber' | 'ffmpeg'>,
  lane: RecognitionLane,
) {
  /** Sends the end of the previous piece, so that names are spelled consistently. */
  const requestTranscript = async (
    piece: SoundPiece,
    previous: StoredPiece | undefined,
    signal: AbortSignal,
  ): Promise<StoredPiece> => {
    const { startMs, endMs } = piece;
    const previousText = previous?.parts.at(-1)?.text;
    const transcript = await transcriber.transcribe(piece, {
      signal,
      language: previous?.language ?? null,
      ...(previousText === undefined ? {} : { prompt: previousText }),
    });
    return { startMs, endMs, ...transcript };
  };

  const piecesInLane = ({ file, ...selection }: Recording, task: RecognitionTask): NextPiece => {
    if (transcriber.kind === 'local') {
      return async (index) => {
        const piece = await lane.run('speech', task, file, { ...selection, index });
        return piece && { ...piece, language: null };
      };
    }
    return async (index, previous) => {
      const piece = await lane.run('sound', task, file, { ...selection, index });
      return piece && requestTranscript(piece, previous, task.signal);
    };
  };

  /** For formats that only ffmpeg decodes. */
  const withFfmpeg = (
    { file, limits }: Recording,
    { task }: TranscriptionJob,
    use: (next: NextPiece) => Promise<StoredPiece[]>,
  ): Promise<StoredPiece[]> => {
    const pieces = ffmpeg.sound(file.filePath, { maxMs: limits.maxMs, signal: task.signal });
    let position = 0;
    const next: NextPiece = async (index, previous) => {
      for (; position < index; position += 1) await pieces.next();
      position += 1;
      const { value: piece } = await pieces.next();
      if (!piece) return null;
      if (transcriber.kind !== 'local') return requestTranscript(piece, previous, task.signal);
      return { ...(await lane.run('speechOf', task, null, piece)), language: null };
    };
    return use(next).finally(() => pieces.return());
  };

  const transcribeAll = async (next: NextPiece, job: TranscriptionJob): Promise<StoredPiece[]> => {
    const { request, stored, durationMs, onProgress } = job;
    const pieces = await stored.pieces(request);
    for (;;) {
      const done = pieces.at(-1);
      if (done && durationMs) onProgress(Math.min(1, done.endMs / durationMs));
      const piece = await next(pieces.length, done);
      if (!piece) return pieces;
      await stored.savePiece(request, pieces.length, piece);
      pieces.push(piece);
    }
  };

  return {
    /**
     * Returns the transcript of a recording with times from its start. Each piece is stored immediately,
     * so that a retry resumes there.
     * @throws {ExtractionError} the sound cannot be decoded here
     * @throws {ModelUnavailable} the provider did not respond
     */
    async transcribe(job: TranscriptionJob): Promise<TranscriptPart[]> {
      const { file, request, task } = job;
      const recording: Recording = { file, path: request.path, limits: transcriber.limits };
      let pieces: StoredPiece[];
      try {
        pieces = await transcribeAll(piecesInLane(recording, task), job);
      } catch (error) {
        const undecoded = error instanceof ExtractionError && error.code === 'unsupported';
        if (!undecoded || request.path !== undefined || !ffmpeg.describe().on) throw error;
        const use = (next: NextPiece) => transcribeAll(next, job);
        pieces = await withFfmpeg(recording, job, use).catch(toExtractionError);
      }
      return joinTranscripts(pieces.map(({ parts }) => parts));
    },
  };
}

export type Transcription = ReturnType<typeof createTranscription>;

/** A file that ffmpeg cannot decode is unsupported. */
function toExtractionError(error: unknown): never {
  if (error instanceof FfmpegError) throw new ExtractionError('unsupported', error.message);
  throw error;
}

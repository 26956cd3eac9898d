import type {
  FileType,
  PictureRef,
  RecognizedPage,
  SoundPiece,
  SoundType,
  TranscriptPart,
} from '@engram/extraction';

/** A stored file on this machine. */
export interface SourceFile {
  filePath: string;
  fileName: string;
  type: FileType;
}

/** A recording on this machine: a stored file, or what somebody has just said. */
export interface SoundFile {
  filePath: string;
  fileName: string;
  type: SoundType;
}

/** What every recognition child is told at its start. */
export interface RecognitionSettings {
  /** ISO 639-2 codes as Tesseract names them. */
  ocrLanguages: readonly string[];
  /** A folder with `*.traineddata` of further languages; null for those that come along. */
  ocrData: string | null;
  /** The folder of the model that recognises speech; null where there is none. */
  speechFolder: string | null;
}

/** How a recording is cut into pieces. */
export interface PieceLimits {
  maxBytes: number;
  maxMs: number;
  overlapMs: number;
}

/** One page, one picture or one stretch of sound: nobody waits for more than that. */
export type RecognitionRequest =
  | { kind: 'page'; file: SourceFile; ref: PictureRef }
  | { kind: 'picture'; file: SourceFile; path: string | undefined }
  | { kind: 'thumbnail'; file: SourceFile }
  | { kind: 'thumbnail-of-still'; still: Uint8Array }
  | { kind: 'photo'; photo: Uint8Array }
  | {
      kind: 'sound' | 'speech';
      file: SoundFile;
      path: string | undefined;
      /** Which piece of the recording, from 0. */
      index: number;
      limits: PieceLimits;
    }
  | { kind: 'speech-of-piece'; piece: SoundPiece };

/** A stretch of a long result. */
export interface RecognitionPart {
  bytes: Uint8Array;
}

/** Speech in one stretch of a recording. */
export interface SpeechPiece {
  startMs: number;
  endMs: number;
  parts: TranscriptPart[];
}

/** What has bytes is preceded by them in parts. */
export type RecognitionResult =
  | { kind: 'page'; page: RecognizedPage }
  | { kind: 'bytes'; there: boolean }
  | { kind: 'sound'; piece: Omit<SoundPiece, 'bytes'> | null }
  | { kind: 'speech'; piece: SpeechPiece | null };

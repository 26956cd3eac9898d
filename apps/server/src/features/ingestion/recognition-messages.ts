import type { FileType, SoundType, TranscriptPart } from '@engram/extraction';

/** A stored file on this machine. */
export interface SourceFile {
  filePath: string;
  fileName: string;
  type: FileType;
}

/** A recording on this machine: a stored file, or a spoken question. */
export interface SoundFile {
  filePath: string;
  fileName: string;
  type: SoundType;
}

/** The settings of a recognition process. */
export interface RecognitionSettings {
  /** ISO 639-2 codes as Tesseract names them. */
  ocrLanguages: readonly string[];
  /** A folder with `*.traineddata` of further languages; null for the bundled ones. */
  ocrData: string | null;
  /** The folder of the local speech model, or null. */
  speechFolder: string | null;
}

/** How a recording is cut into pieces. */
export interface PieceLimits {
  maxBytes: number;
  maxMs: number;
  overlapMs: number;
}

/** Speech in one stretch of a recording. */
export interface SpeechPiece {
  startMs: number;
  endMs: number;
  parts: TranscriptPart[];
}

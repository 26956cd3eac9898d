import type { TextBuilder, TextLimits } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions, FileType, Supplements } from './types.ts';

/** What is left to spend on one upload; `left` is one for all depths. */
export interface Budget {
  left: { bytes: number; members: number; pictures: number };
  /** How deep the file lies whose members are read: 1 for the upload itself. */
  level: number;
}

/** What a format is given to read. */
export interface FormatInput {
  bytes: Uint8Array;
  /** True when the bytes may be taken over instead of copied. */
  ownBytes: boolean;
  fileName: string;
  /** What was made for the wants of an earlier reading of this file; empty in the first. */
  supplements: Supplements;
  limits: TextLimits;
  /** A builder for the text, within `limits`. */
  builder: TextBuilder;
  /** Reads a file that this one holds, of whatever type. Throws {@link ExtractionError}. */
  extract: (
    input: ExtractInput,
    options: ExtractOptions & { budget: Budget },
  ) => Promise<Extraction>;
  /** What may still be spent on files that this one holds. */
  budget: Budget;
  /** Takes 0 to 100. */
  onProgress: (percent: number) => void;
}

/** One file format: its type and how its bytes become text with locations. */
export interface Format {
  type: FileType;
  /** Throws {@link ExtractionError} when the file cannot be read. */
  read(input: FormatInput): Extraction | Promise<Extraction>;
  /** Loads what is otherwise loaded with the first file. */
  preload?(): Promise<void>;
}

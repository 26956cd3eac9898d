import type { TextBuilder, TextLimits } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions, FileType, Supplements } from './types.ts';

/** What is left to spend on one upload. `left` is shared by all depths. */
export interface Budget {
  left: { bytes: number; members: number; pictures: number };
  /** Depth of the file whose members are read, 1 for the upload itself. */
  level: number;
}

export interface FormatInput {
  bytes: Uint8Array;
  /** True when the bytes may be transferred instead of copied. */
  ownBytes: boolean;
  fileName: string;
  /** What was made for the wants of an earlier extraction. Empty in the first one. */
  supplements: Supplements;
  limits: TextLimits;
  builder: TextBuilder;
  /** Extracts a file within this one. Throws {@link ExtractionError}. */
  extract: (
    input: ExtractInput,
    options: ExtractOptions & { budget: Budget },
  ) => Promise<Extraction>;
  budget: Budget;
  /** Takes a percentage from 0 to 100. */
  onProgress: (percent: number) => void;
}

/** One file format: its type and how its bytes become text with locations. */
export interface Format {
  type: FileType;
  /** Throws {@link ExtractionError} when the file cannot be read. */
  read(input: FormatInput): Extraction | Promise<Extraction>;
  /** Loads the format's library before the first file. */
  preload?(): Promise<void>;
}

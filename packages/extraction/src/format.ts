import type { Keyring } from './keyring.ts';
import type { TextBuilder, TextLimits } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions, FileType, Supplements } from './types.ts';

/** The remaining budget of one upload. `left` is shared by all depths. */
export interface Budget {
  left: { bytes: number; members: number; pictures: number };
  /** Depth of the file whose members are read, 1 for the upload itself. */
  level: number;
}

export interface FormatInput {
  bytes: Uint8Array;
  type: FileType;
  /** True when the bytes may be transferred instead of copied. */
  ownBytes: boolean;
  fileName: string;
  supplements: Supplements;
  limits: TextLimits;
  builder: TextBuilder;
  extract: (
    input: ExtractInput,
    options: ExtractOptions & { budget: Budget; keyring: Keyring },
  ) => Promise<Extraction>;
  budget: Budget;
  keyring: Keyring;
  /** Takes a percentage from 0 to 100. */
  onProgress: (percent: number) => void;
}

/** The exports of a file type's module. */
export interface Format {
  /** Throws {@link ExtractionError}. */
  read(input: FormatInput): Extraction | Promise<Extraction>;
}

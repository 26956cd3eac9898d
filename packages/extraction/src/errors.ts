import type { ExtractionErrorCode } from './types.ts';

const OUT_OF_ROOM = /call stack|string length|allocation failed/i;

/** Why reading a file threw: it is damaged, or took more stack or memory than there is. */
export function toExtractionError(cause: unknown, sentence: string): ExtractionError {
  if (cause instanceof RangeError && OUT_OF_ROOM.test(cause.message)) {
    return new ExtractionError(
      'too_large',
      'This file is too large or too complex to be read safely.',
      { cause },
    );
  }
  return new ExtractionError('damaged', sentence, { cause });
}

/** A file that cannot be read. `message` is a sentence for the person who uploaded it. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
    this.code = code;
  }
}

import type { ExtractionErrorCode } from './types.ts';

const OUT_OF_MEMORY = /call stack|string length|allocation failed/i;

/** The error for a file that is damaged, or too complex for the stack or memory. */
export function toExtractionError(cause: unknown, message: string): ExtractionError {
  if (cause instanceof RangeError && OUT_OF_MEMORY.test(cause.message)) {
    return new ExtractionError(
      'too_large',
      'This file is too large or too complex to be read safely.',
      { cause },
    );
  }
  return new ExtractionError('damaged', message, { cause });
}

export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
    this.code = code;
  }
}

import type { ExtractionErrorCode } from './types.ts';

/** A file that cannot be read. `message` is a sentence for the person who uploaded it. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExtractionError';
    this.code = code;
  }
}

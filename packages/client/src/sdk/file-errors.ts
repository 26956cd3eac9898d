import { EngramError } from '../errors.ts';
import type { File, RejectedFile } from './api.ts';

/** The server did not take a file; `code` and `message` say why. */
export class UploadRejectedError extends EngramError {
  override readonly name: string = 'UploadRejectedError';
  /** The file, and why it was not taken. */
  readonly rejected: RejectedFile;

  constructor(rejected: RejectedFile) {
    super(rejected.message, { code: rejected.code });
    this.rejected = rejected;
  }
}

/** A file that was waited for cannot be read. */
export class FileFailedError extends EngramError {
  override readonly name: string = 'FileFailedError';
  /** The file as it is now. */
  readonly file: File;

  constructor(file: File) {
    super(`${file.name}: ${file.statusReason || 'The file cannot be read.'}`, {
      code: 'file_failed',
    });
    this.file = file;
  }
}

/** A file that was waited for is still being read. It goes on without anybody waiting. */
export class WaitTimeoutError extends EngramError {
  override readonly name: string = 'WaitTimeoutError';
}

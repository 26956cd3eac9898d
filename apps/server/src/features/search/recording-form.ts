import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { asDiskFull, type DiskRoom } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import * as errors from './transcription.errors.ts';

const LIMIT_MB = 25;

/** Fields that a client may send beside the recording; they say nothing here. */
const FIELDS = 5;

/**
 * Writes the one recording of a form to a file.
 * @throws HttpError 400, 413 or 415 when the form is not that
 */
export async function saveRecording(
  request: FastifyRequest,
  filePath: string,
  signal: AbortSignal,
  room: Pick<DiskRoom, 'bounded'>,
): Promise<void> {
  if (!request.isMultipart()) throw errors.notMultipart();
  const limits = { files: 1, fields: FIELDS, parts: FIELDS + 1, fileSize: LIMIT_MB * 1_048_576 };
  let bytes = 0;
  let recordings = 0;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue;
      recordings += 1;
      const target = createWriteStream(filePath, { flags: 'wx', mode: 0o600 });
      await pipeline(part.file, (content) => room.bounded(content), target, { signal });
      if (part.file.truncated) throw errors.recordingTooLarge(LIMIT_MB);
      bytes = target.bytesWritten;
    }
  } catch (error) {
    // The caller hears the answer once all that is still coming was taken.
    request.raw.resume();
    throw describe(error);
  }
  if (recordings === 0) throw errors.oneRecording();
  if (bytes === 0) throw errors.recordingEmpty();
}

function describe(given: unknown): Error {
  const error = asDiskFull(given);
  if (error instanceof HttpError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (/^FST_(?:FILES|PARTS|FIELDS)_LIMIT$/u.test(code)) return errors.oneRecording();
  // What the disk says is the server's own trouble; all else is a form that broke off.
  return /^E[A-Z]+$/u.test(code) && code !== 'ECONNRESET'
    ? (error as Error)
    : errors.recordingBroken();
}

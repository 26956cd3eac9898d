import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { asDiskFull, type DiskRoom, isDiskFull } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import * as errors from './portability.errors.ts';

/** Fields that a client may send beside the export; they say nothing here. */
const FIELDS = 5;

const MEGABYTE = 1_048_576;

function describe(given: unknown): Error {
  const error = asDiskFull(given);
  if (isDiskFull(error)) return errors.noRoom();
  if (error instanceof HttpError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (/^FST_(?:FILES|PARTS|FIELDS)_LIMIT$/u.test(code)) return errors.oneExport();
  // What the disk says is the server's own trouble; all else is a form that broke off.
  return /^E[A-Z]+$/u.test(code) && code !== 'ECONNRESET'
    ? (error as Error)
    : errors.brokenImport();
}

/**
 * Writes the export that a form holds to a file.
 * @throws HttpError 400, 413 or 415 when the form is not that
 */
export async function saveExport(
  request: FastifyRequest,
  filePath: string,
  limitMb: number,
  room: Pick<DiskRoom, 'bounded'>,
): Promise<void> {
  if (!request.isMultipart()) throw errors.notMultipart();
  const limits = { files: 1, fields: FIELDS, parts: FIELDS + 1, fileSize: limitMb * MEGABYTE };
  let exports = 0;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue;
      exports += 1;
      const target = createWriteStream(filePath, { flags: 'wx', mode: 0o600 });
      await pipeline(part.file, (content) => room.bounded(content), target);
      if (part.file.truncated) throw errors.importTooLarge(limitMb);
    }
  } catch (error) {
    // The caller hears the answer once all that is still coming was taken.
    request.raw.resume();
    throw describe(error);
  }
  if (exports === 0) throw errors.oneExport();
}

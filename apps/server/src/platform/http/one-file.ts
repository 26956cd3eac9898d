import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { asDiskFull, type DiskRoom } from '../files/disk-room.ts';
import { HttpError } from './errors.ts';

const FIELDS = 5;

interface OneFileOptions {
  limitMb: number;
  room: Pick<DiskRoom, 'bounded'>;
  signal?: AbortSignal;
  refusals: Record<'notMultipart' | 'notOne' | 'broken', () => HttpError> & {
    tooLarge: (limitMb: number) => HttpError;
  };
}

export type SaveFile = (filePath: string, options: OneFileOptions) => Promise<number>;

export const savesFileOf =
  (request: FastifyRequest): SaveFile =>
  async (filePath, { limitMb, room, signal, refusals }) => {
    if (!request.isMultipart()) throw refusals.notMultipart();
    const limits = { files: 1, fields: FIELDS, parts: FIELDS + 1, fileSize: limitMb * 1_048_576 };
    let bytes: number | null = null;
    try {
      for await (const part of request.parts({ limits })) {
        if (part.type !== 'file') continue;
        const target = createWriteStream(filePath, { flags: 'wx', mode: 0o600 });
        await pipeline(part.file, (content) => room.bounded(content), target, { signal });
        if (part.file.truncated) throw refusals.tooLarge(limitMb);
        bytes = target.bytesWritten;
      }
    } catch (error) {
      // The client reads the response only after it has sent everything.
      request.raw.resume();
      throw toRefusal(error, refusals);
    }
    if (bytes === null) throw refusals.notOne();
    return bytes;
  };

function toRefusal(cause: unknown, refusals: OneFileOptions['refusals']): Error {
  const error = asDiskFull(cause);
  if (error instanceof HttpError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (/^FST_(?:FILES|PARTS|FIELDS)_LIMIT$/u.test(code)) return refusals.notOne();
  // Disk errors are the server's. All others mean that the form is incomplete.
  return /^E[A-Z]+$/u.test(code) && code !== 'ECONNRESET' ? (error as Error) : refusals.broken();
}

/** Creates a folder for uploads, which are deleted after use. Deletes files left by a crash. */
export async function createInbox(folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });

  return async <T>(use: (filePath: string) => Promise<T>): Promise<T> => {
    const filePath = path.join(folder, randomUUID());
    try {
      return await use(filePath);
    } finally {
      await rm(filePath, { force: true });
    }
  };
}

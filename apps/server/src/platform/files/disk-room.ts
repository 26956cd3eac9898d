import { statfs } from 'node:fs/promises';
import { HttpError } from '../http/errors.ts';

const CHECK_INTERVAL_BYTES = 4 * 1_048_576;

const diskFull = (cause?: unknown): HttpError =>
  Object.assign(
    new HttpError(
      507,
      'disk_full',
      'The disk of this server is nearly full, so nothing more can be stored. Please ask the server’s operator to free space.',
    ),
    { cause },
  );

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const asDiskFull = (error: unknown): unknown =>
  /^(?:ENOSPC|EDQUOT)$/u.test((error as { code?: string } | null)?.code ?? '')
    ? diskFull(error)
    : error;

export const isDiskFull = (error: unknown): boolean =>
  error instanceof HttpError && error.code === 'disk_full';

export function createDiskRoom({
  folder,
  spareBytes,
  freeBytes = freeBytesOf,
}: {
  folder: string;
  spareBytes: number;
  freeBytes?: (folder: string) => Promise<number>;
}) {
  let granted = 0;

  /** @throws HttpError 507 if the disk has no room for the bytes */
  const assertFor = async (bytes: number): Promise<void> => {
    const remaining = (await freeBytes(folder)) - spareBytes - bytes;
    if (remaining < 0) throw diskFull();
    granted = Math.min(CHECK_INTERVAL_BYTES, remaining);
  };

  return {
    assertFor,
    /** Yields the same bytes, and throws that error when the disk fills up. */
    async *bounded(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
      await assertFor(0);
      for await (const part of content) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part;
        if (bytes.length > granted) await assertFor(bytes.length);
        else granted -= bytes.length;
        yield bytes;
      }
    },
  };
}

export type DiskRoom = ReturnType<typeof createDiskRoom>;

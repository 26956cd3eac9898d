import { statfs } from 'node:fs/promises';
import { HttpError } from '../http/errors.ts';

export interface DiskRoomOptions {
  /** A folder on the disk in question. */
  folder: string;
  /** Bytes that stay free. */
  spareBytes: number;
  /** Bytes that the disk of a folder has left. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** What is left of a disk for what people send. */
export interface DiskRoom {
  /** @throws HttpError 507 where the disk has no room for so many more bytes. */
  assertFor(bytes: number): Promise<void>;
  /** The same bytes, which end with that refusal where the disk fills up meanwhile. */
  bounded(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer>;
}

/** Bytes that are written between two looks at the disk, by all writers together. */
const LOOK_EVERY_BYTES = 4 * 1_048_576;

const diskFull = (cause?: unknown): HttpError =>
  Object.assign(
    new HttpError(
      507,
      'disk_full',
      'The disk of this server is nearly full, so nothing more can be stored. Whoever runs the server can make room.',
    ),
    { cause },
  );

/** Bytes that the disk has left on which a folder lies. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What a disk says that is full, or a person's share of it, as a refusal; anything else as it is. */
export const asDiskFull = (error: unknown): unknown =>
  /^(?:ENOSPC|EDQUOT)$/u.test((error as { code?: string } | null)?.code ?? '')
    ? diskFull(error)
    : error;

/** Whether something was refused for want of room on the disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof HttpError && error.code === 'disk_full';

/** Looks at the disk before something is written and again every few megabytes. */
export function createDiskRoom({
  folder,
  spareBytes,
  freeBytes = freeBytesOf,
}: DiskRoomOptions): DiskRoom {
  /** Bytes that may be written before the next look. */
  let granted = 0;

  const assertFor = async (bytes: number): Promise<void> => {
    const left = (await freeBytes(folder)) - spareBytes - bytes;
    if (left < 0) throw diskFull();
    granted = Math.min(LOOK_EVERY_BYTES, left);
  };

  return {
    assertFor,
    async *bounded(content) {
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

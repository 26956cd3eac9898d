import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asDiskFull, type DiskRoom } from './disk-room.ts';

/** Runs work on paths at which child processes can read files that are kept elsewhere. */
export type WithLocalCopies = <Result>(
  keys: readonly string[],
  read: (key: string) => Promise<Readable>,
  work: (paths: string[]) => Promise<Result>,
) => Promise<Result>;

/**
 * Copies of stored files on this disk, for as long as something works on them. The folder is this
 * process's own: what a kill left in it is removed here.
 */
export async function createLocalCopies({
  folder,
  room,
}: {
  folder: string;
  /** What the disk of the folder has left. */
  room: Pick<DiskRoom, 'bounded'>;
}): Promise<WithLocalCopies> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  return async (keys, read, work) => {
    // A folder each: two readings of one file do not wait for each other, nor see an older copy.
    const own = join(folder, randomUUID());
    try {
      await mkdir(own);
      const paths: string[] = [];
      for (const [at, key] of keys.entries()) {
        const path = join(own, String(at));
        await pipeline(room.bounded(await read(key)), createWriteStream(path, { flags: 'wx' }));
        paths.push(path);
      }
      return await work(paths);
    } catch (error) {
      throw asDiskFull(error);
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };
}

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asDiskFull, type DiskRoom } from './disk-room.ts';

/** Copies of stored files for child processes. The folder is this process's own. */
export async function createLocalCopies({
  folder,
  room,
}: {
  folder: string;
  room: Pick<DiskRoom, 'bounded'>;
}) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  return async <Result>(
    keys: readonly string[],
    read: (key: string) => Promise<Readable>,
    work: (paths: string[]) => Promise<Result>,
  ): Promise<Result> => {
    // Each call has its own folder, so that none waits for another or sees an older copy.
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

export type WithLocalCopies = Awaited<ReturnType<typeof createLocalCopies>>;

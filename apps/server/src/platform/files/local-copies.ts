import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asDiskFull, type DiskRoom } from './disk-room.ts';

/** Makes local copies of stored files for child processes. No other process uses the folder. */
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
    use: (paths: string[]) => Promise<Result>,
  ): Promise<Result> => {
    // Each call has its own folder, so that calls are independent.
    const callFolder = join(folder, randomUUID());
    try {
      await mkdir(callFolder);
      const paths: string[] = [];
      for (const [index, key] of keys.entries()) {
        const path = join(callFolder, String(index));
        await pipeline(room.bounded(await read(key)), createWriteStream(path, { flags: 'wx' }));
        paths.push(path);
      }
      return await use(paths);
    } catch (error) {
      throw asDiskFull(error);
    } finally {
      await rm(callFolder, { recursive: true, force: true });
    }
  };
}

export type WithLocalCopies = Awaited<ReturnType<typeof createLocalCopies>>;

import path from 'node:path';
import { type Config, filesFolder } from '../config.ts';
import { createDiskFileStore } from '../platform/files/disk.ts';
import { createDiskRoom, type DiskRoom } from '../platform/files/disk-room.ts';
import type { FileStore } from '../platform/files/files.ts';
import { createLocalCopies } from '../platform/files/local-copies.ts';

const MEGABYTE = 1_048_576;

export interface FileStoreSurroundings {
  /** What the disk of the data folder has left. */
  room: DiskRoom;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/**
 * Opens where people's files are kept, as ENGRAM_FILES says.
 * @throws Error with a sentence where that cannot be used.
 */
export async function openFileStore(
  config: Config,
  { room, freeBytes }: FileStoreSurroundings,
): Promise<FileStore> {
  const { files = '', dataDir, minFreeMb, s3Endpoint } = config;
  const folder = filesFolder(config);
  if (folder !== null) {
    if (files === '') return createDiskFileStore({ folder, room });
    const spareBytes = minFreeMb * MEGABYTE;
    const own = createDiskRoom({ folder, spareBytes, ...(freeBytes ? { freeBytes } : {}) });
    return createDiskFileStore({ folder, room: own });
  }
  // The library is large, and only who uses it loads it.
  const { createS3FileStore } = await import('../platform/files/s3.ts');
  const { hostname: bucket, pathname } = new URL(files);
  const copies = await createLocalCopies({ folder: path.join(dataDir, 'copies'), room });
  return createS3FileStore({ bucket, prefix: pathname.slice(1), endpoint: s3Endpoint, copies });
}

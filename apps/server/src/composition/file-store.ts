import path from 'node:path';
import { type Config, filesFolder } from '../config.ts';
import { createDiskFileStore } from '../platform/files/disk.ts';
import { createDiskRoom, type DiskRoom } from '../platform/files/disk-room.ts';
import type { FileStore } from '../platform/files/files.ts';
import { createLocalCopies, type WithLocalCopies } from '../platform/files/local-copies.ts';

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
  config: Pick<Config, 'files' | 'dataDir' | 'minFreeMb' | 's3Endpoint'>,
  { room, freeBytes }: FileStoreSurroundings,
): Promise<FileStore> {
  const { files = '', dataDir } = config;
  const folder = filesFolder(config);
  if (folder === null) {
    const copies = await createLocalCopies({ folder: path.join(dataDir, 'copies'), room });
    return openBucket(config, { setting: 'ENGRAM_FILES', place: files, copies });
  }
  return files === ''
    ? createDiskFileStore({ folder, room })
    : openFolder(config, folder, freeBytes);
}

/** What the disk of a folder has left for what people send. */
export const roomOf = (
  { minFreeMb }: Pick<Config, 'minFreeMb'>,
  folder: string,
  freeBytes?: FileStoreSurroundings['freeBytes'],
): DiskRoom => createDiskRoom({ folder, spareBytes: minFreeMb * 1_048_576, freeBytes });

/** Opens a folder on a disk of its own. */
export const openFolder = (
  config: Pick<Config, 'minFreeMb'>,
  folder: string,
  freeBytes?: FileStoreSurroundings['freeBytes'],
): Promise<FileStore> => createDiskFileStore({ folder, room: roomOf(config, folder, freeBytes) });

export interface BucketOptions {
  /** What named the bucket, for whoever reads that it cannot be used. */
  setting: string;
  /** As s3://bucket or s3://bucket/prefix. */
  place: string;
  copies: WithLocalCopies;
}

/** Opens a bucket. @throws Error with a sentence where it cannot be used */
export async function openBucket(
  { s3Endpoint: endpoint }: Pick<Config, 's3Endpoint'>,
  { setting, place, copies }: BucketOptions,
): Promise<FileStore> {
  // The library is large, and only who uses it loads it.
  const { createS3FileStore } = await import('../platform/files/s3.ts');
  const { hostname: bucket, pathname } = new URL(place);
  return createS3FileStore({ setting, bucket, prefix: pathname.slice(1), endpoint, copies });
}

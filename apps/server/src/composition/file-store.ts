import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Config, filesFolder } from '../config.ts';
import type { BackupPlace } from '../features/backup/manifest.ts';
import { createDiskFileStore } from '../platform/files/disk.ts';
import { createDiskRoom, type DiskRoom } from '../platform/files/disk-room.ts';
import type { FileStore } from '../platform/files/files.ts';
import { createLocalCopies, type WithLocalCopies } from '../platform/files/local-copies.ts';

type FreeBytes = (folder: string) => Promise<number>;

/** The free space on the disk of a folder, minus the reserve of ENGRAM_MIN_FREE_MB. */
export const roomOf = (
  { minFreeMb }: Pick<Config, 'minFreeMb'>,
  folder: string,
  freeBytes?: FreeBytes,
): DiskRoom => createDiskRoom({ folder, spareBytes: minFreeMb * 1_048_576, freeBytes });

async function openBucket(
  { s3Endpoint: endpoint }: Pick<Config, 's3Endpoint'>,
  setting: string,
  place: string,
  copies: WithLocalCopies,
): Promise<FileStore> {
  // The library is large, so it is loaded only if it is needed.
  const { createS3FileStore } = await import('../platform/files/s3.ts');
  const { hostname: bucket, pathname } = new URL(place);
  return createS3FileStore({ setting, bucket, prefix: pathname.slice(1), endpoint, copies });
}

/** Opens the store of users' files, as ENGRAM_FILES says. @throws Error if it cannot be used */
export async function openFileStore(
  config: Pick<Config, 'files' | 'dataDir' | 'minFreeMb' | 's3Endpoint'>,
  { room, freeBytes }: { room: DiskRoom; freeBytes?: FreeBytes | undefined },
): Promise<FileStore> {
  const { files, dataDir } = config;
  const folder = filesFolder(config);
  if (folder === null) {
    const copies = await createLocalCopies({ folder: path.join(dataDir, 'copies'), room });
    return openBucket(config, 'ENGRAM_FILES', files ?? '', copies);
  }
  // A different folder may be on a different disk.
  const folderRoom = files === undefined ? room : roomOf(config, folder, freeBytes);
  return createDiskFileStore({ folder, room: folderRoom });
}

/** Opens an existing folder or s3://bucket/prefix, named by a setting. @throws Error if it cannot be used */
export async function openBackupPlace(
  config: Pick<Config, 'minFreeMb' | 's3Endpoint'>,
  place: string,
  setting = 'ENGRAM_BACKUP',
): Promise<BackupPlace> {
  const isBucket = place.startsWith('s3:');
  // If the folder is missing, the disk may not be mounted.
  if (!isBucket && !(await stat(place).catch(() => null))?.isDirectory()) {
    throw new Error(
      `${setting} names the folder ${place}, which does not exist. Create or mount it.`,
    );
  }
  const noCopies = () => Promise.reject(new Error('Backups have no local copies.'));
  const open = (name: string): Promise<FileStore> => {
    if (isBucket)
      return openBucket(config, setting, `${place.replace(/\/$/u, '')}/${name}`, noCopies);
    const folder = path.join(path.resolve(place), name);
    return createDiskFileStore({ folder, room: roomOf(config, folder) });
  };
  const backups = await open('backups');
  const pool = await open('files');
  return {
    backups,
    pool,
    close() {
      backups.close();
      pool.close();
    },
  };
}

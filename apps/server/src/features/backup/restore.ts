import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lockDataFolder } from '../../platform/database/data-folder-lock.ts';
import { FileNotFoundError, type FileStore, type StoredBytes } from '../../platform/files/files.ts';
import { forEachConcurrently, measure, unpack, verifyDatabase } from './archive.ts';
import {
  type Backup,
  type BackupPlace,
  copyKey,
  dataKey,
  filesOf,
  type SavedFile,
} from './manifest.ts';

interface RestoreOptions {
  place: BackupPlace;
  backup: Backup;
  dataDir: string;
  /** Opens the file store, after the data folder was checked. */
  openFiles: () => Promise<FileStore>;
  /** Skips files whose bytes in the backup are missing or damaged. */
  skipDamaged: boolean;
}

/** A folder that exists until the restore is complete, and prevents the server from starting. */
const RESTORING = 'restoring';

const IGNORED = new Set(['lock', 'lost+found']);

/** @throws Error if a restore into the data folder was interrupted */
export function assertNotRestoring(dataDir: string): void {
  if (!existsSync(path.join(dataDir, RESTORING))) return;
  throw new Error(
    `A restore into the data folder ${dataDir} was interrupted. Run 'npm run restore' again, or empty the folder.`,
  );
}

const isSame = (a: StoredBytes, b: StoredBytes): boolean =>
  a.size === b.size && a.sha256 === b.sha256;

async function restoreData({ place, backup }: RestoreOptions, folder: string): Promise<void> {
  const archive = path.join(folder, 'data.zip');
  const content = await place.backups.read(dataKey(backup.prefix));
  await pipeline(content, createWriteStream(archive, { mode: 0o600 }));
  if (!isSame(await measure(createReadStream(archive)), backup.data)) {
    throw new Error(`The database of the backup ${backup.name} is damaged.`);
  }
  await unpack(archive, folder);
  await rm(archive);
  await verifyDatabase(folder);
  await rm(path.join(folder, 'lock'));
}

async function restoreFiles(
  { place, backup }: RestoreOptions,
  files: FileStore,
): Promise<string[]> {
  const damaged: string[] = [];
  const saved: SavedFile[] = [];
  for await (const file of filesOf(place.backups, backup)) saved.push(file);
  await forEachConcurrently(saved, async (file) => {
    try {
      if (isSame(await files.write(file.key, await place.pool.read(copyKey(file))), file)) return;
      await files.remove(file.key);
    } catch (error) {
      if (!(error instanceof FileNotFoundError)) throw error;
    }
    damaged.push(file.key);
  });
  return damaged.sort();
}

async function openEmpty({ dataDir, openFiles }: RestoreOptions): Promise<FileStore> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const entries = await readdir(dataDir);
  const isResumed = entries.includes(RESTORING);
  if (!isResumed && entries.some((name) => !IGNORED.has(name))) {
    throw new Error(
      `The data folder ${dataDir} is not empty. Set ENGRAM_DATA_DIR to an empty or new folder.`,
    );
  }
  await mkdir(path.join(dataDir, RESTORING), { recursive: true, mode: 0o700 });
  const store = await openFiles();
  if (!isResumed && (await store.owners()).length > 0) {
    await rm(path.join(dataDir, RESTORING), { recursive: true });
    throw new Error('ENGRAM_FILES already has files of users. Set it to an empty location.');
  }
  return store;
}

/**
 * Restores a backup into an empty data folder. The first start of the server rebuilds the search index.
 * An interrupted restore must be repeated. Returns the keys of skipped files.
 * @throws Error if the folder is in use or not empty, or the backup is damaged
 */
export async function restore(options: RestoreOptions): Promise<string[]> {
  const { dataDir, backup, skipDamaged } = options;
  const lock = lockDataFolder(dataDir);
  let files: FileStore | null = null;
  try {
    files = await openEmpty(options);
    const folder = path.join(dataDir, RESTORING);
    for (const name of await readdir(folder))
      await rm(path.join(folder, name), { recursive: true });
    await restoreData(options, folder);
    const damaged = await restoreFiles(options, files);
    if (damaged.length > 0 && !skipDamaged) {
      throw new Error(
        `Files of the backup ${backup.name} are missing or damaged: ${damaged.join(', ')}. Use another backup, or skip them with --skip-damaged.`,
      );
    }
    for (const name of await readdir(folder)) {
      await rm(path.join(dataDir, name), { recursive: true, force: true });
      await rename(path.join(folder, name), path.join(dataDir, name));
    }
    await rm(folder, { recursive: true });
    return damaged;
  } finally {
    files?.close();
    lock.release();
  }
}

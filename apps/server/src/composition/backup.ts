import path from 'node:path';
import { stat } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Backup } from '../features/backup/manifest.ts';
import {
  type Backups,
  type BackupPlace,
  type BackupsDependencies,
  createBackups,
} from '../features/backup/backups.ts';
import type { Figure } from '../platform/observability/metrics.ts';
import type { Observability } from '../platform/observability/open-observability.ts';
import type { Core } from './core.ts';
import { openBucket, openFolder } from './file-store.ts';

/**
 * Opens a place of backups: a folder that is there, or s3://bucket/prefix.
 * @param setting what named it, for whoever reads that it cannot be used
 * @throws Error with a sentence where it cannot be used
 */
export async function openBackupPlace(
  config: Pick<Config, 'minFreeMb' | 's3Endpoint'>,
  place: string,
  setting = 'ENGRAM_BACKUP',
): Promise<BackupPlace> {
  const isBucket = place.startsWith('s3:');
  // A disk that is not mounted is not to be taken for an empty one.
  if (!isBucket && !(await stat(place).catch(() => null))?.isDirectory()) {
    throw new Error(`${setting} names the folder ${place}, which is not there. Make or mount it.`);
  }
  const open = (name: string) =>
    isBucket
      ? openBucket(config, { setting, place: `${place.replace(/\/$/u, '')}/${name}`, copies })
      : openFolder(config, path.join(path.resolve(place), name));
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

const copies = () => Promise.reject(new Error('Nothing reads a backup by its path.'));

/** Null where no backups are wanted. */
export function createBackupsOf(
  config: Config,
  deps: Omit<BackupsDependencies, 'openPlace' | 'keep' | 'hour' | 'timeZone' | 'dataDir'>,
): Backups | null {
  const { backup, backupKeep: keep, backupHour: hour, timeZone, dataDir } = config;
  if (backup === undefined) return null;
  const openPlace = () => openBackupPlace(config, backup);
  return createBackups({ ...deps, openPlace, dataDir, keep, hour, timeZone });
}

/**
 * The backups of a server that runs, with their figures. They come right after maintenance: the log
 * that a copy of the database takes along is short then.
 */
export function createNightlyBackups(core: Core, observability: Observability): Backups | null {
  const { config, version, log, now } = core;
  const { database, files, room, backgroundYield } = core.storage;
  const { yieldToRequests } = backgroundYield;
  const backups = createBackupsOf(config, {
    database,
    files,
    room,
    yieldToRequests,
    version,
    log,
    now,
  });
  if (backups) observability.metrics.add(figuresOfBackups(backups));
  return backups;
}

/** The time and size of the newest complete backup, without a value until there is one. */
function figuresOfBackups({ last }: Pick<Backups, 'last'>): Figure[] {
  const read = (value: (backup: Backup) => number) => async () => {
    const backup = await last();
    return backup ? [{ labels: {}, value: value(backup) }] : [];
  };
  return [
    {
      name: 'engram_backup_last_success_timestamp_seconds',
      help: 'When the newest whole backup was begun, in seconds since 1970.',
      labels: [],
      read: read(({ at }) => at.getTime() / 1000),
    },
    {
      name: 'engram_backup_files',
      help: 'Files in the newest whole backup.',
      labels: [],
      read: read(({ files }) => files),
    },
  ];
}

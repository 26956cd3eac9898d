import path from 'node:path';
import { stat } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Backup, BackupPlace } from '../features/backup/manifest.ts';
import { type Backups, type BackupCore, createBackups } from '../features/backup/backups.ts';
import type { Figure } from '../platform/observability/metrics.ts';
import type { Observability } from '../platform/observability/open-observability.ts';
import type { Core } from './core.ts';
import { openBucket, openFolder } from './file-store.ts';

/**
 * Opens an existing folder or s3://bucket/prefix for backups.
 * @param setting the setting or argument that named it, for error messages
 * @throws Error if it cannot be used
 */
export async function openBackupPlace(
  config: Pick<Config, 'minFreeMb' | 's3Endpoint'>,
  place: string,
  setting = 'ENGRAM_BACKUP',
): Promise<BackupPlace> {
  const isBucket = place.startsWith('s3:');
  // If the folder is missing, the disk may not be mounted.
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

/** Null if no backups are configured. */
export function createBackupsOf(core: BackupCore & { config: Config }): Backups | null {
  const { config } = core;
  const { backup } = config;
  return backup === undefined ? null : createBackups(core, () => openBackupPlace(config, backup));
}

/** The backups of a running server, with their metrics. */
export function createNightlyBackups(core: Core, { metrics }: Observability): Backups | null {
  const backups = createBackupsOf(core);
  if (backups) metrics.add(figuresOfBackups(backups));
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

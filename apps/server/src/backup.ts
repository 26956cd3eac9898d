import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { createBackupsOf } from './composition/backup.ts';
import { openFileStore } from './composition/file-store.ts';
import { version } from './composition/version.ts';
import { loadConfig, settings } from './config.ts';
import { describeBackups } from './features/backup/describe.ts';
import { openDatabase } from './platform/database/database.ts';
import { createDiskRoom } from './platform/files/disk-room.ts';
import { PRIVATE_UMASK } from './platform/files/private-umask.ts';
import { assertMayStart } from './settings/start-rules.ts';

const MEGABYTE = 1_048_576;

/** Writes a backup of the data folder of a server that is stopped, without changing its schema. */
async function run(): Promise<void> {
  parseArgs({ options: {} });
  const { ENGRAM_DATA_DIR, ENGRAM_BACKUP } = process.env;
  const folder = path.resolve(settings.dataDir.schema.parse(ENGRAM_DATA_DIR || undefined));
  if (!ENGRAM_BACKUP) {
    throw new Error('Set ENGRAM_BACKUP to a folder on another disk, or s3://bucket/prefix.');
  }
  if (!existsSync(path.join(folder, 'database'))) {
    throw new Error(`There is no data of Engram in ${folder}. ENGRAM_DATA_DIR names another one.`);
  }
  const config = loadConfig(process.env);
  assertMayStart(config);
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ dataDir: config.dataDir, log });
  try {
    const spareBytes = config.minFreeMb * MEGABYTE;
    const room = createDiskRoom({ folder: config.dataDir, spareBytes });
    const files = await openFileStore(config, { room });
    const stepBack = async (): Promise<void> => undefined;
    const now = () => new Date();
    const backups = createBackupsOf(config, { database, files, room, stepBack, version, log, now });
    const backup = await backups?.run().finally(files.close);
    process.stdout.write(describeBackups(backup ? [backup] : []));
  } finally {
    await database.close();
  }
}

process.umask(PRIVATE_UMASK);
try {
  await run();
} catch (error) {
  const told = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `No backup was written. (While Engram runs, it writes one by itself every night.)\n${told}\n`,
  );
  process.exitCode = 1;
}

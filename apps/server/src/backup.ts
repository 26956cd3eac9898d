import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { createBackupsOf } from './composition/backup.ts';
import { openFileStore, roomOf } from './composition/file-store.ts';
import { runCommand } from './composition/run-command.ts';
import { version } from './composition/version.ts';
import { loadConfig, settings } from './config.ts';
import { describeBackups } from './features/backup/describe.ts';
import { openDatabase } from './platform/database/database.ts';
import { assertMayStart } from './settings/start-rules.ts';

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
    const room = roomOf(config, config.dataDir);
    const files = await openFileStore(config, { room });
    const yieldToRequests = async (): Promise<void> => undefined;
    const now = () => new Date();
    const backups = createBackupsOf(config, {
      database,
      files,
      room,
      yieldToRequests,
      version,
      log,
      now,
    });
    const backup = await backups?.run().finally(files.close);
    process.stdout.write(describeBackups(backup ? [backup] : []));
  } finally {
    await database.close();
  }
}

await runCommand(
  'No backup was written. (While Engram runs, it writes one by itself every night.)',
  run,
);

import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { openBackupPlace, openFileStore, roomOf } from './composition/file-store.ts';
import { runCommand } from './run-command.ts';
import { loadConfig, settings, version } from './config.ts';
import { createBackups } from './features/backup/backups.ts';
import { describeBackups } from './features/backup/manifest.ts';
import { openDatabase } from './platform/database/database.ts';
import { createBackgroundYield } from './platform/http/background-yield.ts';
import { assertMayStart } from './settings/start-rules.ts';

/** Writes a backup of a data folder whose server is stopped, without changing the schema. */
async function run(): Promise<void> {
  parseArgs({ options: {} });
  const { ENGRAM_DATA_DIR, ENGRAM_BACKUP } = process.env;
  const folder = path.resolve(settings.dataDir.schema.parse(ENGRAM_DATA_DIR || undefined));
  if (!ENGRAM_BACKUP) {
    throw new Error('Set ENGRAM_BACKUP to a folder on another disk, or s3://bucket/prefix.');
  }
  if (!existsSync(path.join(folder, 'database'))) {
    throw new Error(`${folder} contains no Engram data. Set ENGRAM_DATA_DIR to another folder.`);
  }
  const config = loadConfig(process.env);
  assertMayStart(config);
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ dataDir: config.dataDir, log });
  try {
    const room = roomOf(config, config.dataDir);
    const files = await openFileStore(config, { room });
    const storage = { database, files, room, backgroundYield: createBackgroundYield() };
    const backups = createBackups({ config, storage, version, log, now: () => new Date() }, () =>
      openBackupPlace(config, ENGRAM_BACKUP),
    );
    process.stdout.write(describeBackups([await backups.run().finally(files.close)]));
  } finally {
    await database.close();
  }
}

await runCommand(
  'No backup was written. (While Engram runs, it writes one automatically every night.)',
  run,
);

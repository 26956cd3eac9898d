import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBackupPlace, openFileStore, roomOf } from './composition/file-store.ts';
import { loadConfig } from './config.ts';
import {
  type Backup,
  type BackupPlace,
  describeBackups,
  listBackups,
} from './features/backup/manifest.ts';
import { restore } from './features/backup/restore.ts';
import { runCommand } from './run-command.ts';

/** A restore signs nothing. With this value no secret is created in the folder. */
const NO_SECRET = 'a restore needs no secret of its own';

function choose(backups: readonly Backup[], name: string | undefined): Backup {
  const chosen =
    name === undefined ? backups.at(-1) : backups.find((backup) => backup.name === name);
  if (chosen) return chosen;
  const available =
    backups.length > 0 ? `Available:\n${describeBackups(backups)}` : 'There are no backups.';
  throw new Error(`There is no backup ${name ?? 'to restore'}. ${available}`);
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      backup: { type: 'string' },
      'skip-damaged': { type: 'boolean', default: false },
    },
  });
  const [from, ...more] = positionals;
  if (from === undefined || more.length > 0) {
    throw new Error('Name one folder or bucket. npm run restore -- --help lists the options.');
  }
  const config = loadConfig({ ...process.env, ENGRAM_SECRET: NO_SECRET });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL names a database server, but backups contain the embedded database. See docs/how-to/back-up-and-restore.md.',
    );
  }
  const place: BackupPlace = await openBackupPlace(config, from, 'FROM');
  try {
    const { complete, unreadable } = await listBackups(place.backups);
    if (unreadable.length > 0) {
      process.stderr.write(`Manifests that cannot be read: ${unreadable.join(', ')}.\n`);
    }
    if (values.list) {
      process.stdout.write(describeBackups(complete));
      return;
    }
    const { dataDir } = config;
    const backup = choose(complete, values.backup);
    const skipped = await restore({
      place,
      backup,
      dataDir,
      skipDamaged: values['skip-damaged'],
      openFiles: () => openFileStore(config, { room: roomOf(config, dataDir) }),
    });
    process.stdout.write(`Restored into ${path.resolve(dataDir)}:\n${describeBackups([backup])}`);
    process.stdout.write(
      'The server rebuilds the search index at its next start. Until then the doctor reports the files as missing in it.\n',
    );
    if (skipped.length > 0) process.stdout.write(`Skipped: ${skipped.join(', ')}.\n`);
  } finally {
    place.close();
  }
}

await runCommand('Nothing was restored.', run);

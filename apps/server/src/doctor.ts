import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { runCommand } from './run-command.ts';
import { filesFolder, loadConfig, settings } from './config.ts';
import { createDependencies, type Dependencies } from './dependencies.ts';
import type { Tally } from './features/consistency/findings.ts';
import { checkModes } from './features/consistency/private-modes.ts';
import { describeReport, type DoctorReport } from './features/consistency/report.ts';
import { newestMigration } from './platform/database/migrate.ts';

const WELL = 0;
const INCONSISTENT = 1;
const NOT_EXAMINED = 2;

/** Bytes of all files in a folder; 0 if it is missing. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    // A file may have been deleted since it was listed.
    if (entry.isFile()) {
      bytes += await stat(path.join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return bytes;
}

async function indexRows({ index }: Dependencies): Promise<number> {
  let rows = 0;
  for (const userId of await index.users()) {
    // An index that cannot be opened is among the findings.
    rows += await index.size(userId).catch(() => 0);
  }
  return rows;
}

/** The newest backup, or why it cannot be read. */
async function lastBackup({ services }: Dependencies): Promise<Pick<DoctorReport, 'backup'>> {
  if (services.backups === null) return {};
  const backup = await services.backups.last().then(
    (newest) => newest && { name: newest.name, files: newest.files },
    (error: Error) => ({ problem: error.message }),
  );
  return { backup };
}

async function examine(deps: Dependencies, fix: boolean): Promise<DoctorReport> {
  const { consistency, auth, deletion } = deps.services;
  const { erasure } = deletion;
  const { dataDir } = deps.config;
  const files = filesFolder(deps.config);
  const inspect = async (repair: boolean): Promise<Tally[]> => [
    ...(await (repair ? consistency.repair() : consistency.check())),
    ...(await checkModes(dataDir, repair)),
  ];
  const findings = await inspect(fix);
  if (fix) {
    await erasure.purgeIndexes();
    await erasure.scrubDatabase();
  }
  const remaining = fix ? await inspect(false) : findings;
  const disk: Record<string, number> = {};
  const folders = {
    database: path.join(dataDir, 'database'),
    // The sizes of a bucket and of an OpenSearch are not measured.
    ...(files === null ? {} : { files }),
    ...(deps.config.search === undefined ? { index: path.join(dataDir, 'index') } : {}),
  };
  for (const [name, folder] of Object.entries(folders)) disk[name] = await folderBytes(folder);
  return {
    version: deps.version,
    dataFolder: dataDir,
    users: await auth.accounts.count(),
    files: await deps.storage.artifactsRepository.countByStatus(),
    indexRows: await indexRows(deps),
    schema: (await newestMigration(deps.database)) ?? 'none',
    disk,
    ...(await lastBackup(deps)),
    findings,
    left: remaining.reduce((sum, { count }) => sum + count, 0),
  };
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      fix: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'take-over': { type: 'boolean', default: false },
    },
  });
  const { fix, json, 'take-over': replaceInstallation } = values;
  const { ENGRAM_DATA_DIR, DATABASE_URL } = process.env;
  const dataDir = path.resolve(settings.dataDir.schema.parse(ENGRAM_DATA_DIR || undefined));
  if (!existsSync(DATABASE_URL ? dataDir : path.join(dataDir, 'database'))) {
    throw new Error(`${dataDir} contains no Engram data. Set ENGRAM_DATA_DIR to another folder.`);
  }
  const config = loadConfig({
    ...process.env,
    ENGRAM_LLM: 'none',
    ENGRAM_EMBEDDINGS: 'none',
    ENGRAM_RERANKER: 'none',
    ENGRAM_METRICS_PORT: '',
    OTEL_SDK_DISABLED: 'true',
  });
  const log = pino({ level: 'silent' });
  const deps = await createDependencies(config, {
    log,
    now: () => new Date(),
    warmUp: false,
    replaceInstallation,
  });
  try {
    const report = await examine(deps, fix);
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : describeReport(report));
    return report.left === 0 ? WELL : INCONSISTENT;
  } finally {
    await deps.close();
  }
}

await runCommand('The doctor could not examine the data.', run, NOT_EXAMINED);

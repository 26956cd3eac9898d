import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import type { Storage } from '../../composition/storage.ts';
import type { Config } from '../../config.ts';
import { FileNotFoundError, type StoredBytes } from '../../platform/files/files.ts';
import { createZipWriter } from '../../platform/files/zip-writer.ts';
import { forEachConcurrently, measure, pack, verifyDatabase } from './archive.ts';
import {
  type Backup,
  type BackupPlace,
  copyKey,
  dataKey,
  filesOf,
  listBackups,
  prefixOf,
  removeBackup,
  type SavedFile,
  type Summary,
  writeManifest,
} from './manifest.ts';

type BackupCore = Pick<Core, 'version' | 'log' | 'now'> & {
  config: Pick<Config, 'dataDir' | 'backupKeep' | 'backupHour' | 'timeZone'>;
  storage: Pick<Storage, 'database' | 'files' | 'room' | 'backgroundYield'>;
};

/** How long requests may delay copying a file. */
const YIELD_MS = 100;
const HOUR_MS = 3_600_000;
/** The age at which incomplete files are removed. */
const ABANDONED_MS = 24 * HOUR_MS;

/** Other files of the data folder. If the secret is a setting, it has no file. */
const SMALL_FILES = ['installation', 'secret'];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Backups of an installation with the embedded database. Each is complete and shares files with others. */
export function createBackups(
  { config, storage, version, log, now }: BackupCore,
  openPlace: () => Promise<BackupPlace>,
) {
  const { database, files } = storage;
  const { dataDir, backupKeep: keep, backupHour, timeZone } = config;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  /** The date, if days began at the hour of backups. */
  const nightOf = (time: Date) => day.format(new Date(time.getTime() - backupHour * HOUR_MS));
  let latest: Backup | null | undefined;

  async function saveData(
    { backups }: BackupPlace,
    prefix: string,
    time: Date,
    signal: AbortSignal | undefined,
  ): Promise<{ data: StoredBytes; schema: string }> {
    const scratch = path.join(dataDir, 'backup');
    await rm(scratch, { recursive: true, force: true });
    const { rows } = await database.pool.query<{ bytes: string }>(
      'select sum(size) + pg_database_size(current_database()) as bytes from pg_ls_waldir()',
    );
    await storage.room.assertFor(Number(rows[0]?.bytes));
    try {
      await database.copyTo(scratch, signal);
      const schema = await verifyDatabase(scratch);
      await rm(path.join(scratch, 'lock'));
      for (const name of SMALL_FILES) {
        await copyFile(path.join(dataDir, name), path.join(scratch, name)).catch(unlessMissing);
      }
      const zip = createZipWriter();
      if (signal) addAbortSignal(signal, zip.output);
      const [data] = await Promise.all([
        backups.write(dataKey(prefix), zip.output),
        pack(zip, scratch, time),
      ]);
      return { data, schema };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /**
   * Saves files before the database is copied, to include files that are deleted during the copy, and
   * again afterwards for new files. Only files that were added and deleted in between are missing.
   */
  async function write(place: BackupPlace, signal: AbortSignal | undefined): Promise<Backup> {
    const startedAt = performance.now();
    const time = now();
    const installation = await installationOf(dataDir);
    const prefix = prefixOf(installation, time);
    const others = (await place.backups.owners()).filter((owner) => owner !== installation);
    if (others.length > 0) {
      throw new Error('ENGRAM_BACKUP has backups of another installation. Use another location.');
    }
    const newest = (await listBackups(place.backups)).complete.at(-1);
    const inNewest = new Map<string, SavedFile>();
    if (newest) {
      for await (const file of filesOf(place.backups, newest)) inNewest.set(file.key, file);
    }
    const pooled = new Set(await place.pool.list(''));
    const saved = new Map<string, SavedFile>();

    /** Copies a file, unless the newest backup has it with the same modification time. */
    const saveFile = async (key: string): Promise<void> => {
      signal?.throwIfAborted();
      const { size, changedAt } = await files.stat(key);
      const copy = changedAt.getTime().toString(36);
      const existing = saved.get(key) ?? inNewest.get(key);
      const target = copyKey({ key, copy });
      const isSame = existing?.copy === copy && existing.size === size;
      if (isSame && (saved.has(key) || pooled.has(target))) {
        saved.set(key, existing);
        return;
      }
      await storage.backgroundYield.yieldToRequests(YIELD_MS);
      const content = await files.read(key);
      if (signal) addAbortSignal(signal, content);
      try {
        // A file that an interrupted run copied is only read for its checksum.
        const isCopied = pooled.has(target) && (await place.pool.stat(target)).size === size;
        const stored = await (isCopied ? measure(content) : place.pool.write(target, content));
        saved.set(key, { key, copy, ...stored });
      } finally {
        // After a failed write, the stream is still open.
        content.destroy();
      }
    };
    const saveFiles = async (): Promise<void> =>
      forEachConcurrently(await files.list(''), (key) =>
        saveFile(key).catch((error: unknown) => {
          // The file was deleted since it was listed.
          if (!(error instanceof FileNotFoundError)) throw error;
        }),
      );

    await saveFiles();
    const { data, schema } = await saveData(place, prefix, time, signal);
    await saveFiles();
    const summary: Summary = {
      format: 1,
      engram: version,
      schema,
      at: time,
      files: saved.size,
      bytes: saved.values().reduce((sum, { size }) => sum + size, 0),
      data,
    };
    signal?.throwIfAborted();
    await writeManifest(place.backups, prefix, summary, saved.values());
    const copied = saved.values().filter((file) => !pooled.has(copyKey(file)));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const name = path.posix.basename(prefix);
    log.info(
      `Backup ${name} completed in ${seconds} s: ${saved.size} files, ${[...copied].length} newly copied.`,
    );
    return { ...summary, name, prefix };
  }

  /** Removes old and incomplete backups, and files that no backup contains. */
  async function prune({ backups, pool }: BackupPlace): Promise<void> {
    const { complete, unreadable } = await listBackups(backups);
    for (const { prefix } of complete.slice(0, -keep)) await removeBackup(backups, prefix);
    if (unreadable.length > 0) {
      throw new Error(`the manifests of ${unreadable.join(', ')} cannot be read`);
    }
    const retained = complete.slice(-keep);
    const prefixes = new Set(retained.map(({ prefix }) => prefix));
    for (const key of await backups.list('')) {
      if (!prefixes.has(path.posix.dirname(key))) await backups.remove(key);
    }
    const used = new Set<string>();
    for (const backup of retained) {
      for await (const file of filesOf(backups, backup)) used.add(copyKey(file));
    }
    for (const key of await pool.list('')) if (!used.has(key)) await pool.remove(key);
    const before = new Date(now().getTime() - ABANDONED_MS);
    for (const store of [backups, pool]) await store.removeAbandonedWrites(before);
  }

  async function withPlace<Result>(use: (place: BackupPlace) => Promise<Result>): Promise<Result> {
    const place = await openPlace();
    try {
      return await use(place);
    } finally {
      place.close();
    }
  }

  const run = (signal?: AbortSignal): Promise<Backup> =>
    withPlace(async (place) => {
      const written = await write(place, signal);
      latest = written;
      await prune(place).catch((error: unknown) =>
        log.error({ err: error }, `Old backups were not removed: ${messageOf(error)}.`),
      );
      return written;
    });

  const last = async (): Promise<Backup | null> =>
    (latest ??= await withPlace(
      async ({ backups }) => (await listBackups(backups)).complete.at(-1) ?? null,
    ));

  return {
    run,

    /** Writes the backup of the day if it is missing. Logs errors. */
    async runIfDue(signal?: AbortSignal): Promise<void> {
      try {
        const backup = await last();
        if (backup && nightOf(backup.at) >= nightOf(now())) return;
        await run(signal);
      } catch (error) {
        if (signal?.aborted) return;
        const previous = latest
          ? `The last complete one is ${latest.name}.`
          : 'There is no earlier backup.';
        log.error({ err: error }, `The backup failed: ${messageOf(error)} ${previous}`);
      }
    },

    last,
  };
}

export type Backups = ReturnType<typeof createBackups>;

const unlessMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

async function installationOf(dataDir: string): Promise<string> {
  const text = await readFile(path.join(dataDir, 'installation'), 'utf8');
  return z.object({ id: z.uuid() }).parse(JSON.parse(text)).id;
}

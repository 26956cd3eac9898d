import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import type { Storage } from '../../composition/storage.ts';
import type { Config } from '../../config.ts';
import { FileNotFoundError, type StoredBytes } from '../../platform/files/files.ts';
import { createZipWriter } from '../../platform/files/zip-writer.ts';
import { inLanes, measure, pack, verifyDatabase } from './archive.ts';
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

/** How long the copy of a file may be delayed by requests, in milliseconds. */
const YIELD_MS = 100;
const HOUR_MS = 3_600_000;
/** Age after which incomplete files are removed, in milliseconds. */
const ABANDONED_MS = 24 * HOUR_MS;

/** Files of the data folder that belong to a backup. A configured secret has no file. */
const SMALL_FILES = ['installation', 'secret'];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Backups of an embedded installation. Each is complete, and shares files with the others. */
export function createBackups(
  { config, storage, version, log, now }: BackupCore,
  openPlace: () => Promise<BackupPlace>,
) {
  const { database, files } = storage;
  const { dataDir, backupKeep: keep, backupHour, timeZone } = config;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  /** The date of a day that begins at the hour of backups. */
  const nightOf = (at: Date): string => day.format(new Date(at.getTime() - backupHour * HOUR_MS));
  let latest: Backup | null | undefined;

  async function saveData(
    { backups }: BackupPlace,
    prefix: string,
    at: Date,
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
        pack(zip, scratch, at),
      ]);
      return { data, schema };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /**
   * Saves files before the database is copied, to include files that are deleted meanwhile, and again
   * afterwards for new files. Only a file that was added and deleted in between is missing.
   */
  async function write(place: BackupPlace, signal: AbortSignal | undefined): Promise<Backup> {
    const begun = performance.now();
    const at = now();
    const installation = await installationOf(dataDir);
    const prefix = prefixOf(installation, at);
    const others = (await place.backups.owners()).filter((owner) => owner !== installation);
    if (others.length > 0) {
      throw new Error('The place holds backups of another Engram. Use a separate place for each.');
    }
    const newest = (await listBackups(place.backups)).whole.at(-1);
    const former = new Map<string, SavedFile>();
    if (newest) for await (const file of filesOf(place.backups, newest)) former.set(file.key, file);
    const pooled = new Set(await place.pool.list(''));
    const saved = new Map<string, SavedFile>();

    /** Copies a file, unless the newest backup has it with the same time. */
    const saveFile = async (key: string): Promise<void> => {
      signal?.throwIfAborted();
      const { size, changedAt } = await files.stat(key);
      const copy = changedAt.getTime().toString(36);
      const before = saved.get(key) ?? former.get(key);
      const to = copyKey({ key, copy });
      if (before?.copy === copy && before.size === size && (saved.has(key) || pooled.has(to))) {
        saved.set(key, before);
        return;
      }
      await storage.backgroundYield.yieldToRequests(YIELD_MS);
      const content = await files.read(key);
      if (signal) addAbortSignal(signal, content);
      try {
        // A file that an interrupted run has copied is only read again for its checksum.
        const isThere = pooled.has(to) && (await place.pool.stat(to)).size === size;
        const stored = await (isThere ? measure(content) : place.pool.write(to, content));
        saved.set(key, { key, copy, ...stored });
      } finally {
        // A failed write has not read the stream to its end.
        content.destroy();
      }
    };
    const saveFiles = async (): Promise<void> =>
      inLanes(await files.list(''), (key) =>
        saveFile(key).catch((error: unknown) => {
          // The file was deleted since it was listed.
          if (!(error instanceof FileNotFoundError)) throw error;
        }),
      );

    await saveFiles();
    const { data, schema } = await saveData(place, prefix, at, signal);
    await saveFiles();
    const summary: Summary = {
      format: 1,
      engram: version,
      schema,
      at,
      files: saved.size,
      bytes: saved.values().reduce((sum, { size }) => sum + size, 0),
      data,
    };
    signal?.throwIfAborted();
    await writeManifest(place.backups, prefix, summary, saved.values());
    const copied = saved.values().filter((file) => !pooled.has(copyKey(file)));
    const seconds = Math.round((performance.now() - begun) / 1000);
    const name = path.posix.basename(prefix);
    log.info(
      `The backup ${name} is written: ${saved.size} files, ${[...copied].length} of them copied now, in ${seconds} s.`,
    );
    return { ...summary, name, prefix };
  }

  /** Removes old and incomplete backups, and files that no backup contains. */
  async function prune({ backups, pool }: BackupPlace): Promise<void> {
    const { whole, unreadable } = await listBackups(backups);
    for (const { prefix } of whole.slice(0, -keep)) await removeBackup(backups, prefix);
    if (unreadable.length > 0) {
      throw new Error(`the manifests of ${unreadable.join(', ')} cannot be read`);
    }
    const retained = whole.slice(-keep);
    const prefixes = new Set(retained.map(({ prefix }) => prefix));
    for (const key of await backups.list('')) {
      if (!prefixes.has(path.posix.dirname(key))) await backups.remove(key);
    }
    const named = new Set<string>();
    for (const backup of retained) {
      for await (const file of filesOf(backups, backup)) named.add(copyKey(file));
    }
    for (const key of await pool.list('')) if (!named.has(key)) await pool.remove(key);
    const before = new Date(now().getTime() - ABANDONED_MS);
    for (const store of [backups, pool]) await store.removeAbandonedWrites(before);
  }

  async function inPlace<Result>(work: (place: BackupPlace) => Promise<Result>): Promise<Result> {
    const place = await openPlace();
    try {
      return await work(place);
    } finally {
      place.close();
    }
  }

  async function run(signal?: AbortSignal): Promise<Backup> {
    return inPlace(async (place) => {
      const written = await write(place, signal);
      latest = written;
      await prune(place).catch((error: unknown) =>
        log.error({ err: error }, `Old backups were not removed: ${messageOf(error)}.`),
      );
      return written;
    });
  }

  /** The newest complete backup, cached after the first call. */
  const last = async (): Promise<Backup | null> =>
    (latest ??= await inPlace(
      async ({ backups }) => (await listBackups(backups)).whole.at(-1) ?? null,
    ));

  return {
    run,

    /** Writes the backup of the day if it is missing. Logs the result. */
    async runIfDue(signal?: AbortSignal): Promise<void> {
      try {
        const backup = await last();
        if (backup && nightOf(backup.at) >= nightOf(now())) return;
        await run(signal);
      } catch (error) {
        if (signal?.aborted) return;
        const good = latest ? `the last good one is ${latest.name}` : 'there is no earlier one';
        log.error({ err: error }, `The backup failed, and ${good}: ${messageOf(error)}`);
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

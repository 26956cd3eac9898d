import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { newestMigration } from '../../platform/database/migrate.ts';
import type { DiskRoom } from '../../platform/files/disk-room.ts';
import type { FileStore, StoredBytes } from '../../platform/files/files.ts';
import { createZipWriter } from '../../platform/files/zip-writer.ts';
import { pack } from './archive.ts';
import {
  type Backup,
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
import { saveFiles } from './save-files.ts';

/** Where backups are kept. */
export interface BackupPlace {
  /** A folder for each backup. */
  backups: FileStore;
  /** The bytes of files, shared by all backups. */
  pool: FileStore;
  close(): void;
}

export interface BackupsDependencies {
  database: Pick<Database, 'copyTo' | 'pool'>;
  files: FileStore;
  openPlace: () => Promise<BackupPlace>;
  dataDir: string;
  /** What the disk of the data folder has left. */
  room: Pick<DiskRoom, 'assertFor'>;
  yieldToRequests: (patienceMs: number) => Promise<void>;
  /** How many backups stay. */
  keep: number;
  /** The hour from which on a new day's backup is due, and where it is that hour. */
  hour: number;
  timeZone: string;
  version: string;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  now: () => Date;
}

/** How long a file waits while people are served, in milliseconds. */
const PATIENCE_MS = 100;
const HOUR_MS = 3_600_000;
/** Bytes that were cut short are removed once they are so old: whoever wrote them is gone. */
const ABANDONED_MS = 24 * HOUR_MS;

/** What of a data folder belongs to a backup beside the database; a secret that is set is not in it. */
const SMALL_FILES = ['installation', 'secret'];

const silent = { info() {}, warn() {}, error() {} };

/** Opens a copied database, which shows that it can be, and says which schema it has. */
export async function proveDatabase(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir, log: silent });
  try {
    return (await newestMigration(database)) ?? 'none';
  } finally {
    await database.close();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Backups of an embedded installation: each whole by itself, though it shares files with others. */
export function createBackups(deps: BackupsDependencies) {
  const { database, files, openPlace, dataDir, keep, log, now } = deps;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: deps.timeZone, dateStyle: 'short' });
  /** The day that begins at the hour of backups. */
  const nightOf = (at: Date): string => day.format(new Date(at.getTime() - deps.hour * HOUR_MS));
  let known: Backup | null | undefined;

  /** Only a database that is copied whole, and opens, gets into an archive. */
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
    await deps.room.assertFor(Number(rows[0]?.bytes));
    try {
      await database.copyTo(scratch, signal);
      const schema = await proveDatabase(scratch);
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
   * Files that are there before the database is copied are saved first, so that one which is deleted
   * while that goes on is not missed; what came until then is saved after it. A row in the database
   * lacks its bytes only where both came and went in between.
   */
  async function write(place: BackupPlace, signal: AbortSignal | undefined): Promise<Backup> {
    const begun = performance.now();
    const at = now();
    const installation = await installationOf(dataDir);
    const prefix = prefixOf(installation, at);
    const others = (await place.backups.owners()).filter((owner) => owner !== installation);
    if (others.length > 0) {
      throw new Error('It holds backups of another Engram: give each a place of its own.');
    }
    const newest = (await listBackups(place.backups)).whole.at(-1);
    const known = new Map<string, SavedFile>();
    if (newest) for await (const file of filesOf(place.backups, newest)) known.set(file.key, file);
    const there = new Set(await place.pool.list(''));
    const saved = new Map<string, SavedFile>();
    const yieldToRequests = () => deps.yieldToRequests(PATIENCE_MS);
    const saving = { files, pool: place.pool, there, known, saved, yieldToRequests, signal };

    await saveFiles(saving);
    const { data, schema } = await saveData(place, prefix, at, signal);
    await saveFiles(saving);
    const summary: Summary = {
      format: 1,
      engram: deps.version,
      schema,
      at,
      files: saved.size,
      bytes: saved.values().reduce((sum, { size }) => sum + size, 0),
      data,
    };
    signal?.throwIfAborted();
    await writeManifest(place.backups, prefix, summary, saved.values());
    const fresh = saved.values().filter((file) => !there.has(copyKey(file)));
    const seconds = Math.round((performance.now() - begun) / 1000);
    const name = path.posix.basename(prefix);
    log.info(
      `The backup ${name} is written: ${saved.size} files, ${[...fresh].length} of them copied now, in ${seconds} s.`,
    );
    return { ...summary, name, prefix };
  }

  /** Removes backups beyond those that stay, what was cut short, and bytes that no backup names. */
  async function prune({ backups, pool }: BackupPlace): Promise<void> {
    const { whole, unreadable } = await listBackups(backups);
    for (const { prefix } of whole.slice(0, -keep)) await removeBackup(backups, prefix);
    if (unreadable.length > 0) {
      throw new Error(`the manifests of ${unreadable.join(', ')} cannot be read`);
    }
    const kept = whole.slice(-keep);
    const prefixes = new Set(kept.map(({ prefix }) => prefix));
    for (const key of await backups.list('')) {
      if (!prefixes.has(path.posix.dirname(key))) await backups.remove(key);
    }
    const named = new Set<string>();
    for (const backup of kept) {
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
      known = written;
      await prune(place).catch((error: unknown) =>
        log.error({ err: error }, `Old backups were not removed: ${messageOf(error)}.`),
      );
      return written;
    });
  }

  /** The newest that is whole, as its place tells. */
  const newest = (): Promise<Backup | null> =>
    inPlace(async ({ backups }) => (await listBackups(backups)).whole.at(-1) ?? null);

  /** The newest whole backup. Its place is read once and this server's own backups are added. */
  const last = async (): Promise<Backup | null> => (known ??= await newest());

  return {
    /** Writes a backup now. Rejects where it could not; those before it are untouched then. */
    run,

    /** Writes the backup of a day, where it is missing, and says in the log how it went. */
    async runIfDue(signal?: AbortSignal): Promise<void> {
      try {
        const backup = await last();
        if (backup && nightOf(backup.at) >= nightOf(now())) return;
        await run(signal);
      } catch (error) {
        if (signal?.aborted) return;
        const good = known ? `the last good one is ${known.name}` : 'there is no earlier one';
        log.error({ err: error }, `The backup failed, and ${good}: ${messageOf(error)}`);
      }
    },

    newest,
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

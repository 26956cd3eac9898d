import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { openDatabase } from '../../platform/database/database.ts';
import { newestMigration } from '../../platform/database/migrate.ts';
import type { StoredBytes } from '../../platform/files/files.ts';
import type { ZipWriter } from '../../platform/files/zip-writer.ts';

/** Writes a folder as a zip. Includes empty folders, which the database needs to start. */
export async function pack(zip: ZipWriter, folder: string, time: Date): Promise<void> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, full).split(path.sep).join('/');
      if (entry.isDirectory()) zip.addFolder(name, time);
      else await zip.add({ path: name, content: createReadStream(full), at: time, compress: true });
    }
    zip.end();
  } catch (error) {
    zip.destroy(error as Error);
    throw error;
  }
}

export async function unpack(file: string, folder: string): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      const to = path.join(folder, entry.fileName);
      const isFolder = entry.fileName.endsWith('/');
      await mkdir(isFolder ? to : path.dirname(to), { recursive: true, mode: 0o700 });
      if (isFolder) continue;
      const content = await zip.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(to, { mode: 0o600 }));
    }
  } finally {
    zip.close();
  }
}

const silent = { info() {}, warn() {}, error() {} };

/** Checks that a copied database can be opened, and returns its newest migration. */
export async function verifyDatabase(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir, log: silent });
  try {
    return (await newestMigration(database)) ?? 'none';
  } finally {
    await database.close();
  }
}

/** Copying files mostly waits for the network. */
const CONCURRENCY = 4;

/** Processes items concurrently. After a failure, it waits for running items and starts no others. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  process: (item: Item) => Promise<void>,
): Promise<void> {
  const started = items.values().map(process);
  const runLoop = async (): Promise<void> => {
    // An error closes the iterator, which stops the other loops.
    for (const processed of started) await processed;
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runLoop));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

export async function measure(content: Readable): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of content) {
    const bytes = chunk as Buffer;
    hash.update(bytes);
    size += bytes.length;
  }
  return { size, sha256: hash.digest('hex') };
}

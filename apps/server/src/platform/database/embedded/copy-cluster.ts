import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const LOG = 'pg_wal';
/** Says where the log is to be read from. */
const CONTROL = path.join('global', 'pg_control');
/** What is true of a running cluster alone. */
const RUNNING = new Set(['postmaster.pid', 'engram-in-use']);

/** How often a copy is begun in all. */
const TRIES = 3;

/**
 * Copies a cluster while it is written to, and holds nobody up, as PostgreSQL's own base backups are
 * made: the pages are read as they come, and then the log since the last checkpoint, which holds each
 * page that was changed since. Opening the copy replays it, and so makes it what the database was
 * when the log was read. The engine has no process that makes checkpoints by itself, so the log stays
 * until {@link removeDeleted} makes one, which must not run meanwhile; after a crash of the engine the
 * copy is begun anew.
 */
export async function copyCluster(from: string, to: string, signal?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await rm(to, { recursive: true, force: true });
    const control = await readFile(path.join(from, CONTROL));
    await copyFolder(from, to, signal, (name) => name !== LOG && name !== CONTROL);
    await copyFolder(path.join(from, LOG), path.join(to, LOG), signal);
    await writeFile(path.join(to, CONTROL), control);
    // Another checkpoint may have taken away the log that the pages need.
    if (control.equals(await readFile(path.join(from, CONTROL)))) return;
    if (tries === TRIES) throw new Error('The database made a checkpoint during each copy of it.');
  }
}

/** @param wanted whether to copy what stands at a path below the folder */
async function copyFolder(
  from: string,
  to: string,
  signal: AbortSignal | undefined,
  wanted: (name: string) => boolean = () => true,
  below = '',
): Promise<void> {
  await mkdir(path.join(to, below), { recursive: true, mode: 0o700 });
  for (const entry of await entriesOf(path.join(from, below))) {
    const name = path.join(below, entry.name);
    if (RUNNING.has(entry.name) || !wanted(name)) continue;
    if (entry.isDirectory()) await copyFolder(from, to, signal, wanted, name);
    else await copy(path.join(from, name), path.join(to, name), signal);
  }
}

/** A table may be dropped meanwhile: the log says so too. */
function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

const entriesOf = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];

/** By streams: what copies a whole file in one call waits for ever for the end of one that was cut. */
async function copy(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  const source = createReadStream(from);
  const options = signal ? { signal } : {};
  await pipeline(source, createWriteStream(to, { mode: 0o600 }), options).catch(unlessMissing);
}

import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const LOG = 'pg_wal';
const CONTROL = path.join('global', 'pg_control');
const RUNNING = new Set(['postmaster.pid', 'engram-in-use']);

const TRIES = 3;

/**
 * Copies a running cluster like a base backup of PostgreSQL: first the pages, then the log since the last
 * checkpoint, which is replayed when the copy is opened. The engine makes checkpoints only during
 * maintenance, which must not run at the same time. If the engine crashes, the copy starts again.
 */
export async function copyCluster(from: string, to: string, signal?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await rm(to, { recursive: true, force: true });
    const control = await readFile(path.join(from, CONTROL));
    await copyFolder(from, to, signal, (name) => name !== LOG && name !== CONTROL);
    await copyFolder(path.join(from, LOG), path.join(to, LOG), signal);
    await writeFile(path.join(to, CONTROL), control);
    if (control.equals(await readFile(path.join(from, CONTROL)))) return;
    if (tries === TRIES)
      throw new Error('The database made a checkpoint during each attempt to copy it.');
  }
}

async function copyFolder(
  from: string,
  to: string,
  signal: AbortSignal | undefined,
  isIncluded: (name: string) => boolean = () => true,
  below = '',
): Promise<void> {
  await mkdir(path.join(to, below), { recursive: true, mode: 0o700 });
  for (const entry of await entriesOf(path.join(from, below))) {
    const name = path.join(below, entry.name);
    if (RUNNING.has(entry.name) || !isIncluded(name)) continue;
    if (entry.isDirectory()) await copyFolder(from, to, signal, isIncluded, name);
    else await copy(path.join(from, name), path.join(to, name), signal);
  }
}

/** A table may have just been dropped, which the log also records. */
function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

const entriesOf = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];

/** Streams can be aborted, unlike `copyFile`. */
async function copy(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  const source = createReadStream(from);
  const options = signal ? { signal } : {};
  await pipeline(source, createWriteStream(to, { mode: 0o600 }), options).catch(unlessMissing);
}

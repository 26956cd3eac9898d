import { createHash, randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';
import { createReadStream, type Dirent } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { asDiskFull, type DiskRoom } from './disk-room.ts';
import { freeBuffers } from '../processes/free-memory.ts';
import {
  FileNotFoundError,
  isOwner,
  requireKey,
  requirePrefix,
  type ByteRange,
  type FileState,
  type FileStore,
  type StoredBytes,
} from './files.ts';

/** On the same file system as the users' folders, so that a rename from here is atomic. */
const incomingFolder = '.incoming';

export async function createDiskFileStore({
  folder,
  room,
}: {
  folder: string;
  room: Pick<DiskRoom, 'bounded'>;
}): Promise<FileStore> {
  const incoming = join(folder, incomingFolder);
  await mkdir(incoming, { recursive: true });

  const pathOf = (key: string) => {
    requireKey(key);
    return join(folder, key);
  };
  const folderOf = (prefix: string) => {
    requirePrefix(prefix);
    return join(folder, prefix);
  };

  /** Creates the folders of a file, and syncs their entries to the disk. */
  async function makeFolders(path: string): Promise<void> {
    const first = await mkdir(dirname(path), { recursive: true });
    if (first === undefined) return;
    for (let created = dirname(path); created.length >= first.length; created = dirname(created)) {
      await syncFolder(dirname(created));
    }
  }

  async function place(from: string, to: string): Promise<void> {
    await makeFolders(to);
    await rename(from, to);
    await syncFolder(dirname(to));
  }

  async function stateOf(key: string): Promise<FileState> {
    const stats = await stat(pathOf(key)).catch(notFound(key));
    if (!stats.isFile()) throw new FileNotFoundError(key);
    return { size: stats.size, changedAt: stats.mtime };
  }

  /** The keys of all files below a folder, without folders that were just removed. */
  async function keysBelow(top: string): Promise<string[]> {
    const keys: string[] = [];
    const folders = [top];
    let seen = 0;
    for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
      for (const entry of await entriesOf(current)) {
        seen += 1;
        if (seen % YIELD_ENTRIES === 0) await yieldToEventLoop();
        const path = join(current, entry.name);
        if (entry.isFile()) keys.push(relative(folder, path).split(sep).join('/'));
        else if (entry.isDirectory() && path !== incoming) folders.push(path);
      }
    }
    return keys;
  }

  async function abandoned(before: Date): Promise<string[]> {
    const paths: string[] = [];
    for (const name of await readdir(incoming)) {
      const path = join(incoming, name);
      const stats = await stat(path).catch(() => null);
      if (stats && stats.mtime < before) paths.push(path);
    }
    return paths;
  }

  return {
    async assertUsable() {
      await access(incoming, constants.R_OK | constants.W_OK);
    },

    async write(key, content) {
      const path = pathOf(key);
      const temporary = join(incoming, randomUUID());
      try {
        const stored = await store(room.bounded(content), temporary);
        await place(temporary, path);
        return stored;
      } catch (error) {
        content.destroy();
        await rm(temporary, { force: true });
        throw asDiskFull(error);
      }
    },

    async read(key, range: ByteRange = {}) {
      const last = (await stateOf(key)).size - 1;
      const start = range.start ?? 0;
      const end = Math.min(range.end ?? last, last);
      if (start > end) return Readable.from([]);
      const handle = await open(pathOf(key)).catch(notFound(key));
      return createReadStream(pathOf(key), { fd: handle, start, end });
    },

    stat: stateOf,

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async removePrefix(prefix) {
      await rm(folderOf(prefix), { recursive: true, force: true });
    },

    async withLocalFiles(keys, use) {
      for (const key of keys) await stateOf(key);
      return use(keys.map(pathOf));
    },

    async list(prefix) {
      const keys = await keysBelow(prefix === '' ? folder : folderOf(prefix));
      return keys.sort();
    },

    async owners() {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && isOwner(entry.name))
        .map(({ name }) => name);
    },

    abandonedWrites: async (before) => (await abandoned(before)).length,

    async removeAbandonedWrites(before) {
      for (const path of await abandoned(before)) await rm(path, { recursive: true, force: true });
    },

    close: () => undefined,
  };
}

const YIELD_ENTRIES = 1000;

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

const FREE_EVERY_BYTES = 16 * 1_048_576;

async function store(content: AsyncIterable<Buffer>, path: string): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(path, 'wx');
  try {
    for await (const bytes of content) {
      hash.update(bytes);
      await writeAll(handle, bytes);
      if (
        Math.floor((size + bytes.length) / FREE_EVERY_BYTES) > Math.floor(size / FREE_EVERY_BYTES)
      ) {
        freeBuffers();
      }
      size += bytes.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** A write may be partial, for example if the disk is nearly full. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and its file system does not need this.
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}

function notFound(key: string): (error: unknown) => never {
  return (error) => {
    throw isMissing(error) ? new FileNotFoundError(key) : error;
  };
}

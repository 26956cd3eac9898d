import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * LanceDB never calls fsync: what it reports as written survives a killed process and not a power
 * cut. This brings a table's new files, and the folders that name them, to the disk itself.
 */
export class FolderSync {
  readonly #folder: string;
  #synced = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async sync(): Promise<void> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const present = new Set<string>();
    const folders = new Set([this.#folder]);
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      present.add(path);
      if (this.#synced.has(path)) continue;
      folders.add(entry.parentPath);
      await syncPath(path);
    }
    for (const folder of folders) await syncPath(folder);
    this.#synced = present;
  }
}

async function syncPath(path: string): Promise<void> {
  let handle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    // A clean-up may have taken a file of an old version since the folder was listed.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

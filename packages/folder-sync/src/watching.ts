import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Limit of watched folders. Changes in others are found by the next scan. */
const MAX_FOLDERS = 10_000;

/** Whether the system watches recursively. Elsewhere Node would watch each file. */
const IS_RECURSIVE = ['darwin', 'win32'].includes(process.platform);

/** Reports changes in a folder, so that it is scanned sooner. */
export class FolderWatch {
  readonly #onScheduled: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(onScheduled: () => void) {
    this.#onScheduled = onScheduled;
  }

  /** Watches these folders and no others. */
  follow(folders: readonly string[]): void {
    // The first one is the root.
    const watchedPaths = folders.slice(0, IS_RECURSIVE ? 1 : MAX_FOLDERS);
    const watchedSet = new Set(watchedPaths);
    for (const folder of this.#watchers.keys()) if (!watchedSet.has(folder)) this.#forget(folder);
    for (const folder of watchedPaths) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    try {
      const options = { recursive: IS_RECURSIVE, persistent: false };
      const watcher = watch(folder, options, (event, name) => {
        // A new folder with the name of a deleted one needs a new watcher.
        if (event === 'rename' && name) this.#forget(path.join(folder, name));
        this.#onScheduled();
      });
      watcher.on('error', () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // The system's limit is reached or the folder was deleted. Periodic scans continue.
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }
}

import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Most folders that are watched one by one: what is beyond them is seen by the next walk. */
const MOST_FOLDERS = 10_000;

/** These systems tell of all that happens below a folder. Elsewhere Node would watch each file. */
const TELLS_OF_ALL: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32']);

/** Notices changes in a folder. They only make the next scan happen sooner. */
export class FolderWatch {
  readonly #onHint: () => void;
  readonly #recursive: boolean;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(onHint: () => void, platform: NodeJS.Platform = process.platform) {
    this.#onHint = onHint;
    this.#recursive = TELLS_OF_ALL.has(platform);
  }

  /** Watches the folders that a walk came through, and no others. */
  follow(folders: readonly string[]): void {
    // The first one is the root.
    const wanted = folders.slice(0, this.#recursive ? 1 : MOST_FOLDERS);
    const kept = new Set(wanted);
    for (const folder of this.#watchers.keys()) if (!kept.has(folder)) this.#forget(folder);
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    try {
      const options = { recursive: this.#recursive, persistent: false };
      const watcher = watch(folder, options, (event, name) => {
        // A folder that came in the place of one that is gone is another one.
        if (event === 'rename' && name) this.#forget(path.join(folder, name));
        this.#onHint();
      });
      watcher.on('error', () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // The system watches no more, or the folder is gone: the clock alone sees to it then.
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Hears nothing more, until folders are followed again. */
  close(): void {
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }
}

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';

/** A folder in which a process finds the files of its tasks, and no other files. */
export interface ScratchFolder {
  readonly path: string;
  /**
   * Shows a file there until it is taken away as often as it was shown. The same file is shown by the
   * same name each time. One that cannot be shown is missing, which its reader notices.
   */
  show(file: string): ShownFile;
  takeAway(shown: ShownFile): void;
  /** Deletes the folder with what is in it. */
  remove(): void;
}

export interface ShownFile {
  path: string;
  /** Resolves once it can be read. */
  there: Promise<void>;
}

/** A link costs nothing; where the file system has none, or the file is on another one, a copy is made. */
async function link(file: string, name: string): Promise<void> {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    await copyFile(file, name).catch(() => undefined);
  }
}

/** Makes an empty folder of its own inside another, which is made where it is missing. */
export function createScratchFolder(parent: string): ScratchFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(parent, 'process-'));
  const shown = new Map<string, { file: ShownFile; times: number }>();

  return {
    path: folder,
    show(source) {
      const name = createHash('sha256').update(source).digest('hex').slice(0, 32);
      const place = path.join(folder, name);
      const known = shown.get(place) ?? {
        file: { path: place, there: link(source, place) },
        times: 0,
      };
      known.times += 1;
      shown.set(place, known);
      return known.file;
    },
    takeAway({ path: place }) {
      const known = shown.get(place);
      if (known === undefined) return;
      known.times -= 1;
      if (known.times > 0) return;
      shown.delete(place);
      try {
        unlinkSync(place);
      } catch {
        // It could not be shown, or the folder is gone.
      }
    },
    remove() {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // What stays is deleted with the parent at the next start.
      }
    },
  };
}

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';

export interface ShownFile {
  path: string;
  there: Promise<void>;
}

/** Links a file, or copies it to another file system. */
async function link(file: string, name: string): Promise<void> {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    await copyFile(file, name).catch(() => undefined);
  }
}

export function createScratchFolder(parent: string) {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(parent, 'process-'));
  const shown = new Map<string, { file: ShownFile; times: number }>();

  return {
    path: folder,
    /** Links a file until it is taken away as often as it was shown, always by the same name. */
    show(source: string): ShownFile {
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
    takeAway({ path: place }: ShownFile): void {
      const known = shown.get(place);
      if (known === undefined) return;
      known.times -= 1;
      if (known.times > 0) return;
      shown.delete(place);
      try {
        unlinkSync(place);
      } catch {
        // The file or the folder is missing.
      }
    },
    remove(): void {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // It is deleted with the parent at the next start.
      }
    },
  };
}

export type ScratchFolder = ReturnType<typeof createScratchFolder>;

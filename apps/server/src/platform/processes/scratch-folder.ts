import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';

/** Links a file, or copies it if it is on another file system. */
async function link(file: string, name: string): Promise<void> {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    await copyFile(file, name).catch(() => undefined);
  }
}

/** A folder with the files that a process may read. */
export function createScratchFolder(parent: string) {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(parent, 'process-'));
  const remove = (file: string): void => {
    try {
      rmSync(file, { recursive: true, force: true });
    } catch {
      // The next start deletes it with the parent folder.
    }
  };
  let links: string[] = [];

  return {
    path: folder,
    /** Links a file, always by the same name. It can be read after `linked` has resolved. */
    show(source: string): { path: string; linked: Promise<void> } {
      const name = createHash('sha256').update(source).digest('hex').slice(0, 32);
      const place = path.join(folder, name);
      links.push(place);
      return { path: place, linked: link(source, place) };
    },
    /** Removes all links. */
    clear(): void {
      for (const place of links) remove(place);
      links = [];
    },
    remove: (): void => remove(folder),
  };
}

export type ScratchFolder = ReturnType<typeof createScratchFolder>;

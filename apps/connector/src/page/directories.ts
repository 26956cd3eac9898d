import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Directory } from '../connector.ts';

const MAX_FOLDERS = 1000;

const isWithin = (home: string, folder: string): boolean => {
  const relative = path.relative(home, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
};

function trailOf(home: string, folder: string): Directory['trail'] {
  const steps = path.relative(home, folder).split(path.sep).filter(Boolean);
  return [
    { name: 'Home', path: home },
    ...steps.map((name, index) => ({
      name,
      path: path.join(home, ...steps.slice(0, index + 1)),
    })),
  ];
}

/** The names of the visible folders in a folder. */
async function folderNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
  const folders = await Promise.all(
    shown.map(async (entry) => {
      if (entry.isDirectory()) return entry.name;
      if (!entry.isSymbolicLink()) return null;
      const target = await stat(path.join(folder, entry.name)).catch(() => null);
      return target?.isDirectory() ? entry.name : null;
    }),
  );
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return folders.filter((name) => name !== null).sort(collator.compare);
}

/**
 * Lists the folders in a folder of the user's home, because browsers do not reveal paths to a page.
 * The user types the path of any other folder.
 */
export async function listDirectory(home: string, requested: string | null): Promise<Directory> {
  const top = await realpath(home);
  const folder = await realpath(requested ?? top).catch(() => null);
  if (folder === null) throw new Error('There is no such folder.');
  if (!isWithin(top, folder)) {
    throw new Error('Only folders in your home folder are listed. Type the path of other folders.');
  }
  const names = await folderNames(folder).catch(() => null);
  if (names === null) throw new Error('This folder cannot be opened.');
  return {
    path: folder,
    trail: trailOf(top, folder),
    folders: names.slice(0, MAX_FOLDERS).map((name) => ({ name, path: path.join(folder, name) })),
    more: Math.max(0, names.length - MAX_FOLDERS),
  };
}

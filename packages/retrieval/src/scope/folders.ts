import { keyOf } from './name-key.ts';

/** A folder that files stand in. */
interface Folder {
  key: string;
  /** Null for one that nothing is known to be above. */
  parent: Folder | null;
  /** By their names as they are written. */
  below: Map<string, Folder>;
  /** The files that stand in it itself. */
  ids: string[];
}

/** The folders of somebody's files by the keys of their own names. */
export type FolderIndex = ReadonlyMap<string, readonly Folder[]>;

/** Makes the index of the folders that files stand in; empty where no file has a path. */
export function createFolderIndex(
  files: readonly { id: string; path?: string | null }[],
): FolderIndex {
  const tops = new Map<string, Folder>();
  const index = new Map<string, Folder[]>();
  for (const { id, path } of files) {
    if (!path) continue;
    let folder: Folder | null = null;
    for (const name of path.split('/').slice(0, -1)) folder = folderAt(folder, name, tops, index);
    folder?.ids.push(id);
  }
  return index;
}

function folderAt(
  parent: Folder | null,
  name: string,
  tops: Map<string, Folder>,
  index: Map<string, Folder[]>,
): Folder {
  const beside = parent?.below ?? tops;
  const known = beside.get(name);
  if (known !== undefined) return known;
  const folder: Folder = { key: keyOf(name), parent, below: new Map(), ids: [] };
  beside.set(name, folder);
  const alike = index.get(folder.key);
  if (alike === undefined) index.set(folder.key, [folder]);
  else alike.push(folder);
  return folder;
}

/** The ids of the files below folders whose names follow each other as in `path`; null for none. */
export function filesBelow(index: FolderIndex, path: string): string[] | null {
  const keys = path
    .replace(/^\/|\/$/gu, '')
    .split('/')
    .map(keyOf);
  if (keys.includes('')) return null;
  const found = (index.get(keys.at(-1) ?? '') ?? []).filter((folder) => follows(folder, keys));
  const ids = new Set<string>();
  for (const folder of found) collect(folder, ids);
  return ids.size === 0 ? null : [...ids];
}

/** Whether the names up to a folder end with some keys. */
function follows(folder: Folder, keys: readonly string[]): boolean {
  let at: Folder | null = folder;
  for (const key of keys.toReversed()) {
    if (at?.key !== key) return false;
    at = at.parent;
  }
  return true;
}

function collect(top: Folder, ids: Set<string>): void {
  const left = [top];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const id of folder.ids) ids.add(id);
    left.push(...folder.below.values());
  }
}

/** The names of the folders that a file stands in, as words beside its own name; empty for none. */
export const foldersOf = (path: string | null | undefined): string =>
  (path ?? '').split('/').slice(0, -1).join(' ');

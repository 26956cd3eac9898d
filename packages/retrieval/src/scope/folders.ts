import { keyOf } from './name-key.ts';

export interface FolderIndex {
  /** The keys of the names of all folders. */
  names: ReadonlySet<string>;
  /** The ids of the files directly in each folder, by the keys of its path: '/papers/tax/'. */
  byPath: ReadonlyMap<string, readonly string[]>;
}

/** Makes the index of the folders that files stand in; empty where no file has a path. */
export function createFolderIndex(
  files: readonly { id: string; path?: string | null }[],
): FolderIndex {
  const written = Map.groupBy(
    files.filter(({ path }) => path?.includes('/')),
    ({ path }) => path?.slice(0, path.lastIndexOf('/')) ?? '',
  );
  const names = new Set<string>();
  const byPath = new Map<string, string[]>();
  for (const [path, inside] of written) {
    const keys = path.split('/').map(keyOf);
    for (const key of keys) names.add(key);
    const key = `/${keys.join('/')}/`;
    byPath.set(key, [...(byPath.get(key) ?? []), ...inside.map(({ id }) => id)]);
  }
  return { names, byPath };
}

/** The ids of the files below folders whose names follow each other as in `path`; null for none. */
export function filesBelow(index: FolderIndex, path: string): string[] | null {
  const keys = path
    .replace(/^\/|\/$/gu, '')
    .split('/')
    .map(keyOf);
  if (!keys.every((key) => key !== '' && index.names.has(key))) return null;
  const part = `/${keys.join('/')}/`;
  const ids = [...index.byPath].flatMap(([folder, inside]) =>
    folder.includes(part) ? inside : [],
  );
  return ids.length === 0 ? null : ids;
}

/** The names of the folders that a file stands in, as words beside its own name; empty for none. */
export const foldersOf = (path: string | null | undefined): string =>
  (path ?? '').split('/').slice(0, -1).join(' ');

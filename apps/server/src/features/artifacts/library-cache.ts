import { LRUCache } from 'lru-cache';
import type { LibraryRepository, TableFile } from './library.repository.ts';

/** A list of a user's files as JSON that worker threads read without copying it. */
export interface KnownFiles {
  /** Changes with the list. */
  key: string;
  /** For names a list of `{id, fileName, path}`, for facts of `LibraryFile`, for tables of `RecordTable`. */
  json: SharedArrayBuffer;
}

export function shared(key: string, text: string): KnownFiles {
  const json = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(json).write(text);
  return { key, json };
}

type Key = readonly [userId: string, libraryVersion: number, ...more: unknown[]];

/**
 * Caches what is derived from users' files. The version in the key is read before the files: if they
 * change in between, the entry is never used again.
 */
export function createLibraryCache<Value extends object>(
  options: LRUCache.Options<string, Value, unknown>,
) {
  const entries = new LRUCache<string, Value>(options);
  return {
    entries,

    async of(key: Key, load: (name: string) => Promise<Value>): Promise<Value> {
      const name = JSON.stringify(key);
      const known = entries.get(name);
      if (known) return known;
      const value = await load(name);
      entries.set(name, value);
      return value;
    },

    forget(userId: string): void {
      const isTheirs = (name: string): boolean => (JSON.parse(name) as Key)[0] === userId;
      for (const name of [...entries.keys()].filter(isTheirs)) entries.delete(name);
    },
  };
}

export const createFilesCache = (maxSize: number) =>
  createLibraryCache<KnownFiles>({
    maxSize,
    sizeCalculation: ({ json }) => json.byteLength + 1,
  });

/** Documents with fields, and files with tables, that a question can use, newest first. */
const MAX_FILES = 10_000;
const MAX_CHARACTERS = 16_000_000;
const CACHE_BYTES = 96_000_000;
const CACHED_USERS = 1000;

export function createKnownTables(
  repository: Pick<LibraryRepository, 'tableFiles' | 'fieldTables' | 'tablesOf'>,
  versionOf: (userId: string) => Promise<number>,
) {
  const tables = createFilesCache(CACHE_BYTES);
  const files = createLibraryCache<TableFile[]>({ max: CACHED_USERS });

  async function tablesOf(userId: string, version: number, ids: readonly string[]) {
    const keyOf = (id: string): string => JSON.stringify([userId, version, id]);
    const known = new Map(ids.map((id) => [id, tables.entries.get(keyOf(id))]));
    const missing = ids.filter((id) => known.get(id) === undefined);
    if (missing.length > 0) {
      for (const [id, json] of await repository.tablesOf(userId, missing)) {
        const read = shared(keyOf(id), json);
        tables.entries.set(read.key, read);
        known.set(id, read);
      }
    }
    return [...known.values()].filter((each) => each !== undefined);
  }

  return {
    /**
     * The fields of all documents, and the tables of the given files, the most important first, with
     * all other files that have rows of the same kind: a sum over a part of them would be wrong. Groups
     * that exceed the limit are left out. Each result is a list of `RecordTable`.
     */
    async find(userId: string, ids: readonly string[]): Promise<KnownFiles[]> {
      const version = await versionOf(userId);
      const all = await files.of([userId, version], () => repository.tableFiles(userId, MAX_FILES));
      const byId = new Map(all.map((file) => [file.id, file]));
      const chosen = new Set<string>();
      const done = new Set<string>();
      let left = MAX_CHARACTERS;
      for (const id of ids) {
        const shapes = new Set(byId.get(id)?.shapes);
        // A folder may hold thousands of statements of one kind, which are added with the first one.
        if (!byId.has(id) || (chosen.has(id) && shapes.isSubsetOf(done))) continue;
        const alike = all.filter(
          (file) =>
            !chosen.has(file.id) &&
            (file.id === id || file.shapes.some((shape) => shapes.has(shape))),
        );
        const size = alike.reduce((sum, file) => sum + file.size, 0);
        if (size > left) continue;
        left -= size;
        for (const file of alike) chosen.add(file.id);
        for (const shape of shapes) done.add(shape);
      }
      const [fields, found] = await Promise.all([
        tables.of([userId, version, 'fields'], async (key) =>
          shared(key, await repository.fieldTables(userId, MAX_FILES)),
        ),
        chosen.size === 0 ? [] : tablesOf(userId, version, [...chosen]),
      ]);
      return [fields, ...found];
    },

    forget(userId: string): void {
      tables.forget(userId);
      files.forget(userId);
    },
  };
}

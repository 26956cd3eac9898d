import { LRUCache } from 'lru-cache';
import type { LibraryRepository, TableFile } from './library.repository.ts';

/** A list of a user's files as JSON that worker threads read without copying it. */
export interface SharedList {
  key: string;
  json: SharedArrayBuffer;
}

export function toSharedList(key: string, text: string): SharedList {
  const json = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(json).write(text);
  return { key, json };
}

type Key = readonly [userId: string, libraryVersion: number, ...more: unknown[]];

/**
 * Caches values derived from users' files. The version in the key is read before the files, so an entry
 * that was loaded during a change is never used again.
 */
export function createLibraryCache<Value extends object>(
  options: LRUCache.Options<string, Value, unknown>,
) {
  const entries = new LRUCache<string, Value>(options);
  return {
    entries,

    async get(key: Key, load: (name: string) => Promise<Value>): Promise<Value> {
      const name = JSON.stringify(key);
      const cached = entries.get(name);
      if (cached) return cached;
      const value = await load(name);
      entries.set(name, value);
      return value;
    },

    forget(userId: string): void {
      const isOfUser = (name: string): boolean => (JSON.parse(name) as Key)[0] === userId;
      for (const name of [...entries.keys()].filter(isOfUser)) entries.delete(name);
    },
  };
}

export const createFilesCache = (maxSize: number) =>
  createLibraryCache<SharedList>({
    maxSize,
    sizeCalculation: ({ json }) => json.byteLength + 1,
  });

const MAX_FILES = 10_000;
const MAX_CHARACTERS = 16_000_000;
const CACHE_BYTES = 96_000_000;
const CACHED_USERS = 1000;

export function createTableCache(
  repository: Pick<LibraryRepository, 'tableFiles' | 'fieldTables' | 'tablesOf'>,
  versionOf: (userId: string) => Promise<number>,
) {
  const tables = createFilesCache(CACHE_BYTES);
  const files = createLibraryCache<TableFile[]>({ max: CACHED_USERS });

  async function tablesOf(userId: string, version: number, ids: readonly string[]) {
    const keyOf = (id: string): string => JSON.stringify([userId, version, id]);
    const lists = new Map(ids.map((id) => [id, tables.entries.get(keyOf(id))]));
    const missing = ids.filter((id) => lists.get(id) === undefined);
    if (missing.length > 0) {
      for (const [id, json] of await repository.tablesOf(userId, missing)) {
        const list = toSharedList(keyOf(id), json);
        tables.entries.set(list.key, list);
        lists.set(id, list);
      }
    }
    return [...lists.values()].filter((list) => list !== undefined);
  }

  return {
    /**
     * Lists of `RecordTable`: the fields of all documents, then the tables of the given files, the most
     * important first. Files with rows of the same kind are added, because a sum over a part of them
     * would be wrong. Groups that exceed the limit are left out.
     */
    async find(userId: string, ids: readonly string[]): Promise<SharedList[]> {
      const version = await versionOf(userId);
      const all = await files.get([userId, version], () =>
        repository.tableFiles(userId, MAX_FILES),
      );
      const byId = new Map(all.map((file) => [file.id, file]));
      const chosen = new Set<string>();
      const done = new Set<string>();
      let remaining = MAX_CHARACTERS;
      for (const id of ids) {
        const shapes = new Set(byId.get(id)?.shapes);
        // A folder may have thousands of statements of one kind, which are added with the first one.
        if (!byId.has(id) || (chosen.has(id) && shapes.isSubsetOf(done))) continue;
        const group = all.filter(
          (file) =>
            !chosen.has(file.id) &&
            (file.id === id || file.shapes.some((shape) => shapes.has(shape))),
        );
        const size = group.reduce((sum, file) => sum + file.size, 0);
        if (size > remaining) continue;
        remaining -= size;
        for (const file of group) chosen.add(file.id);
        for (const shape of shapes) done.add(shape);
      }
      const [fields, rows] = await Promise.all([
        tables.get([userId, version, 'fields'], async (key) =>
          toSharedList(key, await repository.fieldTables(userId, MAX_FILES)),
        ),
        chosen.size === 0 ? [] : tablesOf(userId, version, [...chosen]),
      ]);
      return [fields, ...rows];
    },

    forget(userId: string): void {
      tables.forget(userId);
      files.forget(userId);
    },
  };
}

import { LRUCache } from 'lru-cache';

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

    /** The value of a key, loaded unless it is cached. */
    async of(key: Key, load: (name: string) => Promise<Value>): Promise<Value> {
      const name = JSON.stringify(key);
      const known = entries.get(name);
      if (known) return known;
      const value = await load(name);
      entries.set(name, value);
      return value;
    },

    /** Removes the entries of a deleted account. */
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

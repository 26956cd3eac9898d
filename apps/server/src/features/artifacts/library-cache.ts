import { LRUCache } from 'lru-cache';

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

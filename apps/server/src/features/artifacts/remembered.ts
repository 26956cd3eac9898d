import { LRUCache } from 'lru-cache';

/** Whose, of which version of their library, and of what else. */
type Key = readonly [userId: string, version: number, ...more: unknown[]];

/**
 * What was made of people's files. The version is that which was read before the files: a change
 * meanwhile makes what is remembered useless, and not wrong.
 */
export function createRemembered<Value extends object>(
  options: LRUCache.Options<string, Value, unknown>,
) {
  const kept = new LRUCache<string, Value>(options);
  return {
    /** By the JSON of keys. */
    kept,

    /** What is remembered under a key, or else what `load` makes. */
    async of(key: Key, load: (name: string) => Promise<Value>): Promise<Value> {
      const name = JSON.stringify(key);
      const known = kept.get(name);
      if (known) return known;
      const value = await load(name);
      kept.set(name, value);
      return value;
    },

    /** To be called when a person is gone: nothing of theirs is remembered. */
    forget(userId: string): void {
      const isTheirs = (name: string): boolean => (JSON.parse(name) as Key)[0] === userId;
      for (const name of [...kept.keys()].filter(isTheirs)) kept.delete(name);
    },
  };
}

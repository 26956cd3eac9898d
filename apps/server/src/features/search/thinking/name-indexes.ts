import { createNameIndex, type NameIndex } from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { KnownNames } from '../../artifacts/library.ts';

/** File names in all indexes that a thread remembers; each takes about 500 bytes. */
const REMEMBERED_NAMES = 100_000;

const indexes = new LRUCache<string, NameIndex>({
  maxSize: REMEMBERED_NAMES,
  sizeCalculation: ({ names }) => names.size + 1,
});

/** The index of the names, made when this thread first sees them. */
export function nameIndexOf({ key, json }: KnownNames): NameIndex {
  const known = indexes.get(key);
  if (known) return known;
  const rows = JSON.parse(Buffer.from(json).toString()) as { id: string; fileName: string }[];
  const index = createNameIndex(rows);
  indexes.set(key, index);
  return index;
}

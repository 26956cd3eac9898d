import { createNameIndex, type LibraryFile } from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { KnownFiles } from '../../artifacts/library-cache.ts';

interface NamesOfFile {
  id: string;
  fileName: string;
  path?: string;
}

/** File names in all indexes that a thread remembers; each takes about 500 bytes. */
const REMEMBERED_NAMES = 100_000;

/** What is made of files, once by each thread. */
function remembered<Value extends object>(
  maxSize: number,
  make: (known: KnownFiles) => Value,
  sizeOf: (value: Value, known: KnownFiles) => number,
) {
  const kept = new LRUCache<string, Value>({ maxSize });
  return (known: KnownFiles): Value => {
    const before = kept.get(known.key);
    if (before) return before;
    const value = make(known);
    kept.set(known.key, value, { size: sizeOf(value, known) + 1 });
    return value;
  };
}

const read = <Item>({ json }: KnownFiles) => JSON.parse(Buffer.from(json).toString()) as Item[];

/** What files say of themselves. */
export const factsFrom = remembered(REMEMBERED_NAMES, read<LibraryFile>, ({ length }) => length);

/** The index of the names. */
export const nameIndexOf = remembered(
  REMEMBERED_NAMES,
  (known) => createNameIndex(read<NamesOfFile>(known)),
  ({ size }) => size,
);

import {
  createNameIndex,
  type LibraryFile,
  type NameIndex,
  type RecordTable,
} from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { KnownFiles } from '../../artifacts/known-files.ts';

interface NamesOfFile {
  id: string;
  fileName: string;
  path?: string;
}

/** File names in all indexes that a thread remembers; each takes about 500 bytes. */
const REMEMBERED_NAMES = 100_000;

const indexes = new LRUCache<string, NameIndex>({
  maxSize: REMEMBERED_NAMES,
  sizeCalculation: ({ names }) => names.size + 1,
});

const readFacts = new LRUCache<string, readonly LibraryFile[]>({
  maxSize: REMEMBERED_NAMES,
  sizeCalculation: (files) => files.length + 1,
});

/** Bytes of the JSON of all tables that a thread remembers. */
const REMEMBERED_TABLES = 32_000_000;

const readTables = new LRUCache<string, readonly RecordTable[]>({ maxSize: REMEMBERED_TABLES });

const read = ({ json }: KnownFiles): unknown => JSON.parse(Buffer.from(json).toString());

/** What files say of themselves, read when this thread first sees it. */
export function factsFrom(known: KnownFiles): readonly LibraryFile[] {
  const files = readFacts.get(known.key) ?? (read(known) as LibraryFile[]);
  readFacts.set(known.key, files);
  return files;
}

/** Tables, read when this thread first sees them. */
export function tablesFrom(known: KnownFiles): readonly RecordTable[] {
  const tables = readTables.get(known.key) ?? (read(known) as RecordTable[]);
  readTables.set(known.key, tables, { size: known.json.byteLength + 1 });
  return tables;
}

/** The index of the names, made when this thread first sees them. */
export function nameIndexOf(names: KnownFiles): NameIndex {
  const known = indexes.get(names.key);
  if (known) return known;
  const index = createNameIndex(read(names) as NamesOfFile[]);
  indexes.set(names.key, index);
  return index;
}

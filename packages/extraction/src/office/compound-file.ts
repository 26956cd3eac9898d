import { viewOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';

const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** Greater sector numbers are markers ([MS-CFB] 2.1). */
const MAX_REGULAR_SECTOR = 0xfffffffa;
const HEADER_FAT_SECTORS = 109;
const ENTRY_BYTES = 128;
/** Directory entries read. An Office file has a few dozen. */
const MAX_ENTRIES = 10_000;
const MAX_HEAD_SECTORS = 64;
const MINI_SECTOR_BYTES = 64;
const STREAM = 2;
const ROOT = 5;

/** The error for a document of Office 97 to 2003 with a password. */
export const oldProtection = (): ExtractionError =>
  new ExtractionError(
    'encrypted',
    'This file is password-protected in an old format that Engram cannot open. Save it without the password and upload it again.',
  );

export type CompoundFile = NonNullable<ReturnType<typeof openCompoundFile>>;

/** A stream or storage. */
export interface CompoundEntry {
  name: string;
  kind: number;
  start: number;
  size: number;
  id: number;
  /** The ids of two entries in the same storage, and of one within this storage. */
  left: number;
  right: number;
  child: number;
}

export const isCompoundFile = (bytes: Uint8Array): boolean =>
  MAGIC.every((byte, index) => bytes[index] === byte);

const sectorBytesOf = (header: DataView): number =>
  header.getUint16(30, true) === 12 ? 4096 : 512;

/**
 * The stream names in the head of a compound file ([MS-CFB] 2.2 and 2.6), if directory sectors follow
 * each other as Office writes them. Null when there is no directory.
 */
export function streamNames(head: Uint8Array): string[] | null {
  if (!isCompoundFile(head) || head.length < 512) return null;
  const view = viewOf(head);
  const sectorBytes = sectorBytesOf(view);
  const start = (view.getUint32(48, true) + 1) * sectorBytes;
  if (start + ENTRY_BYTES > head.length) return null;
  const directory = head.subarray(start, start + MAX_HEAD_SECTORS * sectorBytes);
  return entriesOf(directory).map(({ name }) => name);
}

/** Opens a compound file ([MS-CFB]) in linear time, as far as it is intact. Null for other files. */
export function openCompoundFile(bytes: Uint8Array) {
  if (!isCompoundFile(bytes) || bytes.length < 512) return null;
  const view = viewOf(bytes);
  const sectorBytes = sectorBytesOf(view);
  const sectors = Math.ceil(bytes.length / sectorBytes) - 1;
  const fat = fatOf(view, sectorBytes, sectors);
  const chain = (start: number): Uint8Array =>
    concat(
      sectorNumbers(start, fat, sectors).map((number) =>
        bytes.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes),
      ),
    );

  const entries = entriesOf(chain(view.getUint32(48, true)));
  if (entries.length === 0) return null;
  const cutoff = view.getUint32(56, true);
  let mini: { store: Uint8Array; next: Uint32Array } | null = null;
  const openMini = (): { store: Uint8Array; next: Uint32Array } => {
    const root = entries.find(({ kind }) => kind === ROOT);
    const store = root === undefined ? new Uint8Array() : chain(root.start);
    const table = viewOf(chain(view.getUint32(60, true)));
    const length = Math.floor(table.byteLength / 4);
    return { store, next: Uint32Array.from({ length }, (_, i) => table.getUint32(i * 4, true)) };
  };

  const byId = new Map(entries.map((entry) => [entry.id, entry]));

  return {
    names: entries.map(({ name }) => name),
    /** The entries of a storage, by default the root. */
    entriesIn(
      storage: CompoundEntry | undefined = entries.find(({ kind }) => kind === ROOT),
    ): CompoundEntry[] {
      const visited = new Set<CompoundEntry>();
      const open = storage === undefined ? [] : [storage.child];
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        const entry = byId.get(id);
        if (entry === undefined || visited.has(entry)) continue;
        visited.add(entry);
        open.push(entry.left, entry.right);
      }
      return [...visited];
    },
    /** The bytes of a stream, by its name or entry, or null. */
    stream(nameOrEntry: string | CompoundEntry): { bytes: Uint8Array; complete: boolean } | null {
      const entry =
        typeof nameOrEntry === 'string'
          ? entries.find(({ kind, name }) => kind === STREAM && name === nameOrEntry)
          : nameOrEntry;
      if (entry?.kind !== STREAM) return null;
      const upToSize = (stored: Uint8Array): { bytes: Uint8Array; complete: boolean } => {
        return { bytes: stored.subarray(0, entry.size), complete: stored.length >= entry.size };
      };
      if (entry.size >= cutoff) return upToSize(chain(entry.start));
      mini ??= openMini();
      const { store, next } = mini;
      const numbers = sectorNumbers(entry.start, next, Math.ceil(store.length / MINI_SECTOR_BYTES));
      const pieces = numbers.map((number) =>
        store.subarray(number * MINI_SECTOR_BYTES, (number + 1) * MINI_SECTOR_BYTES),
      );
      return upToSize(concat(pieces));
    },
  };
}

function fatOf(view: DataView, sectorBytes: number, sectors: number): Uint32Array {
  const slots = sectorBytes / 4;
  const places: number[] = [];
  const maxFatSectors = Math.ceil(sectors / slots);
  const uint32 = (field: number): number =>
    field + 4 <= view.byteLength ? view.getUint32(field, true) : MAX_REGULAR_SECTOR;
  for (let index = 0; index < HEADER_FAT_SECTORS; index += 1) places.push(uint32(76 + index * 4));
  let next = uint32(68);
  for (let hop = 0; next < sectors && hop <= maxFatSectors; hop += 1) {
    const from = (next + 1) * sectorBytes;
    for (let index = 0; index < slots - 1; index += 1) places.push(uint32(from + index * 4));
    next = uint32(from + (slots - 1) * 4);
  }
  const fat = new Uint32Array(maxFatSectors * slots).fill(MAX_REGULAR_SECTOR);
  for (const [index, place] of places.slice(0, maxFatSectors).entries()) {
    if (place >= sectors) continue;
    const from = (place + 1) * sectorBytes;
    for (let slot = 0; slot < slots; slot += 1) fat[index * slots + slot] = uint32(from + slot * 4);
  }
  return fat;
}

/** The sectors of a chain, until it leaves the file or repeats. */
function sectorNumbers(start: number, next: Uint32Array, count: number): number[] {
  const seen = new Set<number>();
  for (let id = start; id < count && !seen.has(id); id = next[id] ?? MAX_REGULAR_SECTOR) {
    seen.add(id);
  }
  return [...seen];
}

function entriesOf(directory: Uint8Array): CompoundEntry[] {
  const view = viewOf(directory);
  const entries: CompoundEntry[] = [];
  const end = Math.min(directory.length, MAX_ENTRIES * ENTRY_BYTES);
  for (let offset = 0; offset + ENTRY_BYTES <= end; offset += ENTRY_BYTES) {
    const size = view.getUint16(offset + 64, true);
    const kind = view.getUint8(offset + 66);
    if (kind === 0 || kind > ROOT || size < 2 || size > 64) continue;
    const name = new TextDecoder('utf-16le').decode(directory.subarray(offset, offset + size - 2));
    const uint32 = (field: number): number => view.getUint32(offset + field, true);
    const links = { left: uint32(68), right: uint32(72), child: uint32(76) };
    const id = offset / ENTRY_BYTES;
    entries.push({ name, kind, id, ...links, start: uint32(116), size: uint32(120) });
  }
  return entries;
}

function concat(pieces: Uint8Array[]): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.concat(pieces);
  return new Uint8Array(buffer, byteOffset, length);
}

const TITLE = 2;
const CODE_PAGE = 1;
/** Property types ([MS-OLEPS] 2.15): text in a code page, text in UTF-16. */
const TEXT = 0x1e;
const WIDE_TEXT = 0x1f;

/** The title in the summary of an Office file ([MS-OLEPS] 2.21), or null. */
export function summaryTitle(file: CompoundFile): string | null {
  const stream = file.stream('\x05SummaryInformation')?.bytes;
  if (stream === undefined || stream.length < 48) return null;
  const view = viewOf(stream);
  const base = view.getUint32(44, true);
  const uint32 = (i: number): number => (i + 4 <= stream.length ? view.getUint32(i, true) : 0);
  const places = new Map<number, number>();
  const count = Math.min(uint32(base + 4), 100);
  for (let index = 0; index < count; index += 1) {
    places.set(uint32(base + 8 + index * 8), base + uint32(base + 12 + index * 8));
  }
  const place = places.get(TITLE);
  if (place === undefined) return null;
  const length = uint32(place + 4);
  const start = place + 8;
  const decoded = (bytes: number, charset: string): string =>
    new TextDecoder(charset).decode(stream.subarray(start, start + bytes)).replace(/\0.*/s, '');
  if (uint32(place) === WIDE_TEXT) return decoded(length * 2, 'utf-16le');
  if (uint32(place) !== TEXT) return null;
  const codePage = uint32((places.get(CODE_PAGE) ?? stream.length) + 4) & 0xffff;
  return decoded(length, charsetOf(codePage));
}

const CHARSETS: Partial<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** The charset of a code page of Windows. */
export function charsetOf(codePage: number): string {
  const isWindows = codePage >= 1250 && codePage <= 1258;
  return CHARSETS[codePage] ?? (isWindows ? `windows-${codePage}` : 'windows-1252');
}

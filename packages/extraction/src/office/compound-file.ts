import { isOle } from './ole.ts';

/** Sector numbers from here on are marks, not places ([MS-CFB] 2.1). */
const MAX_REGULAR_SECTOR = 0xfffffffa;
/** Sector numbers of the FAT that the header itself holds. */
const HEADER_FAT_SECTORS = 109;
const ENTRY_BYTES = 128;
/** Directory entries looked at: an Office file has a few dozen. */
const MAX_ENTRIES = 10_000;
const MINI_SECTOR_BYTES = 64;
const STREAM = 2;
const ROOT = 5;

/** An OLE compound file, opened: its streams by name. */
export interface CompoundFile {
  /** Names of all streams and storages. */
  readonly names: readonly string[];
  /** A stream's bytes; null when there is none of that name. */
  stream(name: string): { bytes: Uint8Array; complete: boolean } | null;
}

interface Entry {
  name: string;
  kind: number;
  start: number;
  size: number;
}

/**
 * Opens an OLE compound file by [MS-CFB]. A file that is cut off or whose chains of sectors are
 * broken is read as far as they lead. No chain is longer than the file, so the work is linear in
 * the size of what is asked for, whatever the file says.
 *
 * @returns null when the bytes are no compound file, or one without a directory
 */
export function openCompoundFile(bytes: Uint8Array): CompoundFile | null {
  if (!isOle(bytes) || bytes.length < 512) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorBytes = view.getUint16(30, true) === 12 ? 4096 : 512;
  const sectors = Math.ceil(bytes.length / sectorBytes) - 1;

  const sector = (number: number): Uint8Array =>
    bytes.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes);
  const fat = fatOf(view, sectorBytes, sectors);
  const chain = (start: number): Uint8Array =>
    concat(numbersOf(start, fat, sectors).map((number) => sector(number)));

  const entries = entriesOf(chain(view.getUint32(48, true)));
  if (entries.length === 0) return null;
  const cutoff = view.getUint32(56, true);
  let mini: { store: Uint8Array; next: Uint32Array } | null = null;
  const openMini = (): { store: Uint8Array; next: Uint32Array } => {
    const root = entries.find(({ kind }) => kind === ROOT);
    const store = root === undefined ? new Uint8Array() : chain(root.start);
    return { store, next: uint32s(chain(view.getUint32(60, true))) };
  };

  return {
    names: entries.map(({ name }) => name),
    stream(name) {
      const entry = entries.find((entry) => entry.kind === STREAM && entry.name === name);
      if (entry === undefined) return null;
      const upTo = (found: Uint8Array): { bytes: Uint8Array; complete: boolean } => {
        return { bytes: found.subarray(0, entry.size), complete: found.length >= entry.size };
      };
      if (entry.size >= cutoff) return upTo(chain(entry.start));
      mini ??= openMini();
      const { store, next } = mini;
      const numbers = numbersOf(entry.start, next, Math.ceil(store.length / MINI_SECTOR_BYTES));
      const pieces = numbers.map((number) =>
        store.subarray(number * MINI_SECTOR_BYTES, (number + 1) * MINI_SECTOR_BYTES),
      );
      return upTo(concat(pieces));
    },
  };
}

/** The file allocation table: for each sector the one that follows it in its chain. */
function fatOf(view: DataView, sectorBytes: number, sectors: number): Uint32Array {
  const slots = sectorBytes / 4;
  const places: number[] = [];
  const most = Math.ceil(sectors / slots);
  const uint32 = (at: number): number =>
    at + 4 <= view.byteLength ? view.getUint32(at, true) : MAX_REGULAR_SECTOR;
  for (let at = 0; at < HEADER_FAT_SECTORS; at += 1) places.push(uint32(76 + at * 4));
  let next = uint32(68);
  for (let hops = 0; next < sectors && hops <= most; hops += 1) {
    const from = (next + 1) * sectorBytes;
    for (let at = 0; at < slots - 1; at += 1) places.push(uint32(from + at * 4));
    next = uint32(from + (slots - 1) * 4);
  }
  const fat = new Uint32Array(most * slots).fill(MAX_REGULAR_SECTOR);
  for (const [index, place] of places.slice(0, most).entries()) {
    if (place >= sectors) continue;
    const from = (place + 1) * sectorBytes;
    for (let at = 0; at < slots; at += 1) fat[index * slots + at] = uint32(from + at * 4);
  }
  return fat;
}

/** The sectors of one chain; it ends where it leads outside or into itself. */
function numbersOf(start: number, next: Uint32Array, count: number): number[] {
  const numbers: number[] = [];
  const seen = new Set<number>();
  for (let at = start; at < count && !seen.has(at); at = next[at] ?? MAX_REGULAR_SECTOR) {
    seen.add(at);
    numbers.push(at);
  }
  return numbers;
}

function entriesOf(directory: Uint8Array): Entry[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const entries: Entry[] = [];
  const end = Math.min(directory.length, MAX_ENTRIES * ENTRY_BYTES);
  for (let at = 0; at + ENTRY_BYTES <= end; at += ENTRY_BYTES) {
    const nameBytes = view.getUint16(at + 64, true);
    const kind = view.getUint8(at + 66);
    if (kind === 0 || kind > ROOT || nameBytes < 2 || nameBytes > 64) continue;
    const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + nameBytes - 2));
    const start = view.getUint32(at + 116, true);
    entries.push({ name, kind, start, size: view.getUint32(at + 120, true) });
  }
  return entries;
}

function uint32s(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) =>
    view.getUint32(at * 4, true),
  );
}

function concat(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

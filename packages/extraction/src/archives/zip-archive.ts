import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import { bufferOf } from '../bytes.ts';
import { charsetOfNames, decode } from '../text/charset.ts';
import { ExtractionError } from '../errors.ts';
import { cleanText } from '../text-builder.ts';

export const MAX_MEMBERS = 10_000;
const MAX_MEMBER_BYTES = 200_000_000;
/** Members above {@link BOMB_BYTES} that inflate more than this are refused. */
const MAX_RATIO = 200;
const BOMB_BYTES = 50_000_000;

/** How a member of a zip is encrypted. */
type ZipLock =
  /** One of the values is the last byte of its header. */
  | { kind: 'zipcrypto'; check: readonly number[] }
  | { kind: 'aes'; strength: number; method: number }
  | { kind: 'other' };

/** A file in an archive. Directories and system files are left out. */
export interface ZipMember {
  /** Its relative path, separated by '/'. */
  path: string;
  /** Declared inflated size. */
  size: number;
  packed: Uint8Array;
  method: number;
  lock: ZipLock | null;
  /** Null if the directory is lost and the local header has no checksum. */
  crc: number | null;
}

interface ZipListing {
  members: ZipMember[];
  faults: { path: string; error: ExtractionError }[];
  damaged: boolean;
  beyond: number;
}

const METHODS: Record<number, string> = {
  1: 'shrink',
  2: 'reduce',
  3: 'reduce',
  4: 'reduce',
  5: 'reduce',
  6: 'implode',
  9: 'deflate64',
  12: 'bzip2',
  14: 'lzma',
  93: 'zstd',
  95: 'xz',
  98: 'ppmd',
};
const AES = 99;
const AES_EXTRA = 0x9901;
const STRONG_FLAG = 0x40;
const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
const UTF8_FLAG = 0x800;
const DESCRIPTOR_FLAG = 0x8;

interface RawMember {
  rawName: Buffer;
  /** Its last change, as MS-DOS writes a time. */
  time: number;
  /** The extra field of the local header. */
  extra: Buffer;
  name: string | null;
  flags: number;
  method: number;
  size: number;
  crc: number | null;
  offset: number;
  start: number;
  end: number;
  isLink: boolean;
  mismatch: boolean;
}

/**
 * Lists the members of a zip without inflating any, by their local headers if the directory is lost.
 * Throws {@link ExtractionError}, too_large if members overlap, as in zip bombs.
 */
export async function listZip(bytes: Uint8Array): Promise<ZipListing> {
  const buffer = bufferOf(bytes);
  let { found: rawMembers, damaged, beyond } = await readDirectory(buffer);
  if (rawMembers.length === 0 && damaged) rawMembers = scanRecords(buffer);
  if (rawMembers.length === 0 && damaged) {
    throw new ExtractionError('damaged', 'This archive is damaged and cannot be opened.');
  }
  refuseOverlaps(rawMembers);
  const charset = charsetOfNames(
    rawMembers.filter(({ name }) => name === null).map(({ rawName }) => rawName),
  );
  const listing: ZipListing = { members: [], faults: [], damaged, beyond };
  const seen = new Set<string>();
  for (const raw of rawMembers) {
    const name = raw.name ?? decode(raw.rawName, charset);
    if (/[/\\]$/.test(name) || isSystemFile(name)) continue;
    const path = safePath(name);
    const fault = faultOf(raw, path, seen);
    if (fault !== null || path === null) {
      if (fault !== null) listing.faults.push({ path: shownPath(name), error: fault });
      continue;
    }
    seen.add(path);
    const lock = lockOf(raw);
    listing.members.push({
      path,
      size: raw.size,
      packed: bytes.subarray(raw.start, raw.end),
      method: raw.method,
      lock,
      // AES has its own checksum.
      crc: lock?.kind === 'aes' ? null : raw.crc,
    });
  }
  return listing;
}

/** How a member is encrypted (APPNOTE.TXT 6 and WinZip's AE-1 and AE-2), or null. */
function lockOf({ flags, method, crc, time, extra }: RawMember): ZipLock | null {
  if ((flags & 1) === 0 && method !== AES) return null;
  if ((flags & STRONG_FLAG) !== 0) return { kind: 'other' };
  if (method !== AES) return { kind: 'zipcrypto', check: [(crc ?? 0) >>> 24, time >>> 8] };
  for (let offset = 0; offset + 4 <= extra.length; offset += 4 + extra.readUInt16LE(offset + 2)) {
    if (extra.readUInt16LE(offset) !== AES_EXTRA || offset + 11 > extra.length) continue;
    const strength = extra.readUInt8(offset + 8);
    if (strength < 1 || strength > 3) break;
    return { kind: 'aes', strength, method: extra.readUInt16LE(offset + 9) };
  }
  return { kind: 'other' };
}

/** The bytes of a member, never more than declared. Throws {@link ExtractionError}. */
export function inflateMember(member: ZipMember): Uint8Array {
  const { method, packed, size } = member;
  if (member.lock !== null) {
    throw new ExtractionError('password_needed', 'This file is password-protected.');
  }
  if (method !== 0 && method !== 8) {
    const named = METHODS[method] ?? String(method);
    throw new ExtractionError(
      'unsupported',
      `Files packed with the compression method '${named}' cannot be read.`,
    );
  }
  if (size > MAX_MEMBER_BYTES || isBomb(size, packed.length)) {
    throw new ExtractionError('too_large', 'This file unpacks to more than can be read safely.');
  }
  const bytes = method === 0 ? packed : inflate(packed, size);
  if (bytes.length !== size && member.crc !== null) throw damagedMember();
  if (member.crc !== null && crc32(bytes) !== member.crc) throw damagedMember();
  return bytes;
}

/** The first bytes of a member, without inflating all of it. */
export function memberHead({ method, packed }: ZipMember, length: number): Uint8Array {
  if (method !== 8) return packed.subarray(0, length);
  try {
    // A flush returns partial output.
    return inflateRawSync(packed.subarray(0, Math.max(2048, length >> 3)), {
      finishFlush: 2,
      maxOutputLength: length * 200,
    }).subarray(0, length);
  } catch {
    return new Uint8Array();
  }
}

export function isBomb(inflated: number, packed: number): boolean {
  return inflated > BOMB_BYTES && inflated > packed * MAX_RATIO;
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  if (size === 0) return new Uint8Array();
  try {
    const bytes = inflateRawSync(packed, { maxOutputLength: size });
    // PDF.js refuses a Buffer.
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    throw damagedMember(error);
  }
}

function damagedMember(cause?: unknown): ExtractionError {
  return new ExtractionError('damaged', 'This file is damaged in the archive.', { cause });
}

async function readDirectory(
  buffer: Buffer,
): Promise<{ found: RawMember[]; damaged: boolean; beyond: number }> {
  const rawMembers: RawMember[] = [];
  try {
    const zip = await fromBufferPromise(buffer, {
      decodeStrings: false,
      validateEntrySizes: false,
    });
    for await (const entry of zip.eachEntry()) {
      if (rawMembers.length >= MAX_MEMBERS) {
        return { found: rawMembers, damaged: false, beyond: zip.entryCount - MAX_MEMBERS };
      }
      rawMembers.push(rawMember(buffer, entry));
    }
    return { found: rawMembers, damaged: false, beyond: 0 };
  } catch {
    return { found: rawMembers, damaged: true, beyond: 0 };
  }
}

function rawMember(buffer: Buffer, entry: Entry): RawMember {
  const rawName = entry.fileNameRaw;
  const offset = entry.relativeOffsetOfLocalHeader;
  const unicode = entry.extraFields.some(({ id }) => id === 0x7075);
  const known = unicode || (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0;
  // Lengths of name and extra field are at 26 and 28, the name at 30 (APPNOTE.TXT 4.3.7).
  const local = offset + 30 <= buffer.length && buffer.readUInt32LE(offset) === 0x04034b50;
  const nameLength = local ? buffer.readUInt16LE(offset + 26) : 0;
  const nameEnd = offset + 30 + nameLength;
  const start = local ? nameEnd + buffer.readUInt16LE(offset + 28) : 0;
  const end = start + entry.compressedSize;
  return {
    rawName,
    name: known
      ? getFileNameLowLevel(entry.generalPurposeBitFlag, rawName, entry.extraFields, false)
      : null,
    time: entry.lastModFileTime,
    extra: local ? buffer.subarray(nameEnd, start) : Buffer.alloc(0),
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    size: entry.uncompressedSize,
    crc: entry.crc32,
    offset,
    start,
    end,
    // The upper half of the attributes is a Unix file mode. Type 0xa is a symbolic link.
    isLink: entry.externalFileAttributes >>> 28 === 0xa && entry.versionMadeBy >> 8 === 3,
    mismatch:
      !local ||
      end > buffer.length ||
      !buffer.subarray(offset + 30, offset + 30 + nameLength).equals(rawName),
  };
}

function scanRecords(buffer: Buffer): RawMember[] {
  const rawMembers: RawMember[] = [];
  let offset = buffer.indexOf(LOCAL_HEADER);
  while (offset !== -1 && offset + 30 <= buffer.length && rawMembers.length < MAX_MEMBERS) {
    const nameLength = buffer.readUInt16LE(offset + 26);
    const start = offset + 30 + nameLength + buffer.readUInt16LE(offset + 28);
    const flags = buffer.readUInt16LE(offset + 6);
    const packed = buffer.readUInt32LE(offset + 18);
    const hasSize = (flags & DESCRIPTOR_FLAG) === 0 || packed > 0;
    const next = buffer.indexOf(LOCAL_HEADER, hasSize ? start + packed : start);
    const end = hasSize ? start + packed : next === -1 ? buffer.length : next;
    const nameEnd = offset + 30 + nameLength;
    const rawName = buffer.subarray(offset + 30, nameEnd);
    rawMembers.push({
      rawName,
      time: buffer.readUInt16LE(offset + 10),
      extra: buffer.subarray(nameEnd, start),
      name: (flags & UTF8_FLAG) === 0 ? null : rawName.toString('utf8'),
      flags,
      method: buffer.readUInt16LE(offset + 8),
      size: hasSize ? buffer.readUInt32LE(offset + 22) : Math.min((end - start) * 50, 50_000_000),
      crc: hasSize ? buffer.readUInt32LE(offset + 14) : null,
      offset,
      start,
      end,
      isLink: false,
      mismatch: end > buffer.length,
    });
    offset = next;
  }
  return rawMembers;
}

function refuseOverlaps(rawMembers: readonly RawMember[]): void {
  const spans = rawMembers.filter(({ start }) => start > 0).sort((a, b) => a.offset - b.offset);
  let end = 0;
  for (const span of spans) {
    if (span.offset < end) {
      throw new ExtractionError(
        'too_large',
        'The files in this archive overlap, as in a zip bomb. It was not unpacked.',
      );
    }
    end = span.end;
  }
}

function faultOf(
  raw: RawMember,
  path: string | null,
  seen: ReadonlySet<string>,
): ExtractionError | null {
  if (path === null) {
    return new ExtractionError(
      'unsupported',
      'Its path leads out of the archive. It was left out.',
    );
  }
  if (raw.isLink) return new ExtractionError('unsupported', 'Links are not followed.');
  if (seen.has(path)) {
    return new ExtractionError('unsupported', 'A second file of this name was left out.');
  }
  return raw.mismatch ? damagedMember() : null;
}

function isSystemFile(name: string): boolean {
  return /(?:^|[/\\])(?:__MACOSX[/\\]|(?:\.DS_Store|\._[^/\\]*|Thumbs\.db|desktop\.ini)$)/i.test(
    name,
  );
}

/** The normalized path, or null if it is absolute or leads upward. */
function safePath(name: string): string | null {
  const cleaned = shownPath(name);
  if (/^(?:\/|[a-z]:)/i.test(cleaned)) return null;
  const steps = cleaned.split('/').filter((step) => step !== '' && step !== '.');
  return steps.length === 0 || steps.includes('..') ? null : steps.join('/');
}

function shownPath(name: string): string {
  const cleaned = cleanText(name)
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '');
  return cleanText(cleaned.slice(0, 1000));
}

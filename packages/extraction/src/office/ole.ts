const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ENTRY_BYTES = 128;
/** Directory sectors followed at most: names that matter stand in the first few. */
const MAX_SECTORS = 64;

/** True when the bytes begin an OLE compound file, the container of encrypted Office files. */
export function isOle(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/**
 * Names of the streams in an OLE compound file, by [MS-CFB] 2.2 and 2.6: the header names the
 * first sector of the directory, whose entries are 128 bytes long and begin with the name. The
 * sectors after the first are taken to follow it, which holds for files that Office writes.
 *
 * @returns null when the directory lies beyond `bytes`
 */
export function oleStreams(bytes: Uint8Array): string[] | null {
  if (!isOle(bytes) || bytes.length < 512) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorBytes = 2 ** Math.min(view.getUint16(30, true), 12);
  const start = (view.getUint32(48, true) + 1) * sectorBytes;
  if (start + ENTRY_BYTES > bytes.length) return null;
  const names: string[] = [];
  const end = Math.min(bytes.length, start + MAX_SECTORS * sectorBytes);
  for (let at = start; at + ENTRY_BYTES <= end; at += ENTRY_BYTES) {
    const nameBytes = view.getUint16(at + 64, true);
    const kind = view.getUint8(at + 66);
    if (nameBytes < 2 || nameBytes > 64 || kind > 5) {
      if (kind === 0) continue;
      break;
    }
    names.push(new TextDecoder('utf-16le').decode(bytes.subarray(at, at + nameBytes - 2)));
  }
  return names;
}

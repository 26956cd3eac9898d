import { bufferOf } from '../bytes.ts';

const TRAILER_BYTES = 32;
/** Kinds of objects, by the upper half of their first byte. */
const DATA = 0x4;
const ASCII = 0x5;
const UTF_16 = 0x6;
const ARRAY = 0xa;
const DICTIONARY = 0xd;

/** Maximum members that are read of one list or dictionary. */
const MAX_REFS = 20_000;

/** An object, by its number. */
type PlistRef = number;

export const isBinaryPlist = (bytes: Uint8Array): boolean =>
  bufferOf(bytes.subarray(0, 6)).toString('latin1') === 'bplist';

/**
 * Opens a binary property list of Apple. Objects are read on demand, because they may contain each
 * other. Broken ones are missing.
 */
export function openBinaryPlist(bytes: Uint8Array) {
  const buffer = bufferOf(bytes);
  const uint = (offset: number, width: number): number =>
    offset >= 0 && width >= 1 && width <= 6 && offset + width <= buffer.length
      ? buffer.readUIntBE(offset, width)
      : -1;
  // The upper two bytes of 8-byte numbers are unused.
  const trailer = buffer.length - TRAILER_BYTES;
  const [offsetBytes, refBytes] = [uint(trailer + 6, 1), uint(trailer + 7, 1)];
  const count = uint(trailer + 10, 6);
  const table = uint(trailer + 26, 6);

  const objectAt = (ref: PlistRef): { kind: number; length: number; start: number } | null => {
    if (ref < 0 || ref >= count) return null;
    const offset = uint(table + ref * offsetBytes, offsetBytes);
    const mark = uint(offset, 1);
    if (mark === -1) return null;
    const [kind, length] = [mark >> 4, mark & 0xf];
    if (length !== 0xf) return { kind, length, start: offset + 1 };
    const width = 2 ** (uint(offset + 1, 1) & 0xf);
    return { kind, length: uint(offset + 2, width), start: offset + 2 + width };
  };
  const refsOf = (ref: PlistRef, kind: number): PlistRef[] => {
    const object = objectAt(ref);
    if (object?.kind !== kind) return [];
    const refCount = Math.min(object.length, MAX_REFS) * (kind === DICTIONARY ? 2 : 1);
    return Array.from({ length: Math.max(0, refCount) }, (_, index) =>
      uint(object.start + index * refBytes, refBytes),
    );
  };
  const text = (ref: PlistRef | undefined): string | undefined => {
    const object = objectAt(ref ?? -1);
    if (object === null || object.length < 0) return undefined;
    const { kind, length, start } = object;
    if (kind === ASCII) return buffer.toString('latin1', start, start + length);
    if (kind !== UTF_16) return undefined;
    return new TextDecoder('utf-16be').decode(buffer.subarray(start, start + length * 2));
  };

  return {
    root: uint(trailer + 18, 6),
    text,
    data(ref: PlistRef | undefined): Uint8Array | undefined {
      const object = objectAt(ref ?? -1);
      if (object?.kind !== DATA || object.length < 0) return undefined;
      return bytes.subarray(object.start, object.start + object.length);
    },
    list: (ref: PlistRef | undefined): PlistRef[] => refsOf(ref ?? -1, ARRAY),
    dictionary(ref: PlistRef | undefined): Map<string, PlistRef> {
      const refs = refsOf(ref ?? -1, DICTIONARY);
      const values = refs.splice(refs.length / 2);
      return new Map(refs.map((key, index) => [text(key) ?? '', values[index] ?? -1]));
    },
  };
}

import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import type { Keyring } from '../keyring.ts';
import { inflateMember, type ZipMember } from './zip-archive.ts';

const LOCKED = 'This file is password-protected.';

/** A member without its encryption. Throws {@link ExtractionError} if no password opens it. */
export function unlockMember(member: ZipMember, keyring: Keyring): ZipMember {
  const { lock } = member;
  if (lock === null) return member;
  if (lock.kind === 'other') {
    throw new ExtractionError(
      'encrypted',
      'This file is encrypted in a way that Engram cannot open.',
    );
  }
  return keyring.open((password) => {
    const opened =
      lock.kind === 'aes'
        ? openAes(member, lock, password)
        : openZipCrypto(member, lock.check, password);
    return opened && { ...member, ...opened, lock: null };
  }, LOCKED);
}

type Opened = Pick<ZipMember, 'packed' | 'method'>;

const SALT_BYTES = [8, 12, 16] as const;
const KEY_BYTES = [16, 24, 32] as const;
const CHECK_BYTES = 2;
const MAC_BYTES = 10;
const ITERATIONS = 1000;
const BLOCK = 16;
const BLOCKS_AT_ONCE = 4096;

function openAes(
  { packed }: ZipMember,
  { strength, method }: { strength: number; method: number },
  password: string,
): Opened | null {
  const saltBytes = SALT_BYTES[strength - 1] ?? 16;
  const keyBytes = KEY_BYTES[strength - 1] ?? 32;
  const data = bufferOf(packed);
  const start = saltBytes + CHECK_BYTES;
  if (data.length < start + MAC_BYTES) return null;
  const salt = data.subarray(0, saltBytes);
  const keys = pbkdf2Sync(password, salt, ITERATIONS, 2 * keyBytes + CHECK_BYTES, 'sha1');
  if (!keys.subarray(2 * keyBytes).equals(data.subarray(saltBytes, start))) return null;
  const content = data.subarray(start, -MAC_BYTES);
  const mac = createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes))
    .update(content)
    .digest();
  if (!timingSafeEqual(mac.subarray(0, MAC_BYTES), data.subarray(-MAC_BYTES))) return null;
  return { packed: counterMode(content, keys.subarray(0, keyBytes)), method };
}

/** AES in counter mode with a little-endian counter from 1, which Node does not have. */
function counterMode(content: Buffer, key: Buffer): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  const plain = new Uint8Array(content);
  const counters = Buffer.alloc(BLOCKS_AT_ONCE * BLOCK);
  for (let start = 0; start < plain.length; start += counters.length) {
    for (let block = 0; block < BLOCKS_AT_ONCE; block += 1) {
      counters.writeUInt32LE(start / BLOCK + block + 1, block * BLOCK);
    }
    const stream = cipher.update(counters);
    const end = Math.min(counters.length, plain.length - start);
    for (let index = 0; index < end; index += 1) plain[start + index]! ^= stream[index]!;
  }
  return plain;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});
const HEADER_BYTES = 12;

/** The traditional encryption (APPNOTE.TXT 6.1). */
function openZipCrypto(
  member: ZipMember,
  check: readonly number[],
  password: string,
): Opened | null {
  if (member.packed.length < HEADER_BYTES) return null;
  const decode = zipCryptoDecoder(Buffer.from(password, 'utf8'));
  const header = decode(member.packed.subarray(0, HEADER_BYTES));
  if (!check.includes(header.at(-1) ?? -1)) return null;
  const opened = { packed: decode(member.packed.subarray(HEADER_BYTES)), method: member.method };
  // A wrong password sometimes passes the one-byte check.
  try {
    inflateMember({ ...member, ...opened, lock: null });
  } catch (error) {
    if (error instanceof ExtractionError && error.code === 'damaged') return null;
    throw error;
  }
  return opened;
}

function zipCryptoDecoder(password: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  let key0 = 0x12345678;
  let key1 = 0x23456789;
  let key2 = 0x34567890;
  const crc = (value: number, byte: number): number =>
    CRC_TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  const update = (byte: number): void => {
    key0 = crc(key0, byte);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134775813) + 1) | 0;
    key2 = crc(key2, key1 >>> 24);
  };
  password.forEach(update);
  return (bytes) =>
    bytes.map((byte) => {
      const mask = (key2 | 2) & 0xffff;
      const plain = byte ^ ((Math.imul(mask, mask ^ 1) >>> 8) & 0xff);
      update(plain);
      return plain;
    });
}

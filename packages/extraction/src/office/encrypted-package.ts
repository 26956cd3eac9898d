import { createDecipheriv, hash } from 'node:crypto';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { attribute, descendant, type MarkupNode, parseXml } from '../html/markup.ts';
import type { Keyring } from '../keyring.ts';
import { openCompoundFile } from './compound-file.ts';
import { damaged } from './zip-package.ts';

/** Office writes 100,000. The specification allows 10 million, which take ten seconds. */
const MAX_SPINS = 1_000_000;
const STANDARD_SPINS = 50_000;
const SEGMENT_BYTES = 4096;
const BLOCK = 16;
/** The version of agile encryption, and its flags before the XML. */
const AGILE = 0x0004_0004;
const AGILE_HEADER_BYTES = 8;
const AES_128 = 0x660e;
const AES_192 = 0x660f;
const AES_256 = 0x6610;

/** [MS-OFFCRYPTO] 2.3.4.13. */
const BLOCK_KEYS = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierValue: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
};
const HASHES = new Set(['sha1', 'sha256', 'sha384', 'sha512']);

/** The key of the package, or null if the password is wrong. */
type KeyOf = (password: string) => Buffer | null;

/** The zip in a document that Office encrypted ([MS-OFFCRYPTO] 2.3.4). Throws {@link ExtractionError}. */
export function openEncryptedPackage(bytes: Uint8Array, keyring: Keyring): Uint8Array {
  const file = openCompoundFile(bytes);
  const stored = file?.stream('EncryptionInfo')?.bytes;
  const content = file?.stream('EncryptedPackage');
  if (stored === undefined || !content || content.bytes.length < 8) throw damaged();
  const info = bufferOf(stored);
  if (info.length < 12 || !content.complete) throw damaged();
  const { keyOf, decrypt } = info.readUInt32LE() === AGILE ? agile(info) : standard(info);
  const key = keyring.open(keyOf, 'This document is password-protected.');
  const encrypted = bufferOf(content.bytes);
  const length = encrypted.readBigUInt64LE();
  const body = encrypted.subarray(8);
  const blocks = body.subarray(0, body.length - (body.length % BLOCK));
  if (length > BigInt(blocks.length)) throw damaged();
  const opened = decrypt(key, blocks).subarray(0, Number(length));
  // PDF.js and others refuse a Buffer.
  return new Uint8Array(opened.buffer, opened.byteOffset, opened.length);
}

const unsupported = (): ExtractionError =>
  new ExtractionError(
    'encrypted',
    'This document is encrypted in a way that Engram cannot open. Save it without the password and upload it again.',
  );

const hashOf = (algorithm: string, ...parts: Uint8Array[]): Buffer =>
  hash(algorithm, Buffer.concat(parts), 'buffer');

const toUint32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

function spin(algorithm: string, salt: Uint8Array, password: string, times: number): Buffer {
  const first = hashOf(algorithm, salt, Buffer.from(password, 'utf16le'));
  const input = Buffer.concat([Buffer.alloc(4), first]);
  for (let index = 0; index < times; index += 1) {
    input.writeUInt32LE(index);
    hash(algorithm, input, 'buffer').copy(input, 4);
  }
  return input.subarray(4);
}

const padTo = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(
    0,
    length,
  );

function decipher(cipher: string, key: Buffer, iv: Buffer | null, data: Uint8Array): Buffer {
  const decoder = createDecipheriv(cipher, key, iv).setAutoPadding(false);
  return Buffer.concat([decoder.update(data), decoder.final()]);
}

interface AgileNode {
  algorithm: string;
  cipher: string;
  keyBytes: number;
  salt: Buffer;
}

function agileNode(node: MarkupNode | null): AgileNode {
  if (node === null) throw damaged();
  const text = (name: string): string => attribute(node, name) ?? '';
  const algorithm = text('hashAlgorithm').toLowerCase().replace('-', '');
  const keyBytes = Number(text('keyBits')) / 8;
  const isKnown =
    HASHES.has(algorithm) &&
    text('cipherAlgorithm') === 'AES' &&
    text('cipherChaining') === 'ChainingModeCBC' &&
    Number(text('blockSize')) === BLOCK &&
    [16, 24, 32].includes(keyBytes);
  if (!isKnown) throw unsupported();
  const salt = Buffer.from(text('saltValue'), 'base64');
  return { algorithm, cipher: `aes-${keyBytes * 8}-cbc`, keyBytes, salt };
}

function agile(info: Buffer) {
  const root = parseXml(info.toString('utf8', AGILE_HEADER_BYTES));
  const data = agileNode(descendant(root, 'keydata'));
  const encryptor = descendant(root, 'encryptedkey');
  if (encryptor === null) throw unsupported();
  const { algorithm, cipher, keyBytes, salt } = agileNode(encryptor);
  const spins = Number(attribute(encryptor, 'spinCount'));
  if (!Number.isInteger(spins) || spins < 0 || spins > MAX_SPINS) throw unsupported();
  const valueOf = (name: string): Buffer => {
    const value = Buffer.from(attribute(encryptor, name) ?? '', 'base64');
    if (value.length === 0 || value.length % BLOCK !== 0) throw damaged();
    return value;
  };
  const keyOf: KeyOf = (password) => {
    const spun = spin(algorithm, salt, password, spins);
    const open = (name: string, block: Buffer): Buffer =>
      decipher(
        cipher,
        padTo(hashOf(algorithm, spun, block), keyBytes),
        padTo(salt, BLOCK),
        valueOf(name),
      );
    const input = open('encryptedVerifierHashInput', BLOCK_KEYS.verifierInput);
    const expected = open('encryptedVerifierHashValue', BLOCK_KEYS.verifierValue);
    const actual = hashOf(algorithm, input.subarray(0, salt.length));
    if (!expected.subarray(0, actual.length).equals(actual)) return null;
    return open('encryptedKeyValue', BLOCK_KEYS.key).subarray(0, data.keyBytes);
  };
  const decrypt = (key: Buffer, encrypted: Buffer): Buffer => {
    const parts: Buffer[] = [];
    for (let index = 0; index * SEGMENT_BYTES < encrypted.length; index += 1) {
      const segment = encrypted.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES);
      const iv = padTo(hashOf(data.algorithm, data.salt, toUint32(index)), BLOCK);
      parts.push(decipher(data.cipher, key, iv, segment));
    }
    return Buffer.concat(parts);
  };
  return { keyOf, decrypt };
}

/** Standard encryption: AES in ECB mode with SHA-1, as Office 2007 writes it. */
function standard(info: Buffer) {
  const headerBytes = info.readUInt32LE(8);
  const verifierAt = 12 + headerBytes;
  if (headerBytes < 32 || verifierAt + 72 > info.length) throw damaged();
  const algorithm = info.readUInt32LE(20);
  const keyBits = info.readUInt32LE(28) || 128;
  if (![AES_128, AES_192, AES_256].includes(algorithm)) throw unsupported();
  if (![128, 192, 256].includes(keyBits)) throw unsupported();
  const saltAt = verifierAt + 4;
  const salt = info.subarray(saltAt, saltAt + 16);
  const verifier = info.subarray(saltAt + 16, saltAt + 32);
  const verifierHash = info.subarray(saltAt + 36, saltAt + 68);
  const cipher = `aes-${keyBits}-ecb`;
  const half = (spun: Buffer, filler: number): Buffer => {
    const block = Buffer.alloc(64, filler);
    for (const [index, byte] of spun.entries()) block[index] = filler ^ byte;
    return hashOf('sha1', block);
  };
  const keyOf: KeyOf = (password) => {
    const spun = hashOf('sha1', spin('sha1', salt, password, STANDARD_SPINS), toUint32(0));
    const key = Buffer.concat([half(spun, 0x36), half(spun, 0x5c)]).subarray(0, keyBits / 8);
    const actual = hashOf('sha1', decipher(cipher, key, null, verifier));
    const expected = decipher(cipher, key, null, verifierHash);
    return expected.subarray(0, actual.length).equals(actual) ? key : null;
  };
  const decrypt = (key: Buffer, encrypted: Buffer): Buffer =>
    decipher(cipher, key, null, encrypted);
  return { keyOf, decrypt };
}

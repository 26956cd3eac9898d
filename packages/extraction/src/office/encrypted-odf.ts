import { createDecipheriv, hash, pbkdf2Sync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { attribute, descendant, descendants, type MarkupNode, parseXml } from '../html/markup.ts';
import type { Keyring } from '../keyring.ts';
import { damaged, partText, readOfficeParts, repack, tooLarge } from './zip-package.ts';

const MANIFEST = 'META-INF/manifest.xml';
/** The parts of a document that are read. */
const READ_PARTS = /^(?:mimetype|(?:.*\/)?(?:content|styles|meta)\.xml|(?:.*\/)?Pictures\/.+)$/;
/** LibreOffice writes 100,000. */
const MAX_ITERATIONS = 2_000_000;
/** The checksum is of this many bytes. */
const CHECKED_BYTES = 1024;
const MAX_BYTES = 200_000_000;

interface Protection {
  iv: Buffer;
  salt: Buffer;
  iterations: number;
  checksum: Buffer;
  size: number;
}

/** The media type is the uncompressed first part. */
const HEAD_BYTES = 200;

const isOdf = (bytes: Uint8Array): boolean =>
  bufferOf(bytes.subarray(0, HEAD_BYTES)).includes('mimetypeapplication/vnd.oasis.opendocument');

/**
 * An OpenDocument file without its encryption by AES (OASIS 1.2, part 3, 4.8), or as it is if it has
 * none. Throws {@link ExtractionError}.
 */
export function openEncryptedOdf(bytes: Uint8Array, keyring: Keyring): Uint8Array {
  if (!isOdf(bytes)) return bytes;
  const manifest = partText(
    readOfficeParts(bytes, (path) => path === MANIFEST),
    MANIFEST,
  );
  if (manifest?.includes('encryption-data') !== true) return bytes;
  const protections = protectionsOf(parseXml(manifest));
  const parts = readOfficeParts(bytes, (path) => READ_PARTS.test(path));
  const content = parts.get('content.xml');
  const contentProtection = protections.get('content.xml');
  if (content === undefined || contentProtection === undefined) throw damaged();
  const { start, plain: first } = keyring.open((password) => {
    const start = hash('sha256', password, 'buffer');
    const plain = decrypt(content, contentProtection, start);
    return plain && { start, plain };
  }, 'This document is password-protected.');
  let remaining = MAX_BYTES;
  for (const [path, protection] of protections) {
    const part = parts.get(path);
    if (part === undefined) continue;
    const plain = part === content ? first : decrypt(part, protection, start);
    if (plain === null) throw damaged();
    const inflated = inflate(plain, Math.min(protection.size, remaining));
    remaining -= inflated.length;
    parts.set(path, inflated);
  }
  // The library for sheets needs one.
  parts.set(MANIFEST, Buffer.from('<manifest/>'));
  return repack(parts);
}

function protectionsOf(manifest: MarkupNode): Map<string, Protection> {
  const protections = new Map<string, Protection>();
  for (const entry of descendants(manifest, 'file-entry')) {
    const data = descendant(entry, 'encryption-data');
    if (data !== null) {
      protections.set(attribute(entry, 'manifest:full-path') ?? '', protectionOf(entry, data));
    }
  }
  return protections;
}

function protectionOf(entry: MarkupNode, data: MarkupNode): Protection {
  const text = (node: MarkupNode | null, name: string): string =>
    (node && attribute(node, `manifest:${name}`)) ?? '';
  const algorithm = descendant(data, 'algorithm');
  const derivation = descendant(data, 'key-derivation');
  const iterations = Number(text(derivation, 'iteration-count'));
  const isKnown =
    text(algorithm, 'algorithm-name').endsWith('#aes256-cbc') &&
    text(descendant(data, 'start-key-generation'), 'start-key-generation-name').endsWith(
      '#sha256',
    ) &&
    text(derivation, 'key-derivation-name') === 'PBKDF2' &&
    text(data, 'checksum-type').endsWith('#sha256-1k');
  if (!isKnown || !(iterations >= 1 && iterations <= MAX_ITERATIONS)) {
    throw new ExtractionError(
      'encrypted',
      'This document is encrypted in a way that Engram cannot open. Save it without the password and upload it again.',
    );
  }
  return {
    iv: Buffer.from(text(algorithm, 'initialisation-vector'), 'base64'),
    salt: Buffer.from(text(derivation, 'salt'), 'base64'),
    iterations,
    checksum: Buffer.from(text(data, 'checksum'), 'base64'),
    size: Number(text(entry, 'size')) || MAX_BYTES,
  };
}

/** The deflated content of a part, or null if the key is wrong. */
function decrypt(part: Uint8Array, protection: Protection, start: Buffer): Buffer | null {
  const { iv, salt, iterations, checksum } = protection;
  if (part.length === 0 || part.length % 16 !== 0 || iv.length !== 16) throw damaged();
  const key = pbkdf2Sync(start, salt, iterations, 32, 'sha1');
  const decoder = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padded = Buffer.concat([decoder.update(part), decoder.final()]);
  const plain = padded.subarray(0, padded.length - (padded.at(-1) ?? 0));
  const actual = hash('sha256', plain.subarray(0, CHECKED_BYTES), 'buffer');
  return actual.equals(checksum) ? plain : null;
}

function inflate(plain: Buffer, maxBytes: number): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(plain, { maxOutputLength: Math.max(1, maxBytes) }));
  } catch (error) {
    throw maxBytes < MAX_BYTES ? damaged(error) : tooLarge();
  }
}

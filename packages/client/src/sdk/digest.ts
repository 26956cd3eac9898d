import { refuse, sha256 } from './check.ts';
import { load } from './disk.ts';
import type { Content, Digest } from './options.ts';
import { isNode } from './settings.ts';
import type { Part } from './disk.ts';
import { partOf, type Source } from './source.ts';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function inNode(part: Part): Promise<Digest> {
  const { createHash } = await load<typeof import('node:crypto')>('node:crypto');
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of part.open()) {
    hash.update(piece);
    size += piece.length;
  }
  return { sha256: hash.digest('hex'), size };
}

/** A browser hashes whole contents alone, and on secure pages alone. */
async function inBrowser({ blob }: Part): Promise<Digest> {
  const { subtle } = crypto as { subtle?: typeof crypto.subtle };
  if (!blob || !subtle) {
    return refuse('This page cannot hash: hand in { sha256, size }.', 'sha256');
  }
  const bytes = await blob.arrayBuffer();
  return {
    sha256: hex(new Uint8Array(await subtle.digest('SHA-256', bytes))),
    size: bytes.byteLength,
  };
}

const isDigest = (content: Content): content is Digest =>
  typeof content === 'object' && content !== null && 'sha256' in content;

/** What stands for some bytes; in Node they are read a piece at a time. */
export async function digestOf(content: Content): Promise<Digest> {
  if (isDigest(content)) {
    const isSize = Number.isSafeInteger(content.size) && content.size >= 0;
    if (!isSize) return refuse('size is a whole number of bytes.', 'size');
    return { sha256: sha256(content.sha256), size: content.size };
  }
  const part = await partOf({ source: content satisfies Source, name: 'content' });
  return isNode ? inNode(part) : inBrowser(part);
}

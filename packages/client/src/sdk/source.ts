import { refuse, sha256 } from './check.ts';
import { disk, load, type Part } from './disk.ts';
import { isNode } from './settings.ts';

/** A file to send: a path (in Node), a Blob or File, its bytes, or a stream of them (in Node). */
export type Source = string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

/** A source with its name and size. */
export interface NamedSource {
  source: Source;
  /** The name of the file. Required except for paths and Files. */
  name?: string | undefined;
  /** The bytes of a stream, if known. */
  size?: number | undefined;
}

/** The hash and size of a file. */
export interface Digest {
  /** In hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** The content of a file: a path (in Node), a Blob, bytes, a stream, or a digest. */
export type Content = Source | Digest;

function partOfBlob(blob: Blob, name = (blob as Partial<File>).name): Part {
  if (!name) return refuse("This needs a name: upload(data, { name: 'lease.pdf' }).", 'name');
  const { type, size } = blob;
  return { name, type, size, isRepeatable: true, blob, open: () => blob.stream() };
}

function partOfStream(stream: ReadableStream<Uint8Array>, name?: string, size?: number): Part {
  if (!name) return refuse("A stream needs a name: upload(stream, { name: 'lease.pdf' }).", 'name');
  if (stream.locked) return refuse('The stream is locked by another reader.', 'stream');
  return {
    name,
    type: '',
    size: size ?? null,
    isRepeatable: false,
    blob: null,
    open: () => stream,
  };
}

const isNamed = (input: Source | NamedSource): input is NamedSource =>
  typeof input === 'object' && input !== null && 'source' in input;

/** Checks a file before anything is sent. */
export async function partOf(input: Source | NamedSource): Promise<Part> {
  const { source, name, size } = isNamed(input) ? input : { source: input };
  if (typeof source === 'string' || source instanceof URL) {
    return (await disk()).partOfPath(source, name);
  }
  if (source instanceof Blob) return partOfBlob(source, name);
  if (source instanceof ReadableStream) return partOfStream(source, name, size);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return partOfBlob(new Blob([source as Uint8Array<ArrayBuffer>]), name);
  }
  return refuse('A file is a path, a Blob, bytes, or a stream of bytes.', 'no_source');
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function hashInNode(part: Part): Promise<Digest> {
  const { createHash } = await load<typeof import('node:crypto')>('node:crypto');
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of part.open()) {
    hash.update(piece);
    size += piece.length;
  }
  return { sha256: hash.digest('hex'), size };
}

/** Browsers hash only whole contents, and only on secure pages. */
async function hashInBrowser({ blob }: Part): Promise<Digest> {
  const { subtle } = crypto as { subtle?: typeof crypto.subtle };
  if (!blob || !subtle) {
    return refuse('This page cannot compute hashes: pass { sha256, size }.', 'sha256');
  }
  const bytes = await blob.arrayBuffer();
  return {
    sha256: hex(new Uint8Array(await subtle.digest('SHA-256', bytes))),
    size: bytes.byteLength,
  };
}

const isDigest = (content: Content): content is Digest =>
  typeof content === 'object' && content !== null && 'sha256' in content;

/** The hash and size of a content. Node reads it in chunks. */
export async function digestOf(content: Content): Promise<Digest> {
  if (isDigest(content)) {
    const isSize = Number.isSafeInteger(content.size) && content.size >= 0;
    if (!isSize) return refuse('size must be a whole number of bytes.', 'size');
    return { sha256: sha256(content.sha256), size: content.size };
  }
  const part = await partOf({ source: content satisfies Source, name: 'content' });
  return isNode ? hashInNode(part) : hashInBrowser(part);
}

import { refuse } from './check.ts';
import { chunksOf, disk, type Part } from './disk.ts';

/** A file to send: a path (in Node), a Blob or File, its bytes, or a stream of them (in Node). */
export type Source = string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

/** A source with what it does not say itself. */
export interface NamedSource {
  source: Source;
  /** What the file is called; for all but paths and Files it is needed. */
  name?: string | undefined;
  /** Bytes, where a stream is known to have so many. */
  size?: number | undefined;
}

function partOfBlob(blob: Blob, given?: string): Part {
  const own = (blob as { name?: unknown }).name;
  const name = given ?? (typeof own === 'string' ? own : '');
  if (!name) return refuse("This needs a name: upload(data, { name: 'lease.pdf' }).", 'name');
  const open = () => chunksOf(blob.stream());
  return { name, type: blob.type, size: blob.size, again: true, blob, open };
}

function partOfStream(stream: ReadableStream<Uint8Array>, name?: string, size?: number): Part {
  if (!name) return refuse("A stream needs a name: upload(stream, { name: 'lease.pdf' }).", 'name');
  if (stream.locked) return refuse('Somebody else is reading this stream.', 'stream');
  return {
    name,
    type: '',
    size: size ?? null,
    again: false,
    blob: null,
    open: () => chunksOf(stream),
  };
}

const isNamed = (given: Source | NamedSource): given is NamedSource =>
  typeof given === 'object' && given !== null && 'source' in given;

/** A file to send, looked at before anything is sent. */
export async function partOf(given: Source | NamedSource): Promise<Part> {
  const { source, name, size } = isNamed(given) ? given : { source: given };
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

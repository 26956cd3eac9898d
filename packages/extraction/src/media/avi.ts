import type { ByteSource } from './byte-source.ts';

/** One stream of an AVI file, as its header says. */
export interface AviStream {
  kind: 'vids' | 'auds' | 'other';
  /** Packets are called by this number. */
  index: number;
  /** Milliseconds. */
  durationMs: number;
  /** WAVEFORMATEX, of sound. */
  format: {
    tag: number;
    channels: number;
    sampleRate: number;
    bytesPerSecond: number;
    bits: number;
  } | null;
}

export interface AviHead {
  durationMs: number | null;
  streams: AviStream[];
  /** The texts of the INFO list by their four letters. */
  info: Map<string, string>;
  /** Where packets begin and end; null when the file ends before. */
  movie: { start: number; end: number } | null;
  /** True when the file is shorter than it says. */
  cut: boolean;
}

interface Chunk {
  id: string;
  /** Where the chunk says that it ends. */
  claimed: number;
  /** The kind of a RIFF or LIST. */
  list: string | null;
  start: number;
  end: number;
}

/** Most chunks looked at in one list that is no packet list, and most bytes of one of them. */
const MAX_CHUNKS = 10_000;
const MAX_CHUNK_BYTES = 65_536;

const ascii = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

/**
 * The chunks from `start` to `end`, never deeper (RIFF, Multimedia Programming Interface and Data
 * Specifications 1.0, 1991). A chunk that claims more than there is ends with the file.
 */
async function* chunksOf(source: ByteSource, start: number, end: number): AsyncGenerator<Chunk> {
  for (let at = start; at + 8 <= end;) {
    const head = await source.read(at, Math.min(end, at + 12));
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const id = ascii(head, 0);
    const size = view.getUint32(4, true);
    const nested = id === 'LIST' || id === 'RIFF';
    const list = nested && head.length === 12 ? ascii(head, 8) : null;
    const claimed = at + 8 + size;
    yield { id, list, claimed, start: at + (nested ? 12 : 8), end: Math.min(end, claimed) };
    at += 8 + size + (size & 1);
  }
}

/** Reads an AVI file's header, INFO list and the place of its packets; null when it is no AVI. */
export async function readAviHead(source: ByteSource): Promise<AviHead | null> {
  const head: AviHead = { durationMs: null, streams: [], info: new Map(), movie: null, cut: false };
  const riff = await chunksOf(source, 0, source.size).next();
  if (riff.done === true || riff.value.id !== 'RIFF' || riff.value.list !== 'AVI ') return null;
  head.cut = riff.value.claimed > source.size;
  let seen = 0;
  for await (const chunk of chunksOf(source, 12, source.size)) {
    seen += 1;
    if (seen > MAX_CHUNKS) break;
    if (chunk.list === 'hdrl') await readHeaderList(source, chunk, head);
    else if (chunk.list === 'INFO') await readInfo(source, chunk, head);
    else if (chunk.list === 'movi') head.movie ??= { start: chunk.start, end: chunk.end };
  }
  return head;
}

async function content(source: ByteSource, { start, end }: Chunk): Promise<DataView> {
  const bytes = await source.read(start, Math.max(start, Math.min(end, start + MAX_CHUNK_BYTES)));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function readHeaderList(source: ByteSource, list: Chunk, head: AviHead): Promise<void> {
  let seen = 0;
  for await (const chunk of chunksOf(source, list.start, list.end)) {
    seen += 1;
    if (seen > MAX_CHUNKS) return;
    if (chunk.id === 'avih') {
      const view = await content(source, chunk);
      // AVIMAINHEADER: microseconds a frame, and at 16 how many frames.
      if (view.byteLength < 20) continue;
      head.durationMs = Math.round((view.getUint32(0, true) * view.getUint32(16, true)) / 1000);
    } else if (chunk.list === 'strl') {
      await readStream(source, chunk, head);
    }
  }
  const longest = Math.max(0, ...head.streams.map(({ durationMs }) => durationMs));
  if (longest > 0) head.durationMs = longest;
}

async function readStream(source: ByteSource, list: Chunk, head: AviHead): Promise<void> {
  const stream: AviStream = {
    kind: 'other',
    index: head.streams.length,
    durationMs: 0,
    format: null,
  };
  head.streams.push(stream);
  let seen = 0;
  for await (const chunk of chunksOf(source, list.start, list.end)) {
    seen += 1;
    if (seen > MAX_CHUNKS) return;
    const view = await content(source, chunk);
    if (chunk.id === 'strh' && view.byteLength >= 36) {
      const kind = ascii(new Uint8Array(view.buffer, view.byteOffset, 4), 0);
      if (kind === 'vids' || kind === 'auds') stream.kind = kind;
      // AVISTREAMHEADER: scale at 20, rate at 24, length at 32; length × scale ÷ rate are seconds.
      const rate = view.getUint32(24, true);
      const length = view.getUint32(32, true) * view.getUint32(20, true);
      if (rate > 0) stream.durationMs = Math.round((length / rate) * 1000);
    } else if (chunk.id === 'strf' && stream.kind === 'auds' && view.byteLength >= 16) {
      stream.format = {
        tag: view.getUint16(0, true),
        channels: view.getUint16(2, true),
        sampleRate: view.getUint32(4, true),
        bytesPerSecond: view.getUint32(8, true),
        bits: view.getUint16(14, true),
      };
    }
  }
}

async function readInfo(source: ByteSource, list: Chunk, head: AviHead): Promise<void> {
  let seen = 0;
  for await (const chunk of chunksOf(source, list.start, list.end)) {
    seen += 1;
    if (seen > MAX_CHUNKS) return;
    const view = await content(source, chunk);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    head.info.set(chunk.id, textOf(bytes));
  }
}

/** Texts of a RIFF have no declared charset: UTF-8 where they are, else Windows' western one. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = end === -1 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return new TextDecoder('windows-1252').decode(text);
  }
}

/** Most bytes of one packet of sound. */
const MAX_PACKET = 16 << 20;

/** The packets of one stream, in the order of the file; further RIFFs of OpenDML files included. */
export async function* aviPackets(source: ByteSource, index: number): AsyncGenerator<Uint8Array> {
  const name = `${String(index).padStart(2, '0')}wb`;
  for await (const part of chunksOf(source, 0, source.size)) {
    if (part.id !== 'RIFF') continue;
    for await (const list of chunksOf(source, part.start, part.end)) {
      if (list.list === 'movi') yield* packetsOf(source, list, name);
    }
  }
}

async function* packetsOf(
  source: ByteSource,
  list: Chunk,
  name: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(source, list.start, list.end)) {
    if (chunk.list === 'rec ') yield* recordOf(source, chunk, name);
    else if (chunk.id === name) yield packet(source, chunk);
  }
}

async function* recordOf(
  source: ByteSource,
  list: Chunk,
  name: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(source, list.start, list.end)) {
    if (chunk.id === name) yield packet(source, chunk);
  }
}

function packet(source: ByteSource, { start, end }: Chunk): Promise<Uint8Array> {
  return source.read(start, Math.min(end, start + MAX_PACKET));
}

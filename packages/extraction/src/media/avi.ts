import { isUtf8 } from 'node:buffer';
import { viewOf } from '../bytes.ts';
import type { ByteSource } from './byte-source.ts';

export interface AviStream {
  kind: 'vids' | 'auds' | 'other';
  /** The stream number in the names of its packets. */
  index: number;
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

interface AviHead {
  durationMs: number | null;
  streams: AviStream[];
  info: Map<string, string>;
  hasPackets: boolean;
  cut: boolean;
}

interface Chunk {
  id: string;
  claimed: number;
  list: string | null;
  start: number;
  end: number;
}

/** Limits on the chunks of one list without packets, and on the bytes of one chunk. */
const MAX_CHUNKS = 10_000;
const MAX_CHUNK_BYTES = 65_536;
const MAX_PACKET_BYTES = 16 << 20;

const ascii = (bytes: Uint8Array, offset: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));
const wholeOf = ({ size }: ByteSource) => ({ start: 0, end: size });

/** The chunks of one level (RIFF 1.0, 1991). A chunk that declares too many bytes ends with the file. */
async function* chunksOf(
  source: ByteSource,
  { start, end }: Pick<Chunk, 'start' | 'end'>,
  maxChunks = MAX_CHUNKS,
): AsyncGenerator<Chunk> {
  let offset = start;
  for (let seen = 0; offset + 8 <= end && seen < maxChunks; seen += 1) {
    const head = await source.read(offset, Math.min(end, offset + 12));
    const view = viewOf(head);
    const id = ascii(head, 0);
    const size = view.getUint32(4, true);
    const nested = id === 'LIST' || id === 'RIFF';
    const list = nested && head.length === 12 ? ascii(head, 8) : null;
    const claimed = offset + 8 + size;
    yield { id, list, claimed, start: offset + (nested ? 12 : 8), end: Math.min(end, claimed) };
    offset += 8 + size + (size & 1);
  }
}

export async function readAviHead(source: ByteSource): Promise<AviHead | null> {
  const riff = await chunksOf(source, wholeOf(source)).next();
  if (riff.done === true || riff.value.id !== 'RIFF' || riff.value.list !== 'AVI ') return null;
  const cut = riff.value.claimed > source.size;
  const head: AviHead = { durationMs: null, streams: [], info: new Map(), hasPackets: false, cut };
  for await (const chunk of chunksOf(source, { start: 12, end: source.size })) {
    if (chunk.list === 'hdrl') await readHeaderList(source, chunk, head);
    else if (chunk.list === 'INFO') await readInfo(source, chunk, head);
    else if (chunk.list === 'movi') head.hasPackets = true;
  }
  return head;
}

async function content(source: ByteSource, { start, end }: Chunk): Promise<DataView> {
  const bytes = await source.read(start, Math.max(start, Math.min(end, start + MAX_CHUNK_BYTES)));
  return viewOf(bytes);
}

async function readHeaderList(source: ByteSource, list: Chunk, head: AviHead): Promise<void> {
  for await (const chunk of chunksOf(source, list)) {
    if (chunk.list === 'strl')
      head.streams.push(await readStream(source, chunk, head.streams.length));
    if (chunk.id !== 'avih') continue;
    const view = await content(source, chunk);
    // AVIMAINHEADER: microseconds per frame, and the number of frames at 16.
    if (view.byteLength < 20) continue;
    head.durationMs = Math.round((view.getUint32(0, true) * view.getUint32(16, true)) / 1000);
  }
  const longest = Math.max(0, ...head.streams.map(({ durationMs }) => durationMs));
  if (longest > 0) head.durationMs = longest;
}

async function readStream(source: ByteSource, list: Chunk, index: number): Promise<AviStream> {
  const stream: AviStream = { kind: 'other', index, durationMs: 0, format: null };
  for await (const chunk of chunksOf(source, list)) {
    const view = await content(source, chunk);
    if (chunk.id === 'strh' && view.byteLength >= 36) {
      const kind = ascii(new Uint8Array(view.buffer, view.byteOffset, 4), 0);
      if (kind === 'vids' || kind === 'auds') stream.kind = kind;
      // AVISTREAMHEADER: scale at 20, rate at 24, length at 32. Seconds are length × scale ÷ rate.
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
  return stream;
}

async function readInfo(source: ByteSource, list: Chunk, head: AviHead): Promise<void> {
  for await (const chunk of chunksOf(source, list)) {
    const { buffer, byteOffset, byteLength } = await content(source, chunk);
    head.info.set(chunk.id, textOf(new Uint8Array(buffer, byteOffset, byteLength)));
  }
}

/** RIFF declares no charset: valid UTF-8, or else Windows-1252. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = end === -1 ? bytes : bytes.subarray(0, end);
  return new TextDecoder(isUtf8(text) ? 'utf-8' : 'windows-1252').decode(text);
}

/** The packets of one stream in file order, including further OpenDML RIFFs. */
export async function* aviPackets(source: ByteSource, index: number): AsyncGenerator<Uint8Array> {
  const name = `${String(index).padStart(2, '0')}wb`;
  for await (const part of chunksOf(source, wholeOf(source), Infinity)) {
    if (part.id !== 'RIFF') continue;
    for await (const list of chunksOf(source, part, Infinity)) {
      if (list.list === 'movi') yield* packetsOf(source, list, name);
    }
  }
}

async function* packetsOf(
  source: ByteSource,
  list: Chunk,
  name: string,
  isRecord = false,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(source, list, Infinity)) {
    if (chunk.id === name) {
      yield source.read(chunk.start, Math.min(chunk.end, chunk.start + MAX_PACKET_BYTES));
    } else if (chunk.list === 'rec ' && !isRecord) yield* packetsOf(source, chunk, name, true);
  }
}

import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  FlacOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { ExtractionError } from '../errors.ts';
import type { FileType } from '../types.ts';
import { type ByteSource, bytesSource } from './byte-source.ts';
import { createDecoder } from './decoders.ts';
import { isPcm } from './pcm.ts';
import { createPieceCutter, type PieceCutter, SHORTEST_MS, type SoundPiece } from './pieces.ts';
import { openSoundTrack, type SoundPacket, type SoundTrack } from './sound-track.ts';

export interface SoundOptions {
  maxBytes: number;
  maxMs: number;
  /** Overlap of pieces in milliseconds, so that every word is whole in one of them. Not for PCM. */
  overlapMs?: number;
  /** Only 16-bit mono WAV at 16 kHz, for models without decoders. */
  pcmOnly?: boolean;
  signal?: AbortSignal;
}

const MAX_PACKETS = 100_000;
const PACKET_OVERHEAD = 40;
const HEADER_OVERHEAD = 65_536;

/**
 * The sound of a recording in pieces, one in memory. Compressed sound is repacked without decoding.
 * PCM becomes WAV at 16 kHz, and silence is left out. Throws {@link ExtractionError}, unsupported for
 * a codec that only ffmpeg reads.
 */
export async function* soundOf(
  source: ByteSource | Uint8Array,
  type: FileType,
  options: SoundOptions,
): AsyncGenerator<SoundPiece, void> {
  const byteSource = source instanceof Uint8Array ? bytesSource(source) : source;
  using track = await openTrack(byteSource, type);
  if (track === null) return;
  const decode = options.pcmOnly === true || isPcm(track.codec);
  if (decode) yield* decodedPieces(track, options);
  else if (!Object.hasOwn(WRAPPINGS, track.codec)) throw needsFfmpeg(track.codec);
  else yield* packedPieces(track, options);
}

async function openTrack(source: ByteSource, type: FileType): Promise<SoundTrack | null> {
  try {
    return await openSoundTrack(source, type);
  } catch (cause) {
    if (cause instanceof ExtractionError) throw cause;
    throw new ExtractionError('damaged', 'The sound of this recording cannot be read.', { cause });
  }
}

function needsFfmpeg(codec: string): ExtractionError {
  const name = /^[\w .-]{1,40}$/.test(codec) ? codec : 'an unknown codec';
  return new ExtractionError(
    'unsupported',
    `The sound of this recording (${name}) cannot be read without ffmpeg.`,
  );
}

/** The packets up to the first that cannot be read. */
async function* readable(track: SoundTrack, signal?: AbortSignal): AsyncGenerator<SoundPacket> {
  let hasPackets = false;
  try {
    for await (const packet of track.packets()) {
      signal?.throwIfAborted();
      hasPackets = true;
      yield packet;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (hasPackets) return;
    throw new ExtractionError('damaged', 'The sound of this recording cannot be read.', { cause });
  }
}

async function* decodedPieces(
  track: SoundTrack,
  { maxBytes, maxMs, signal }: SoundOptions,
): AsyncGenerator<SoundPiece> {
  using decoder = await createDecoder(track);
  if (decoder === null) throw needsFfmpeg(track.codec);
  let cutter: PieceCutter | null = null;
  for await (const { data, startMs } of readable(track, signal)) {
    cutter ??= createPieceCutter({ maxMs, maxBytes, originMs: Math.max(0, startMs) });
    yield* cutter.push(await decoder.push(data));
  }
  if (cutter === null) return;
  yield* cutter.push(await decoder.end());
  yield* cutter.end();
}

interface Wrapping {
  mediaType: string;
  fileName: string;
  /** Absent where packets one after another are a valid file. */
  container?: () => OutputFormat;
}

const WRAPPINGS: Record<string, Wrapping> = {
  mp3: { mediaType: 'audio/mpeg', fileName: 'sound.mp3' },
  aac: {
    mediaType: 'audio/mp4',
    fileName: 'sound.m4a',
    container: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  },
  opus: {
    mediaType: 'audio/webm',
    fileName: 'sound.webm',
    container: () => new WebMOutputFormat(),
  },
  vorbis: {
    mediaType: 'audio/webm',
    fileName: 'sound.webm',
    container: () => new WebMOutputFormat(),
  },
  flac: {
    mediaType: 'audio/flac',
    fileName: 'sound.flac',
    container: () => new FlacOutputFormat(),
  },
};

async function* packedPieces(track: SoundTrack, options: SoundOptions): AsyncGenerator<SoundPiece> {
  const { maxBytes, maxMs, overlapMs = 0, signal } = options;
  const room = maxBytes - HEADER_OVERHEAD;
  let batch: SoundPacket[] = [];
  let bytes = 0;
  let endMs = 0;
  let newBytes = 0;

  for await (const packet of readable(track, signal)) {
    const size = packet.data.length + PACKET_OVERHEAD;
    const startMs = batch[0]?.startMs ?? packet.startMs;
    const lastMs = packet.startMs + packet.durationMs;
    const full = bytes + size > room || lastMs - startMs > maxMs || batch.length >= MAX_PACKETS;
    if (full && newBytes > 0) {
      yield* pack(track, batch, endMs);
      batch = batch.filter((previous) => previous.startMs >= endMs - overlapMs).slice(-newBytes);
      bytes = batch.reduce((sum, { data }) => sum + data.length + PACKET_OVERHEAD, 0);
      if (bytes + size > room) [batch, bytes] = [[], 0];
      newBytes = 0;
    }
    // Packets above the limit are skipped.
    if (size > room) continue;
    batch.push(packet);
    bytes += size;
    newBytes += 1;
    endMs = Math.max(endMs, lastMs);
  }
  if (newBytes > 0) yield* pack(track, batch, endMs);
}

async function* pack(
  track: SoundTrack,
  packets: readonly SoundPacket[],
  endMs: number,
): AsyncGenerator<SoundPiece> {
  const startMs = Math.max(0, Math.round(packets[0]?.startMs ?? 0));
  const wrapping = WRAPPINGS[track.codec];
  if (wrapping === undefined || endMs - startMs < SHORTEST_MS) return;
  const { mediaType, fileName, container } = wrapping;
  const bytes =
    container === undefined
      ? new Uint8Array(Buffer.concat(packets.map(({ data }) => data)))
      : await wrap(container(), track, packets, startMs);
  yield { startMs, endMs: Math.round(endMs), bytes, mediaType, fileName };
}

/** Puts packets into a container whose time starts at 0. */
async function wrap(
  format: OutputFormat,
  track: SoundTrack,
  packets: readonly SoundPacket[],
  startMs: number,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const sound = new EncodedAudioPacketSource(track.codec as 'aac' | 'opus' | 'vorbis' | 'flac');
  output.addAudioTrack(sound);
  const meta = track.decoderConfig === null ? {} : { decoderConfig: track.decoderConfig };
  try {
    await output.start();
    let seconds = 0;
    for (const { data, startMs: packetStartMs, durationMs } of packets) {
      seconds = Math.max(seconds, (packetStartMs - startMs) / 1000);
      await sound.add(new EncodedPacket(data, 'key', seconds, durationMs / 1000), meta);
    }
    await output.finalize();
  } catch (cause) {
    throw new ExtractionError('unsupported', needsFfmpeg(track.codec).message, { cause });
  }
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

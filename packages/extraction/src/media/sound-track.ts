import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import type { FileType } from '../types.ts';
import { aviPackets, type AviStream, readAviHead } from './avi.ts';
import { buffered, type ByteSource } from './byte-source.ts';
import { openContainer } from './container.ts';

export interface SoundPacket {
  data: Uint8Array;
  startMs: number;
  durationMs: number;
}

/** The track of a recording that a player would play. */
export interface SoundTrack extends Disposable {
  /** mediabunny's name, such as 'aac' or 'pcm-s16', or the file's own for other codecs. */
  codec: string;
  sampleRate: number;
  channels: number;
  decoderConfig: AudioDecoderConfig | null;
  packets(): AsyncGenerator<SoundPacket>;
}

export async function openSoundTrack(
  source: ByteSource,
  type: FileType,
): Promise<SoundTrack | null> {
  if (type === 'avi') return openAvi(buffered(source));
  using opened = new DisposableStack();
  const track = await opened.use(openContainer(source, type)).getPrimaryAudioTrack();
  if (track === null) return null;
  const described = await describe(track, source.size);
  const resources = opened.move();
  return { ...described, [Symbol.dispose]: () => resources.dispose() };
}

async function describe(
  track: InputAudioTrack,
  fileSize: number,
): Promise<Omit<SoundTrack, keyof Disposable>> {
  const codec = await track.getInternalCodecId();
  return {
    codec: (await track.getCodec()) ?? (typeof codec === 'string' ? codec.trim() : 'unknown'),
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    decoderConfig: await track.getDecoderConfig(),
    async *packets() {
      const sink = new EncodedPacketSink(track);
      let unread = fileSize;
      for (let packet = await sink.getFirstPacket(); packet !== null;) {
        const { data, timestamp, duration } = packet;
        unread -= Math.max(1, data.length);
        // The library repeats a packet of damaged AAC endlessly.
        if (unread < 0) return;
        yield { data, startMs: timestamp * 1000, durationMs: duration * 1000 };
        packet = await sink.getNextPacket(packet);
      }
    },
  };
}

/** Registered numbers of WAVEFORMATEX (RFC 2361) that are supported. */
function aviCodec({ tag, bits }: NonNullable<AviStream['format']>): string {
  if (tag === 1 && bits === 8) return 'pcm-u8';
  if (tag === 1 && [16, 24, 32].includes(bits)) return `pcm-s${bits}`;
  if (tag === 3 && (bits === 32 || bits === 64)) return `pcm-f${bits}`;
  const known: Record<number, string> = { 6: 'alaw', 7: 'ulaw', 0x55: 'mp3' };
  return known[tag] ?? `format ${tag} of AVI`;
}

async function openAvi(source: ByteSource): Promise<SoundTrack | null> {
  const head = await readAviHead(source);
  const stream = head?.streams.find(({ kind, format }) => kind === 'auds' && format !== null);
  if (stream === undefined || stream.format === null) return null;
  const { format, index } = stream;
  const bytesPerMs = Math.max(1, format.bytesPerSecond) / 1000;
  return {
    codec: aviCodec(format),
    sampleRate: format.sampleRate,
    channels: format.channels,
    decoderConfig: null,
    async *packets() {
      let startMs = 0;
      for await (const data of aviPackets(source, index)) {
        const durationMs = data.length / bytesPerMs;
        yield { data, startMs, durationMs };
        startMs += durationMs;
      }
    },
    [Symbol.dispose]() {},
  };
}

import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { MPEGDecoder } from 'mpg123-decoder';
import { OpusDecoder } from 'opus-decoder';
import { bytesOf } from '../bytes.ts';
import { createMixer, createResampler, isPcm, SPEECH_RATE } from './pcm.ts';
import type { SoundTrack } from './sound-track.ts';

/** Only broken files have lower sample rates. */
const MIN_RATE = 8000;

/**
 * Decodes a track's packets to samples of one channel at `SPEECH_RATE`. Has memory outside of the
 * heap.
 */
interface Decoder extends Disposable {
  push(data: Uint8Array): Promise<Float32Array>;
  end(): Promise<Float32Array>;
}

/** The decoder of a track, or null if only ffmpeg has one. */
export async function createDecoder(track: SoundTrack): Promise<Decoder | null> {
  const { codec, sampleRate, channels, decoderConfig } = track;
  if (isPcm(codec)) {
    const mix = createMixer(track);
    return mix && mixed(sampleRate, mix);
  }
  if (codec === 'flac' && sampleRate >= MIN_RATE) {
    const decoder = new FLACDecoder();
    await decoder.ready;
    // Frames may refer to the head of the file.
    await decoder.decodeFrames([bytesOf(decoderConfig?.description ?? new ArrayBuffer(0))]);
    return inBatches(decoder, (frames) => decoder.decodeFrames(frames));
  }
  if (codec === 'mp3') {
    const decoder = new MPEGDecoder({ enableGapless: false });
    await decoder.ready;
    return inBatches(decoder, (packets) => decoder.decode(Buffer.concat(packets)));
  }
  // More channels are in several streams.
  if (codec !== 'opus' || channels > 2) return null;
  const decoder = new OpusDecoder({ sampleRate: SPEECH_RATE, channels });
  await decoder.ready;
  return inBatches(decoder, (packets) => decoder.decodeFrames(packets));
}

function mixed(rate: number, mix: (data: Uint8Array) => Float32Array): Decoder {
  const resampler = createResampler(rate);
  return {
    push: async (data) => resampler.push(mix(data)),
    end: async () => resampler.end(),
    [Symbol.dispose]() {},
  };
}

interface DecodedSound {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
}

/** Bytes decoded in one call, because each call is expensive. */
const AT_ONCE = 32_768;

function inBatches(
  wasm: { free(): void },
  decode: (packets: Uint8Array[]) => DecodedSound | Promise<DecodedSound>,
): Decoder {
  let resampler: ReturnType<typeof createResampler> | null = null;
  let pending: Uint8Array[] = [];
  let bytes = 0;
  const decodePending = async (): Promise<Float32Array> => {
    const { channelData, samplesDecoded, sampleRate } = await decode(pending);
    [pending, bytes] = [[], 0];
    // A frame of mp3 may need the next one.
    if (samplesDecoded === 0 || !(sampleRate >= MIN_RATE)) return new Float32Array(0);
    resampler ??= createResampler(sampleRate);
    return resampler.push(average(channelData, samplesDecoded));
  };
  return {
    async push(data) {
      pending.push(data);
      bytes += data.length;
      return bytes < AT_ONCE ? new Float32Array(0) : decodePending();
    },
    async end() {
      const last = await decodePending();
      const rest = resampler?.end() ?? new Float32Array(0);
      const joined = new Float32Array(last.length + rest.length);
      joined.set(last);
      joined.set(rest, last.length);
      return joined;
    },
    [Symbol.dispose]: () => wasm.free(),
  };
}

function average(channels: readonly Float32Array[], length: number): Float32Array {
  const mono = new Float32Array(length);
  for (const channel of channels) {
    for (let index = 0; index < length; index += 1) {
      mono[index] = (mono[index] ?? 0) + (channel[index] ?? 0) / channels.length;
    }
  }
  return mono;
}

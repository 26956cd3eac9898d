import { MPEGDecoder } from 'mpg123-decoder';
import { createMixer, createResampler, isPcm } from './pcm.ts';
import type { SoundTrack } from './sound-track.ts';

/** Decodes a track's packets to samples of one channel at `SPEECH_RATE`. */
export interface Decoder {
  push(data: Uint8Array): Float32Array;
  end(): Float32Array;
  /** Frees memory outside of the JavaScript heap. */
  close(): void;
}

export async function createDecoder(track: SoundTrack): Promise<Decoder | null> {
  if (track.codec === 'mp3') return createMp3Decoder();
  const mix = isPcm(track.codec) ? createMixer(track) : null;
  if (mix === null) return null;
  const resampler = createResampler(track.sampleRate);
  return {
    push: (data) => resampler.push(mix(data)),
    end: () => resampler.end(),
    close() {},
  };
}

/** Bytes of mp3 decoded at once. A call for each frame would cost more than decoding it. */
const AT_ONCE = 32_768;

async function createMp3Decoder(): Promise<Decoder> {
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  let resampler: ReturnType<typeof createResampler> | null = null;
  let held: Uint8Array[] = [];
  let bytes = 0;
  const decodeHeld = (): Float32Array => {
    const { channelData, samplesDecoded, sampleRate } = decoder.decode(Buffer.concat(held));
    [held, bytes] = [[], 0];
    // A frame may need the next one. Later frames cannot change the rate.
    if (samplesDecoded === 0 || !(sampleRate >= 8000)) return new Float32Array(0);
    resampler ??= createResampler(sampleRate);
    return resampler.push(average(channelData, samplesDecoded));
  };
  return {
    push(data) {
      held.push(data);
      bytes += data.length;
      return bytes < AT_ONCE ? new Float32Array(0) : decodeHeld();
    },
    end() {
      const last = decodeHeld();
      const rest = resampler?.end() ?? new Float32Array(0);
      const both = new Float32Array(last.length + rest.length);
      both.set(last);
      both.set(rest, last.length);
      return both;
    },
    close: () => decoder.free(),
  };
}

function average(channels: readonly Float32Array[], length: number): Float32Array {
  const mono = new Float32Array(length);
  for (const channel of channels) {
    for (let at = 0; at < length; at += 1) {
      mono[at] = (mono[at] ?? 0) + (channel[at] ?? 0) / channels.length;
    }
  }
  return mono;
}

import { viewOf } from '../bytes.ts';

/** Sample rate of speech models, in hertz. */
export const SPEECH_RATE = 16_000;

const SAMPLES: Record<
  string,
  { bytes: number; read(view: DataView, offset: number, littleEndian: boolean): number }
> = {
  u8: { bytes: 1, read: (view, offset) => (view.getUint8(offset) - 128) / 128 },
  s8: { bytes: 1, read: (view, offset) => view.getInt8(offset) / 128 },
  s16: { bytes: 2, read: (view, offset, little) => view.getInt16(offset, little) / 32_768 },
  s24: {
    bytes: 3,
    read: (view, offset, little) =>
      ((view.getInt8(little ? offset + 2 : offset) << 16) |
        (view.getUint8(offset + 1) << 8) |
        view.getUint8(little ? offset : offset + 2)) /
      8_388_608,
  },
  s32: { bytes: 4, read: (view, offset, little) => view.getInt32(offset, little) / 2_147_483_648 },
  f32: { bytes: 4, read: (view, offset, little) => view.getFloat32(offset, little) },
  f64: { bytes: 8, read: (view, offset, little) => view.getFloat64(offset, little) },
  ulaw: { bytes: 1, read: (view, offset) => muLaw(view.getUint8(offset)) },
  alaw: { bytes: 1, read: (view, offset) => aLaw(view.getUint8(offset)) },
};

/** ITU-T G.711, table 2a: 14-bit mu-law. */
function muLaw(code: number): number {
  const value = ~code & 0xff;
  const size = (((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4);
  return ((value & 0x80) === 0 ? size - 0x84 : 0x84 - size) / 32_768;
}

/** ITU-T G.711, table 1a: 13-bit A-law. */
function aLaw(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value & 0x70) >> 4;
  const mantissa = (value & 0x0f) << 4;
  const size = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1);
  return ((value & 0x80) === 0 ? -size : size) / 32_768;
}

interface PcmFormat {
  /** mediabunny's name: pcm-s16, pcm-f32be, ulaw. */
  codec: string;
  sampleRate: number;
  channels: number;
}

export function isPcm(codec: string): boolean {
  return codec.startsWith('pcm-') || codec === 'ulaw' || codec === 'alaw';
}

/** Mixes PCM to one channel from -1 to 1. Frames may be cut between calls. Null if invalid. */
export function createMixer(format: PcmFormat): ((bytes: Uint8Array) => Float32Array) | null {
  const littleEndian = !format.codec.endsWith('be');
  const kind = SAMPLES[format.codec.replace(/^pcm-/, '').replace(/be$/, '')];
  const { channels, sampleRate } = format;
  if (kind === undefined || !(channels >= 1 && channels <= 64)) return null;
  if (!(sampleRate >= 1000 && sampleRate <= 768_000)) return null;
  const frame = kind.bytes * channels;
  let rest = new Uint8Array(0);
  return (bytes) => {
    let joined = bytes;
    if (rest.length > 0) {
      joined = new Uint8Array(rest.length + bytes.length);
      joined.set(rest);
      joined.set(bytes, rest.length);
    }
    const count = Math.floor(joined.length / frame);
    rest = joined.slice(count * frame);
    const view = viewOf(joined);
    const mono = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        sum += kind.read(view, index * frame + channel * kind.bytes, littleEndian);
      }
      const value = sum / channels;
      mono[index] = value >= -1 && value <= 1 ? value : Math.sign(value) || 0;
    }
    return mono;
  };
}

/** Filter width in zero crossings, and table entries between them. */
const CROSSINGS = 8;
const STEPS = 256;

/** A sinc with a Hann window, tabulated from 0 to CROSSINGS. */
const KERNEL = Float64Array.from({ length: CROSSINGS * STEPS + 2 }, (unused, index) => {
  const x = index / STEPS;
  if (x >= CROSSINGS) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / CROSSINGS);
  return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * window;
});

/** Resamples by band-limited interpolation (J. O. Smith, 'Digital Audio Resampling Home Page'). */
export function createResampler(rate: number): {
  push(samples: Float32Array): Float32Array;
  end(): Float32Array;
} {
  const ratio = rate / SPEECH_RATE;
  const scale = Math.min(1, 1 / ratio);
  const reach = Math.ceil(CROSSINGS / scale);
  let history: Float32Array = new Float32Array(reach);
  let base = -reach;
  let next = 0;
  const sampleAt = (position: number): number => {
    const first = Math.ceil(position - CROSSINGS / scale);
    const last = Math.floor(position + CROSSINGS / scale);
    let sum = 0;
    for (let index = first; index <= last; index += 1) {
      const x = Math.abs(position - index) * scale * STEPS;
      const low = Math.floor(x);
      const left = KERNEL[low] ?? 0;
      const weight = left + ((KERNEL[low + 1] ?? 0) - left) * (x - low);
      sum += weight * (history[index - base] ?? 0);
    }
    return sum * scale;
  };
  const take = (until: number): Float32Array => {
    const count = Math.max(0, Math.floor((until - next * ratio) / ratio) + 1);
    const out = new Float32Array(count);
    for (let index = 0; index < count; index += 1) out[index] = sampleAt((next + index) * ratio);
    next += count;
    return out;
  };
  return {
    push(samples) {
      if (rate === SPEECH_RATE) return samples;
      const drop = Math.max(0, Math.min(history.length, Math.floor(next * ratio) - reach - base));
      const joined = new Float32Array(history.length - drop + samples.length);
      joined.set(history.subarray(drop));
      joined.set(samples, history.length - drop);
      history = joined;
      base += drop;
      return take(base + history.length - 1 - reach);
    },
    end: () => (rate === SPEECH_RATE ? new Float32Array(0) : take(base + history.length - 1)),
  };
}

/** A WAV file of 16 bits with one channel at {@link SPEECH_RATE}. */
export function wavFile(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(44 + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const ascii = (offset: number, text: string): void => {
    for (let i = 0; i < text.length; i += 1) bytes[offset + i] = text.charCodeAt(i);
  };
  ascii(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SPEECH_RATE, true);
  view.setUint32(28, SPEECH_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  ascii(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (let index = 0; index < samples.length; index += 1) {
    view.setInt16(44 + index * 2, Math.round((samples[index] ?? 0) * 32_767), true);
  }
  return bytes;
}

/** Test sound: WAV files are written and analyzed independently of the tested code. */
export interface Tone {
  /** 0 is silence. */
  hertz: number;
  seconds: number;
}

export interface WavOptions {
  rate: number;
  channels: number;
  /** Bits of a sample: 8, 16, 24 or 32. */
  bits: number;
}

/** The samples of tones at 0.5 of full scale, one after another. */
function tones(allTones: readonly Tone[], rate: number): number[] {
  return allTones.flatMap(({ hertz, seconds }) =>
    Array.from({ length: Math.round(seconds * rate) }, (unused, index) =>
      hertz === 0 ? 0 : 0.5 * Math.sin((2 * Math.PI * hertz * index) / rate),
    ),
  );
}

/** A WAV file of tones, with the same sound in all channels. */
export function wavOf(allTones: readonly Tone[], { rate, channels, bits }: WavOptions): Uint8Array {
  const samples = tones(allTones, rate);
  const width = bits / 8;
  const data = Buffer.alloc(samples.length * channels * width);
  for (const [index, sample] of samples.entries()) {
    const value = Math.round(sample * (2 ** (bits - 1) - 1));
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (index * channels + channel) * width;
      if (bits === 8) data.writeUInt8(value + 128, at);
      else data.writeIntLE(value, at, width);
    }
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * width, 28);
  head.writeUInt16LE(channels * width, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return new Uint8Array(Buffer.concat([head, data]));
}

/** The tone of a piece of 16 kHz, one channel, 16 bits, by its zero crossings. */
export function analyzeTone(wav: Uint8Array): { hertz: number; loudest: number; ms: number } {
  const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.readUInt32LE(24) !== 16_000) {
    throw new Error('This is not a 16 kHz WAV.');
  }
  const count = (bytes.length - 44) / 2;
  const samples = Array.from({ length: count }, (unused, index) =>
    bytes.readInt16LE(44 + index * 2),
  );
  const loudest = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  // A crossing counts once the wave was well below zero, because faint noise crosses often.
  let below = false;
  const rising = samples.flatMap((sample, index) => {
    const crosses = below && sample >= 0;
    below = sample < -loudest / 5 || (below && sample < 0);
    return crosses ? [index] : [];
  });
  const [first = 0] = rising;
  const last = rising.at(-1) ?? 0;
  const hertz = last > first ? ((rising.length - 1) * 16_000) / (last - first) : 0;
  return { hertz, loudest: loudest / 32_768, ms: count / 16 };
}

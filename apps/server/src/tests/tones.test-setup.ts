/** A part with one tone. 0 Hz is silence. */
export interface Tone {
  hertz: number;
  seconds: number;
}

const RATE = 16_000;
const HEADER_BYTES = 44;
const LOUDNESS = 9000;

/** A recording of consecutive tones: a WAV of 16 kHz, 16 bits, one channel. */
export function recordTones(tones: readonly Tone[]): Uint8Array<ArrayBuffer> {
  const lengths = tones.map(({ seconds }) => Math.round(seconds * RATE));
  const samples = lengths.reduce((sum, length) => sum + length, 0);
  const wav = Buffer.alloc(HEADER_BYTES + samples * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples * 2, 40);
  let end = HEADER_BYTES;
  for (const [index, { hertz }] of tones.entries()) {
    for (let at = 0; at < (lengths[index] ?? 0); at += 1) {
      const sample = LOUDNESS * Math.sin((2 * Math.PI * hertz * at) / RATE);
      end = wav.writeInt16LE(Math.round(sample), end);
    }
  }
  return new Uint8Array(wav);
}

/** A stretch of one tone; 0 Hz is silence. */
export interface Tone {
  hertz: number;
  seconds: number;
}

const RATE = 16_000;
const HEADER_BYTES = 44;
const LOUDNESS = 9000;

/** A recording of tones, one after the other: a WAV of 16 kHz, 16 bits, one channel. */
export function recordTones(tones: readonly Tone[]): Uint8Array<ArrayBuffer> {
  const samples = tones.flatMap(({ hertz, seconds }) =>
    Array.from({ length: Math.round(seconds * RATE) }, (_, at) =>
      Math.round(LOUDNESS * Math.sin((2 * Math.PI * hertz * at) / RATE)),
    ),
  );
  const wav = Buffer.alloc(HEADER_BYTES + samples.length * 2);
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
  wav.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, at) => wav.writeInt16LE(sample, HEADER_BYTES + at * 2));
  return new Uint8Array(wav);
}

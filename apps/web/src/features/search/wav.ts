/** Enough for speech, and what speech models hear. */
const SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;

/** The channels of a sound as one. */
function mix(sound: AudioBuffer): Float32Array {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) =>
    sound.getChannelData(channel),
  );
  return Float32Array.from(
    { length: sound.length },
    (_, at) => channels.reduce((sum, samples) => sum + (samples[at] ?? 0), 0) / channels.length,
  );
}

/** Samples between -1 and 1 as a WAV file of 16 bits and one channel. */
export function encodeWav(samples: Float32Array): Blob {
  const bytes = new DataView(new ArrayBuffer(HEADER_BYTES + samples.length * 2));
  const write = (at: number, text: string): void => {
    for (const [index, letter] of [...text].entries()) {
      bytes.setUint8(at + index, letter.charCodeAt(0));
    }
  };
  write(0, 'RIFF');
  bytes.setUint32(4, bytes.byteLength - 8, true);
  write(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, SAMPLE_RATE, true);
  bytes.setUint32(28, SAMPLE_RATE * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  write(36, 'data');
  bytes.setUint32(40, samples.length * 2, true);
  for (const [index, sample] of samples.entries()) {
    const level = Math.max(-1, Math.min(1, sample));
    bytes.setInt16(HEADER_BYTES + index * 2, Math.round(level * 0x7fff), true);
  }
  return new Blob([bytes.buffer], { type: 'audio/wav' });
}

/**
 * A recording as WAV, which every server hears without further programs, and in which it can tell
 * silence from speech. What the browser cannot decode itself is sent as it is.
 */
export async function toWav(recording: Blob): Promise<Blob> {
  try {
    const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    return encodeWav(mix(await decoder.decodeAudioData(await recording.arrayBuffer())));
  } catch {
    return recording;
  }
}

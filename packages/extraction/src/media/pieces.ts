import { SPEECH_RATE, wavFile } from './pcm.ts';

export interface SoundPiece {
  startMs: number;
  endMs: number;
  bytes: Uint8Array;
  mediaType: string;
  fileName: string;
}

/** In milliseconds. Shorter sound has no words, and servers reject it. */
export const SHORTEST_MS = 100;

const WINDOW = SPEECH_RATE / 10;
/** A lower root mean square is silence: -60 dB of full scale. */
const SILENCE = 0.001;

export type PieceCutter = ReturnType<typeof createPieceCutter>;

/** Cuts samples at quiet points into WAV pieces, without silent ones. One piece is in memory. */
export function createPieceCutter(options: {
  maxMs: number;
  maxBytes?: number;
  /** Position of the first sample in the recording, in milliseconds. */
  originMs?: number;
}) {
  const { maxMs, maxBytes = Infinity, originMs = 0 } = options;
  const maxSamples = Math.max(
    WINDOW * 10,
    Math.floor(Math.min((maxMs * SPEECH_RATE) / 1000, (maxBytes - 44) / 2)),
  );
  // Most recordings are shorter than the maximum.
  let buffer = new Float32Array(Math.min(maxSamples, SPEECH_RATE * 60));
  let length = 0;
  let passed = 0;

  const time = (): number => Math.round(originMs + (passed * 1000) / SPEECH_RATE);

  function* piece(samples: Float32Array): Generator<SoundPiece> {
    const startMs = time();
    passed += samples.length;
    const endMs = time();
    if (endMs - startMs < SHORTEST_MS || isSilent(samples)) return;
    const bytes = wavFile(samples);
    yield { startMs, endMs, bytes, mediaType: 'audio/wav', fileName: 'sound.wav' };
  }

  const grow = (needed: number): void => {
    if (needed <= buffer.length) return;
    const larger = new Float32Array(Math.min(maxSamples, Math.max(needed, buffer.length * 2)));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };

  return {
    *push(samples: Float32Array): Generator<SoundPiece> {
      for (let start = 0; start < samples.length;) {
        const part = samples.subarray(start, start + maxSamples - length);
        grow(length + part.length);
        buffer.set(part, length);
        length += part.length;
        start += part.length;
        if (length < maxSamples) return;
        const cut = quietPoint(buffer);
        yield* piece(buffer.subarray(0, cut));
        buffer.copyWithin(0, cut);
        length -= cut;
      }
    },
    *end(): Generator<SoundPiece> {
      yield* piece(buffer.subarray(0, length));
      length = 0;
    },
  };
}

function loudness(samples: Float32Array, start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index += 1) sum += (samples[index] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, end - start));
}

function isSilent(samples: Float32Array): boolean {
  for (let start = 0; start < samples.length; start += WINDOW) {
    if (loudness(samples, start, Math.min(samples.length, start + WINDOW)) > SILENCE) return false;
  }
  return true;
}

/** The middle of the quietest moment in the last fifth, so that no word is cut. */
function quietPoint(samples: Float32Array): number {
  let quietest = samples.length;
  let lowest = Infinity;
  const first = Math.floor(samples.length * 0.8);
  for (let start = first; start + WINDOW <= samples.length; start += WINDOW / 5) {
    const level = loudness(samples, start, start + WINDOW);
    if (level < lowest) {
      lowest = level;
      quietest = start + WINDOW / 2;
    }
  }
  return quietest;
}

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
  const most = Math.max(
    WINDOW * 10,
    Math.floor(Math.min((maxMs * SPEECH_RATE) / 1000, (maxBytes - 44) / 2)),
  );
  // Most recordings are shorter than the maximum.
  let held = new Float32Array(Math.min(most, SPEECH_RATE * 60));
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
    if (needed <= held.length) return;
    const larger = new Float32Array(Math.min(most, Math.max(needed, held.length * 2)));
    larger.set(held.subarray(0, length));
    held = larger;
  };

  return {
    *push(samples: Float32Array): Generator<SoundPiece> {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + most - length);
        grow(length + part.length);
        held.set(part, length);
        length += part.length;
        at += part.length;
        if (length < most) return;
        const cut = quietPoint(held);
        yield* piece(held.subarray(0, cut));
        held.copyWithin(0, cut);
        length -= cut;
      }
    },
    *end(): Generator<SoundPiece> {
      yield* piece(held.subarray(0, length));
      length = 0;
    },
  };
}

function loudness(samples: Float32Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += (samples[at] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, end - start));
}

function isSilent(samples: Float32Array): boolean {
  for (let at = 0; at < samples.length; at += WINDOW) {
    if (loudness(samples, at, Math.min(samples.length, at + WINDOW)) > SILENCE) return false;
  }
  return true;
}

/** The middle of the quietest moment in the last fifth, so that no word is cut. */
function quietPoint(samples: Float32Array): number {
  let quietest = samples.length;
  let least = Infinity;
  const first = Math.floor(samples.length * 0.8);
  for (let at = first; at + WINDOW <= samples.length; at += WINDOW / 5) {
    const loud = loudness(samples, at, at + WINDOW);
    if (loud < least) {
      least = loud;
      quietest = at + WINDOW / 2;
    }
  }
  return quietest;
}

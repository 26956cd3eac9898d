import { SpeechError, type SpeechOptions } from './speech.ts';

export const LONGEST_MS = 60_000;

/** Enough for speech, in bits a second. */
const BITS_PER_SECOND = 32_000;

/** What browsers record in, the smallest first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** Whether this browser can record; without https it may not. */
export const canRecord = (): boolean =>
  'MediaRecorder' in window && navigator.mediaDevices?.getUserMedia !== undefined;

function createRecorder(stream: MediaStream): MediaRecorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  return new MediaRecorder(stream, {
    audioBitsPerSecond: BITS_PER_SECOND,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

function problemOfMicrophone(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'not-allowed';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'audio-capture';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unknown';
}

/** Records until one of the signals is aborted, for up to a minute. */
export async function record({ signal, finished, onListening }: SpeechOptions): Promise<Blob> {
  const tracks: MediaStreamTrack[] = [];
  const release = (): void => tracks.forEach((track) => track.stop());
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    tracks.push(...stream.getTracks());
    signal.throwIfAborted();
    const recorder = createRecorder(stream);
    const { mimeType } = recorder;
    const parts: Blob[] = [];
    const stopped = new Promise((resolve) => {
      recorder.addEventListener('stop', resolve);
    });
    const stop = (): void => {
      if (recorder.state === 'recording') recorder.stop();
      // At once, not after the recorder's last bytes.
      release();
    };
    const timer = setTimeout(stop, LONGEST_MS);
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    signal.addEventListener('abort', stop);
    finished.addEventListener('abort', stop);
    recorder.start();
    onListening();
    await stopped;
    clearTimeout(timer);
    return new Blob(parts, { type: mimeType });
  } catch (error) {
    throw signal.aborted ? error : new SpeechError(problemOfMicrophone(error));
  } finally {
    release();
  }
}

/** Enough for speech, and what speech models use, in samples a second. */
const SAMPLE_RATE = 16_000;

/** Samples between -1 and 1 as a WAV file of 16 bits and one channel. */
export function encodeWav(samples: Float32Array): Blob {
  const levels = Int16Array.from(samples, (sample) =>
    Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff),
  );
  const bytes = levels.byteLength;
  // Typed arrays are little-endian wherever browsers run, as a WAV file is.
  const parts = [
    'RIFF',
    Uint32Array.of(36 + bytes),
    'WAVEfmt ',
    Uint32Array.of(16),
    Uint16Array.of(1, 1),
    Uint32Array.of(SAMPLE_RATE, SAMPLE_RATE * 2),
    Uint16Array.of(2, 16),
    'data',
    Uint32Array.of(bytes),
    levels,
  ];
  return new Blob(parts, { type: 'audio/wav' });
}

/**
 * A recording as WAV, which the server reads without other programs. If the browser cannot decode the
 * recording, it is sent as it is.
 */
export async function toWav(recording: Blob): Promise<Blob> {
  try {
    const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    const sound = await decoder.decodeAudioData(await recording.arrayBuffer());
    return encodeWav(sound.getChannelData(0));
  } catch {
    return recording;
  }
}

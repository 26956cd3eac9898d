import { transcribe } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import type { Hearing, HearingEvents } from './speech-recognition.ts';
import { problemOfMicrophone } from './speech-recognition.ts';

/** Longest recording, in milliseconds. */
export const LONGEST_MS = 60_000;

/** Enough for speech, in bits a second. */
const BITS_PER_SECOND = 32_000;

/** What browsers record in, the smallest first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** Whether this browser can record; without https it may not. */
export const canRecord = (): boolean =>
  'MediaRecorder' in window && navigator.mediaDevices?.getUserMedia !== undefined;

const release = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

function createRecorder(stream: MediaStream): MediaRecorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  return new MediaRecorder(stream, {
    audioBitsPerSecond: BITS_PER_SECOND,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};

/** The transcription of a recording; may be empty. */
async function textOf(recording: Blob, signal: AbortSignal): Promise<string> {
  const extension = EXTENSIONS[recording.type.split(';')[0] ?? ''] ?? 'webm';
  const files = [{ name: `question.${extension}`, content: recording }];
  return (await api.upload(transcribe, files, {}, { signal })).data.text.trim();
}

/** Records what is said, and has the server transcribe it. */
export function recordSpeech(on: HearingEvents): Hearing {
  const given = new AbortController();
  const { signal } = given;
  let recorder: MediaRecorder | null = null;
  const finish = (): void => {
    if (recorder?.state !== 'recording') return;
    recorder.stop();
    // At once, not after the recorder's last bytes.
    release(recorder.stream);
  };

  const write = async (recording: Blob): Promise<void> => {
    on.onWriting();
    try {
      const text = await textOf(await toWav(recording), signal);
      if (signal.aborted) return;
      if (text === '') on.onProblem('no-speech');
      else on.onHeard(text);
    } catch (error) {
      if (!signal.aborted) on.onFailure(error);
    }
  };

  const listen = (stream: MediaStream): void => {
    const parts: Blob[] = [];
    recorder = createRecorder(stream);
    const { mimeType } = recorder;
    const timer = setTimeout(finish, LONGEST_MS);
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('stop', () => {
      clearTimeout(timer);
      release(stream);
      if (!signal.aborted) void write(new Blob(parts, { type: mimeType }));
    });
    recorder.start();
    on.onListening();
  };

  const open = async (): Promise<void> => {
    let stream: MediaStream | null = null;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (signal.aborted) release(stream);
      else listen(stream);
    } catch (error) {
      if (stream) release(stream);
      if (!signal.aborted) on.onProblem(problemOfMicrophone(error));
    }
  };
  void open();

  return {
    finish,
    cancel() {
      given.abort();
      finish();
    },
  };
}

/** Enough for speech, and what speech models use. */
const SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;

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
 * A recording as WAV, which the server reads without other programs. If the browser cannot decode the
 * recording, it is sent as it is.
 */
async function toWav(recording: Blob): Promise<Blob> {
  try {
    const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    return encodeWav(mix(await decoder.decodeAudioData(await recording.arrayBuffer())));
  } catch {
    return recording;
  }
}

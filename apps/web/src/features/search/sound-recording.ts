import { transcribe } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import type { Hearing, HearingEvents } from './hearing.ts';
import { problemOfMicrophone } from './speech-problem.ts';
import { toWav } from './wav.ts';

/** Longest recording, in milliseconds. */
export const LONGEST_MS = 60_000;

/** Enough for speech, in bits a second. */
const BITS_PER_SECOND = 32_000;

/** What browsers record in, the smallest first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** Whether this browser can record at all; on a page without https it may not. */
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

/** The file extensions of the containers that browsers record in. */
const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};

/** What is said in a recording; empty where nothing is. */
async function textOf(recording: Blob, signal: AbortSignal): Promise<string> {
  const extension = EXTENSIONS[recording.type.split(';')[0] ?? ''] ?? 'webm';
  const files = [{ name: `question.${extension}`, content: recording }];
  return (await api.upload(transcribe, files, {}, { signal })).data.text.trim();
}

/** Records what is said and has the server write it down. */
export function recordSpeech(on: HearingEvents): Hearing {
  const given = new AbortController();
  const { signal } = given;
  let recorder: MediaRecorder | null = null;
  const finish = (): void => {
    if (recorder?.state !== 'recording') return;
    recorder.stop();
    // At once, and not when the recorder has written its last bytes.
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

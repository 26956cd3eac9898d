import { QUESTION_LIMIT, transcribe } from '@engram/contract/browser';
import { api } from '../../api/api.ts';

export type DictationState =
  | { status: 'asking' }
  | {
      status: 'listening';
      /** The start and the limit of a recording; null for the browser's recognition. */
      timed: { startedAt: number; limitMs: number } | null;
      /** Whether it records because the browser's recognition has failed. */
      isFallback: boolean;
    }
  | { status: 'writing' };

interface DictationOptions {
  transcription: boolean;
  /** Whether to try the browser's recognition. Set to false once it has failed. */
  recognition: { current: boolean };
  /** Aborted to cancel, and when the tab is hidden. */
  controller: AbortController;
  /** Aborted to stop and use what was said. */
  finished: AbortSignal;
  onState: (state: DictationState) => void;
  onInterim: (text: string) => void;
}

function cutToQuestion(text: string): string {
  if (text.length <= QUESTION_LIMIT) return text;
  const cut = text.slice(0, QUESTION_LIMIT + 1);
  const space = cut.lastIndexOf(' ');
  return cut.slice(0, space > 0 ? space : QUESTION_LIMIT).toWellFormed();
}

/** Errors of the browser's recognition after which the question is recorded instead. */
const FALLBACK_ERRORS = new Set([
  'network',
  'service-not-allowed',
  'language-not-supported',
  'audio-capture',
]);

/**
 * Listens to one question with the browser's recognition, or records it for the server to
 * transcribe. `isCut` is true if the text was longer than a question may be.
 * @throws SpeechError if nothing was heard, or the error of the transcription
 */
export async function dictate(options: DictationOptions) {
  const { controller, onState } = options;
  controller.signal.throwIfAborted();
  const listening = new AbortController();
  const onVisibility = (): void => {
    if (document.hidden) controller.abort(new SpeechError('hidden'));
  };
  document.addEventListener('visibilitychange', onVisibility, { signal: listening.signal });
  try {
    const text = await listen({
      ...options,
      onState: (state) => {
        if (state.status === 'writing') listening.abort();
        onState(state);
      },
    });
    return { text: cutToQuestion(text), isCut: text.length > QUESTION_LIMIT };
  } finally {
    listening.abort();
  }
}

async function listen(options: DictationOptions): Promise<string> {
  const { recognition, finished, onState, onInterim } = options;
  const { signal } = options.controller;
  const Recognition = recognition.current ? findRecognition() : null;
  const isRecordable = options.transcription && canRecord();
  const isFallback = Recognition !== null || !recognition.current;
  if (Recognition) {
    try {
      return await recognizeSpeech(Recognition, {
        signal,
        finished,
        onListening: () => onState({ status: 'listening', timed: null, isFallback: false }),
        onInterim: (text) => onInterim(cutToQuestion(text)),
      });
    } catch (error) {
      const mayRecord = error instanceof SpeechError && FALLBACK_ERRORS.has(error.code);
      if (!isRecordable || !mayRecord) throw error;
      recognition.current = false;
      onState({ status: 'asking' });
    }
  }
  if (!isRecordable) throw new SpeechError('unsupported');
  const recording = await record({
    signal,
    finished,
    onListening: () => {
      const timed = { startedAt: Date.now(), limitMs: MAX_RECORDING_MS };
      onState({ status: 'listening', timed, isFallback });
    },
  });
  signal.throwIfAborted();
  onState({ status: 'writing' });
  const text = await transcribeRecording(await toWav(recording), signal);
  if (text === '') throw new SpeechError('no-speech');
  return text;
}

const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};

async function transcribeRecording(recording: Blob, signal: AbortSignal): Promise<string> {
  const extension = EXTENSIONS[recording.type.split(';')[0] ?? ''] ?? 'webm';
  const files = [{ name: `question.${extension}`, content: recording }];
  return (await api.upload(transcribe, files, {}, { signal })).data.text.trim();
}

interface RecognitionEvents {
  start: Event;
  result: { results: ArrayLike<SpeechRecognitionResult> };
  error: { error: string };
  end: Event;
}

/** The part of https://webaudio.github.io/web-speech-api/ that is used here. */
interface SpeechRecognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  maxAlternatives: number;
  addEventListener<E extends keyof RecognitionEvents>(
    type: E,
    listener: (event: RecognitionEvents[E]) => void,
  ): void;
  start: () => void;
  stop: () => void;
  abort: () => void;
}

type Constructor = new () => SpeechRecognition;

function findRecognition(): Constructor | null {
  const names = window as {
    SpeechRecognition?: Constructor;
    webkitSpeechRecognition?: Constructor;
  };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition ?? null;
}

/**
 * Recognizes speech with the browser's recognition. `onInterim` gets the text so far.
 * @throws SpeechError if nothing was recognized
 */
function recognizeSpeech(
  Recognition: Constructor,
  {
    signal,
    finished,
    onListening,
    onInterim,
  }: SpeechOptions & { onInterim: (text: string) => void },
): Promise<string> {
  const recognition = new Recognition();
  recognition.lang = 'en-US';
  recognition.continuous = false;
  recognition.interimResults = true;
  recognition.maxAlternatives = 1;
  let text = '';
  let problem = 'no-speech';
  const recognized = new Promise<string>((resolve, reject) => {
    const fail = (code: string): void => reject(new SpeechError(code));
    recognition.addEventListener('start', onListening);
    recognition.addEventListener('result', ({ results }) => {
      const phrases = Array.from(results);
      text = phrases
        .map((result) => result[0]?.transcript.trim() ?? '')
        .join(' ')
        .trim();
      if (text !== '' && phrases.every(({ isFinal }) => isFinal)) resolve(text);
      else onInterim(text);
    });
    recognition.addEventListener('error', ({ error }) => {
      problem = error;
      if (error !== 'no-speech') fail(error);
    });
    // Some browsers end without a final result.
    recognition.addEventListener('end', () => (text === '' ? fail(problem) : resolve(text)));
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
      recognition.abort();
    });
    finished.addEventListener('abort', () => recognition.stop());
    try {
      recognition.start();
    } catch {
      fail('service-not-allowed');
    }
  });
  return recognized.finally(() => recognition.abort());
}

const MAX_RECORDING_MS = 60_000;

const BITS_PER_SECOND = 32_000;

const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** Whether this browser can record. Browsers require https for it. */
const canRecord = (): boolean =>
  'MediaRecorder' in window && navigator.mediaDevices?.getUserMedia !== undefined;

function createRecorder(stream: MediaStream): MediaRecorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  return new MediaRecorder(stream, {
    audioBitsPerSecond: BITS_PER_SECOND,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

function microphoneErrorCode(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'not-allowed';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'audio-capture';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unknown';
}

/** Records until one of the signals is aborted, for up to a minute. */
async function record({ signal, finished, onListening }: SpeechOptions): Promise<Blob> {
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
      // The microphone is released without waiting for the recorder's last bytes.
      release();
    };
    const timer = setTimeout(stop, MAX_RECORDING_MS);
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    signal.addEventListener('abort', stop);
    finished.addEventListener('abort', stop);
    recorder.start();
    onListening();
    await stopped;
    clearTimeout(timer);
    return new Blob(parts, { type: mimeType });
  } catch (error) {
    throw signal.aborted ? error : new SpeechError(microphoneErrorCode(error));
  } finally {
    release();
  }
}

/** The sample rate of speech models, in samples per second. */
const SAMPLE_RATE = 16_000;

/** Samples between -1 and 1 as a WAV file of 16 bits and one channel. */
export function encodeWav(samples: Float32Array): Blob {
  const levels = Int16Array.from(samples, (sample) =>
    Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff),
  );
  const bytes = levels.byteLength;
  // Browsers run on little-endian platforms only, and WAV is little-endian.
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
 * Converts a recording to WAV, which the server reads without other programs. What the browser cannot
 * decode is sent unchanged.
 */
async function toWav(recording: Blob): Promise<Blob> {
  try {
    const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    const sound = await decoder.decodeAudioData(await recording.arrayBuffer());
    return encodeWav(sound.getChannelData(0));
  } catch {
    return recording;
  }
}

interface SpeechOptions {
  /** Closes the microphone, and discards what was said. */
  signal: AbortSignal;
  /** Closes the microphone, and uses what was said. */
  finished: AbortSignal;
  onListening: () => void;
}

const messages = {
  'not-allowed':
    'The microphone is blocked for this page. Allow it in your browser’s settings for this site, then try again, or type your question.',
  'no-speech': 'Nothing was heard. Check that your microphone is on, and speak a little louder.',
  network:
    'Your browser recognizes speech over the internet, and cannot reach its service. Check your connection, or type your question.',
  'audio-capture': 'No microphone was found. Connect one and try again, or type your question.',
  aborted: 'Listening was interrupted. Press the microphone to try again.',
  'service-not-allowed':
    'Your browser does not let this page recognize speech. Allow it in the browser’s settings, or type your question.',
  'language-not-supported':
    'Your browser cannot recognize English (en-US). Add the language in its settings, or type your question.',
  busy: 'The microphone cannot be used: another program may have it. Close that, and try again.',
  hidden: 'Listening stopped when you left this tab. Press the microphone to continue.',
  unsupported: 'Your browser does not support speech recognition.',
  unknown: 'Listening failed. Press the microphone to try again, or type your question.',
} as const;

/** The code is an error code of the Web Speech API, or one of our own. */
class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly code: string;

  constructor(code: string) {
    super(
      Object.hasOwn(messages, code) ? messages[code as keyof typeof messages] : messages.unknown,
    );
    this.code = code;
  }
}

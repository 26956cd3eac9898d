import { QUESTION_LIMIT, transcribe } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { canRecord, LONGEST_MS, record, toWav } from './sound-recording.ts';
import { SpeechError, type SpeechOptions } from './speech.ts';

export type DictationState =
  | { status: 'asking' }
  | {
      status: 'listening';
      /** The start and the limit of a recording; null if the browser decides. */
      timed: { since: number; mostMs: number } | null;
      /** Whether the browser's own recognition has failed. */
      instead: boolean;
    }
  | { status: 'writing' };

interface DictationOptions {
  transcription: boolean;
  /** Whether to try the browser's own recognition. Set to false once it has failed. */
  recognition: { current: boolean };
  /** Aborted to give up, also if the tab is hidden while it listens. */
  controller: AbortController;
  /** Aborted to take what was said. */
  finished: AbortSignal;
  onState: (state: DictationState) => void;
  onInterim: (text: string) => void;
}

/** Cuts a text to the length of a question, between words. */
function cutToQuestion(text: string): string {
  if (text.length <= QUESTION_LIMIT) return text;
  const cut = text.slice(0, QUESTION_LIMIT + 1);
  const space = cut.lastIndexOf(' ');
  return cut.slice(0, space > 0 ? space : QUESTION_LIMIT).toWellFormed();
}

/** Errors of the browser's recognition after which a recording may work. */
const RECORD_INSTEAD = new Set([
  'network',
  'service-not-allowed',
  'language-not-supported',
  'audio-capture',
]);

/**
 * Listens to one question: by the browser's own recognition, else by a recording that the server
 * transcribes. `isCut` is whether more was said than a question can be.
 * @throws SpeechError if nothing was heard, or the error of the transcription
 */
export async function dictate(options: DictationOptions) {
  const { controller, onState } = options;
  controller.signal.throwIfAborted();
  const isOpen = new AbortController();
  const onVisibility = (): void => {
    if (document.hidden) controller.abort(new SpeechError('hidden'));
  };
  document.addEventListener('visibilitychange', onVisibility, { signal: isOpen.signal });
  try {
    const text = await hear({
      ...options,
      onState: (state) => {
        if (state.status === 'writing') isOpen.abort();
        onState(state);
      },
    });
    return { text: cutToQuestion(text), isCut: text.length > QUESTION_LIMIT };
  } finally {
    isOpen.abort();
  }
}

async function hear(options: DictationOptions): Promise<string> {
  const { recognition, finished, onState, onInterim } = options;
  const { signal } = options.controller;
  const Recognition = recognition.current ? findRecognition() : null;
  const isRecordable = options.transcription && canRecord();
  const instead = Recognition !== null || !recognition.current;
  if (Recognition) {
    try {
      return await recognizeSpeech(Recognition, {
        signal,
        finished,
        onListening: () => onState({ status: 'listening', timed: null, instead: false }),
        onInterim: (text) => onInterim(cutToQuestion(text)),
      });
    } catch (error) {
      const mayRecord = error instanceof SpeechError && RECORD_INSTEAD.has(error.code);
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
      const timed = { since: Date.now(), mostMs: LONGEST_MS };
      onState({ status: 'listening', timed, instead });
    },
  });
  signal.throwIfAborted();
  onState({ status: 'writing' });
  const text = await textOf(await toWav(recording), signal);
  if (text === '') throw new SpeechError('no-speech');
  return text;
}

const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};

async function textOf(recording: Blob, signal: AbortSignal): Promise<string> {
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
 * What the user says, as the browser recognizes it. `onInterim` gets what was said so far.
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
      const heard = Array.from(results);
      text = heard
        .map((result) => result[0]?.transcript.trim() ?? '')
        .join(' ')
        .trim();
      if (text !== '' && heard.every(({ isFinal }) => isFinal)) resolve(text);
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
  // Otherwise it could keep the microphone open.
  return recognized.finally(() => recognition.abort());
}

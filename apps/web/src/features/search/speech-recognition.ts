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

/** The browser's own speech recognition, or null. */
export function findRecognition(): Constructor | null {
  const names = window as {
    SpeechRecognition?: Constructor;
    webkitSpeechRecognition?: Constructor;
  };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition ?? null;
}

export function recognizeSpeech(Recognition: Constructor, on: HearingEvents): Hearing {
  const recognition = new Recognition();
  recognition.lang = 'en-US';
  recognition.continuous = false;
  recognition.interimResults = true;
  recognition.maxAlternatives = 1;
  let text = '';
  let problem = 'no-speech';
  let over = false;
  const end = (tell: () => void): void => {
    if (over) return;
    over = true;
    // It would keep the microphone open.
    recognition.abort();
    tell();
  };

  recognition.addEventListener('start', () => {
    if (!over) on.onListening();
  });
  recognition.addEventListener('result', ({ results }) => {
    const heard = Array.from(results);
    text = heard
      .map((result) => result[0]?.transcript.trim() ?? '')
      .join(' ')
      .trim();
    if (text !== '' && heard.every(({ isFinal }) => isFinal)) end(() => on.onHeard(text));
    else if (!over) on.onInterim(text);
  });
  recognition.addEventListener('error', ({ error }) => {
    problem = error;
    if (error !== 'no-speech') end(() => on.onProblem(error));
  });
  // Some browsers end without a final result.
  recognition.addEventListener('end', () =>
    end(() => (text === '' ? on.onProblem(problem) : on.onHeard(text))),
  );
  try {
    recognition.start();
  } catch {
    queueMicrotask(() => end(() => on.onProblem('service-not-allowed')));
  }
  return {
    finish: () => recognition.stop(),
    cancel: () => end(() => undefined),
  };
}

/** Callbacks of a recognition or recording; one of the last three ends it. */
export interface HearingEvents {
  /** The microphone is open. */
  onListening: () => void;
  onInterim: (text: string) => void;
  /** The microphone is closed, and the recording is being transcribed. */
  onWriting: () => void;
  /** Never empty. */
  onHeard: (text: string) => void;
  /** An error's name in the Web Speech API, or one of our own. */
  onProblem: (code: string) => void;
  onFailure: (error: unknown) => void;
}

export interface Hearing {
  /** Closes the microphone and takes what was said. */
  finish: () => void;
  /** Closes the microphone, without further callbacks. */
  cancel: () => void;
}

/** Why nothing was heard: the errors of the Web Speech API, and our own. */
const sentences = {
  'not-allowed':
    'The microphone is blocked for this page. Allow it in your browser’s settings for this site, then try again, or type your question.',
  'no-speech': 'Nothing was heard. Check that your microphone is on, and speak a little louder.',
  network:
    'Your browser recognises speech over the internet, and cannot reach its service. Check your connection, or type your question.',
  'audio-capture': 'No microphone was found. Connect one and try again, or type your question.',
  aborted: 'Listening was interrupted. Press the microphone to try again.',
  'service-not-allowed':
    'Your browser does not let this page recognise speech. Allow it in the browser’s settings, or type your question.',
  'language-not-supported':
    'Your browser cannot recognise English (en-US). Add the language in its settings, or type your question.',
  busy: 'The microphone cannot be used: another program may have it. Close that, and try again.',
  hidden: 'Listening stopped when you left this tab. Press the microphone to go on.',
  'too-long':
    'That was longer than a question can be, and is cut at 300 characters. Shorten it, then send it.',
  unsupported: 'Your browser does not support speech recognition.',
  unknown: 'Listening failed. Press the microphone to try again, or type your question.',
} as const;

type SpeechProblem = keyof typeof sentences;

export const describeProblem = (code: string): string =>
  Object.hasOwn(sentences, code) ? sentences[code as SpeechProblem] : sentences.unknown;

/** The problem behind an error of `getUserMedia`. */
export function problemOfMicrophone(error: unknown): SpeechProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'not-allowed';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'audio-capture';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unknown';
}

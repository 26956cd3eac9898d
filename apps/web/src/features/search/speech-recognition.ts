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

export interface SpeechOptions {
  /** Closes the microphone, and discards what was said. */
  signal: AbortSignal;
  /** Closes the microphone, and takes what was said. */
  finished: AbortSignal;
  onListening: () => void;
}

/**
 * What the user says, as the browser recognizes it. `onInterim` gets what was said so far.
 * @throws SpeechError if nothing was recognized
 */
export function recognizeSpeech(
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
  unsupported: 'Your browser does not support speech recognition.',
  unknown: 'Listening failed. Press the microphone to try again, or type your question.',
} as const;

/** Why nothing was heard. The code is an error's name in the Web Speech API, or one of our own. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly code: string;

  constructor(code: string) {
    super(
      Object.hasOwn(sentences, code)
        ? sentences[code as keyof typeof sentences]
        : sentences.unknown,
    );
    this.code = code;
  }
}

import type { Hearing, HearingEvents } from './hearing.ts';

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

/** The browser's own speech recognition, under whichever name; null where it has none. */
export function findRecognition(): Constructor | null {
  const names = window as {
    SpeechRecognition?: Constructor;
    webkitSpeechRecognition?: Constructor;
  };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition ?? null;
}

/** Has the browser recognise what is said, telling the words as they come. */
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
    // It keeps the microphone until it knows that nobody listens.
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
  // Some browsers end without ever calling a result final.
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

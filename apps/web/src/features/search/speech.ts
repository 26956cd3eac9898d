export interface SpeechOptions {
  /** Closes the microphone, and discards what was said. */
  signal: AbortSignal;
  /** Closes the microphone, and takes what was said. */
  finished: AbortSignal;
  onListening: () => void;
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

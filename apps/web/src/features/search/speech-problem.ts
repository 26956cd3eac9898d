/** Why a spoken question was not heard: the errors of the Web Speech API, and what else stops one. */
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

export type SpeechProblem = keyof typeof sentences;

/** What went wrong and what to do, in a sentence. */
export const describeProblem = (code: string): string =>
  Object.hasOwn(sentences, code) ? sentences[code as SpeechProblem] : sentences.unknown;

/** What the microphone's refusal means. */
export function problemOfMicrophone(error: unknown): SpeechProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'not-allowed';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'audio-capture';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unknown';
}

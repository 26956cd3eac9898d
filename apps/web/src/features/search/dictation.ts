import { QUESTION_LIMIT } from '@engram/contract/browser';
import { messageOf } from '../../components/notify.ts';
import type { Hearing, HearingEvents } from './speech-recognition.ts';
import { canRecord, LONGEST_MS, recordSpeech } from './sound-recording.ts';
import { describeProblem, findRecognition, recognizeSpeech } from './speech-recognition.ts';

export type DictationState =
  /** The browser asks for the microphone. */
  | { status: 'asking' }
  | {
      status: 'listening';
      /** The start and the limit of a recording; null if the browser decides. */
      timed: { since: number; mostMs: number } | null;
      /** Whether the browser's own recognition has failed. */
      instead: boolean;
    }
  | { status: 'writing' };

interface DictationEvents {
  onState: (state: DictationState) => void;
  onInterim: (text: string) => void;
  onHeard: (text: string) => void;
  onProblem: (sentence: string) => void;
  /** More was said than a question can be: the beginning, and why it is cut. */
  onCut: (text: string, sentence: string) => void;
  /** The browser's own recognition does not work here. */
  onUnrecognized: () => void;
}

interface DictationOptions {
  /** Whether the server transcribes recordings. */
  transcription: boolean;
  /** Whether to try the browser's own recognition. */
  recognition: boolean;
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
 * transcribes. A hidden tab does not listen.
 */
export function startDictation(
  { transcription, recognition }: DictationOptions,
  on: DictationEvents,
): Hearing {
  const Recognition = recognition ? findRecognition() : null;
  const recordable = transcription && canRecord();
  let hearing: Hearing | null = null;
  let open = true;

  const end = (tell: () => void): void => {
    document.removeEventListener('visibilitychange', onVisibility);
    hearing?.cancel();
    tell();
  };
  const problem = (code: string): void => end(() => on.onProblem(describeProblem(code)));
  const onVisibility = (): void => {
    if (document.hidden && open) problem('hidden');
  };
  const eventsOf = (recording: boolean, instead: boolean): HearingEvents => ({
    onListening: () => {
      const timed = recording ? { since: Date.now(), mostMs: LONGEST_MS } : null;
      on.onState({ status: 'listening', timed, instead });
    },
    onInterim: (text) => on.onInterim(cutToQuestion(text)),
    onWriting: () => {
      open = false;
      on.onState({ status: 'writing' });
    },
    onHeard: (text) =>
      end(() => {
        if (text.length <= QUESTION_LIMIT) on.onHeard(text);
        else on.onCut(cutToQuestion(text), describeProblem('too-long'));
      }),
    onProblem: (code) => {
      if (recording || !recordable || !RECORD_INSTEAD.has(code)) return problem(code);
      on.onUnrecognized();
      record(true);
    },
    onFailure: (error) => end(() => on.onProblem(messageOf(error))),
  });
  const record = (instead: boolean): void => {
    on.onState({ status: 'asking' });
    hearing = recordSpeech(eventsOf(true, instead));
  };

  document.addEventListener('visibilitychange', onVisibility);
  if (Recognition) {
    on.onState({ status: 'asking' });
    hearing = recognizeSpeech(Recognition, eventsOf(false, false));
  } else if (recordable) record(!recognition);
  else problem('unsupported');

  return {
    finish: () => hearing?.finish(),
    cancel: () => end(() => undefined),
  };
}

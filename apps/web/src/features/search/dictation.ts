import { QUESTION_LIMIT } from '@engram/contract/browser';
import { messageOf } from '../../components/notify.ts';
import type { Hearing, HearingEvents } from './speech-recognition.ts';
import { canRecord, LONGEST_MS, recordSpeech } from './sound-recording.ts';
import { describeProblem, findRecognition, recognizeSpeech } from './speech-recognition.ts';

export type DictationState =
  /** Waits for the browser to open the microphone. */
  | { status: 'asking' }
  | {
      status: 'listening';
      /** When it began, and how long it may last; null where the browser decides. */
      timed: { since: number; mostMs: number } | null;
      /** Whether the browser's own recognition had failed before. */
      instead: boolean;
    }
  | { status: 'writing' };

interface DictationEvents {
  onState: (state: DictationState) => void;
  onInterim: (text: string) => void;
  /** It is over: what was said, or why nothing was heard. */
  onHeard: (text: string) => void;
  onProblem: (sentence: string) => void;
  /** It is over, and more was said than a question can be: what there is room for, and why. */
  onCut: (text: string, sentence: string) => void;
  /** The browser's own recognition does not work here. */
  onUnrecognized: () => void;
}

interface DictationOptions {
  /** Whether the server writes down recordings. */
  transcription: boolean;
  /** False where the browser's own recognition is known to fail. */
  recognition: boolean;
}

/** The beginning of what was said that a question has room for, cut between words. */
function cutToQuestion(text: string): string {
  if (text.length <= QUESTION_LIMIT) return text;
  const cut = text.slice(0, QUESTION_LIMIT + 1);
  const space = cut.lastIndexOf(' ');
  return cut.slice(0, space > 0 ? space : QUESTION_LIMIT).toWellFormed();
}

/** After these the browser's recognition will not work, but a recording may. */
const RECORD_INSTEAD = new Set([
  'network',
  'service-not-allowed',
  'language-not-supported',
  'audio-capture',
]);

/**
 * Listens to one question: by the browser's own recognition, else by a recording that the server
 * writes down. A hidden tab does not listen.
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

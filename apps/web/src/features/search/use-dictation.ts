import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../components/notify.ts';
import type { DictationState } from './dictation.ts';
import type { Hearing } from './speech-recognition.ts';

export interface Dictation {
  state: DictationState | { status: 'idle' };
  /** Why nothing was heard, or null. */
  problem: string | null;
  /** Starts to listen, takes what was said, or cancels what has not started. */
  toggle: () => void;
  /** Closes the microphone, and forgets what was said and what went wrong. */
  cancel: () => void;
}

interface DictationListener {
  /** Whether the server transcribes recordings. */
  transcription: boolean;
  /** Called with what was said so far. */
  onInterim: (text: string) => void;
  /** Called with a whole question. */
  onHeard: (text: string) => void;
  /** Called when nothing was heard. */
  onNothing: () => void;
}

const idle = { status: 'idle' } as const;

/** Speaking instead of typing. Its code loads when it is first used. */
export function useDictation(listener: DictationListener): Dictation {
  const [state, setState] = useState<Dictation['state']>(idle);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<Hearing | null>(null);
  /** Whether the browser's own recognition is tried; not after it has failed. */
  const recognizes = useRef(true);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });

  const stop = useCallback(() => {
    running.current?.cancel();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);
  const cancel = useCallback(() => {
    stop();
    setState(idle);
    setProblem(null);
  }, [stop]);

  const begin = async (): Promise<void> => {
    let wanted = true;
    const waiting: Hearing = {
      finish: () => undefined,
      cancel: () => {
        wanted = false;
      },
    };
    running.current = waiting;
    setProblem(null);
    setState({ status: 'asking' });
    const over = (sentence: string | null): void => {
      running.current = null;
      setState(idle);
      setProblem(sentence);
    };
    const fail = (sentence: string): void => {
      over(sentence);
      latest.current.onNothing();
    };
    try {
      const { startDictation } = await import('./dictation.ts');
      if (!wanted) return;
      const options = {
        transcription: latest.current.transcription,
        recognition: recognizes.current,
      };
      const hearing = startDictation(options, {
        onState: setState,
        onInterim: (text) => latest.current.onInterim(text),
        onHeard: (text) => {
          over(null);
          latest.current.onHeard(text);
        },
        onCut: (text, sentence) => {
          over(sentence);
          latest.current.onInterim(text);
        },
        onProblem: fail,
        onUnrecognized: () => {
          recognizes.current = false;
        },
      });
      // It may be over already, where nothing can listen.
      if (running.current === waiting) running.current = hearing;
    } catch (error) {
      if (wanted) fail(messageOf(error));
    }
  };

  const { status } = state;
  useEffect(() => {
    if (status === 'idle') return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
      latest.current.onNothing();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [status, cancel]);

  return {
    state,
    problem,
    toggle() {
      if (status === 'idle') void begin();
      else if (status === 'listening') running.current?.finish();
      else {
        cancel();
        listener.onNothing();
      }
    },
    cancel,
  };
}

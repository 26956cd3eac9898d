import { useCallback, useEffect, useRef, useState } from 'react';
import type { SearchData } from '@engram/contract';
import { answerOfSearch, beginAnswer, type Answer } from './answer.ts';
import { askQuestion, type Question } from './api/ask-question.ts';

export type AskState =
  | { status: 'idle' }
  | { status: 'asking'; answer: Answer }
  | { status: 'answered'; answer: Answer }
  | { status: 'failed'; question: Question; error: unknown };

export interface Ask {
  state: AskState;
  /** Asks; a question that is still being answered is given up. */
  ask: (question: Question) => void;
  /** Gives up what is being answered and forgets what was. */
  reset: () => void;
}

const idle: AskState = { status: 'idle' };

/** One question at a time, with its answer as it comes in. */
export function useAsk(onAnswered: (data: SearchData) => void): Ask {
  const [state, setState] = useState<AskState>(idle);
  const running = useRef<AbortController | null>(null);
  const answered = useRef(onAnswered);
  useEffect(() => {
    answered.current = onAnswered;
  });

  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);

  const reset = useCallback(() => {
    stop();
    setState(idle);
  }, [stop]);

  const ask = useCallback(
    (question: Question) => {
      stop();
      const controller = new AbortController();
      running.current = controller;
      const update = (change: (answer: Answer) => Answer): void => {
        if (controller.signal.aborted) return;
        setState((state) =>
          state.status === 'asking' ? { status: 'asking', answer: change(state.answer) } : state,
        );
      };
      setState({
        status: 'asking',
        answer: beginAnswer(question.text, question.after, new Date()),
      });
      askQuestion(
        question,
        {
          onSources: (citations, related) =>
            update((answer) => ({ ...answer, citations, related })),
          onStep: (step) => update((answer) => ({ ...answer, step })),
          onText: (text) =>
            update((answer) => ({ ...answer, step: null, markdown: answer.markdown + text })),
        },
        controller.signal,
      ).then(
        (data) => {
          if (controller.signal.aborted) return;
          const answer = answerOfSearch(data, question.after, Date.now());
          setState({ status: 'answered', answer });
          answered.current(data);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ status: 'failed', question, error });
        },
      );
    },
    [stop],
  );

  return { state, ask, reset };
}

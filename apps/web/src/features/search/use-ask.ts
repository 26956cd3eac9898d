import { useCallback, useEffect, useRef, useState } from 'react';
import type { SearchData } from '@engram/contract';
import { answerOfSearch, beginAnswer, type Answer } from './answer.ts';
import { askQuestion, type Question } from './ask-question.ts';

export type AskState =
  | { status: 'idle' }
  | { status: 'asking'; answer: Answer; question: Question }
  | { status: 'failed'; question: Question; error: unknown };

/** What is told of a question. */
export interface AskListener {
  onAnswered: (answer: Answer, data: SearchData) => void;
}

export interface Ask {
  state: AskState;
  /** Asks; a question that is still being answered is given up. */
  ask: (question: Question, listener: AskListener) => void;
  /** Gives up what is being answered; answers how far it came, null where nothing did. */
  stop: () => Answer | null;
}

const idle: AskState = { status: 'idle' };

interface Running {
  controller: AbortController;
  /** The id that the question will have in the history, once that is known. */
  id: string | null;
  answer: Answer;
}

/** One question at a time, with its answer as it comes in. */
export function useAsk(): Ask {
  const [state, setState] = useState<AskState>(idle);
  const running = useRef<Running | null>(null);

  const abort = useCallback((): Running | null => {
    const stopped = running.current;
    stopped?.controller.abort();
    running.current = null;
    return stopped;
  }, []);
  useEffect(() => () => void abort(), [abort]);

  const stop = useCallback(() => {
    const stopped = abort();
    setState(idle);
    if (!stopped?.answer.markdown) return null;
    return { ...stopped.answer, id: stopped.id, step: null, stopped: true };
  }, [abort]);

  const ask = useCallback(
    (question: Question, { onAnswered }: AskListener) => {
      abort();
      const controller = new AbortController();
      const answer = beginAnswer(question, new Date());
      const run: Running = { controller, id: null, answer };
      running.current = run;
      const update = (changes: Partial<Answer>): void => {
        if (controller.signal.aborted) return;
        run.answer = { ...run.answer, ...changes };
        setState({ status: 'asking', question, answer: run.answer });
      };
      update({});
      askQuestion(
        question,
        {
          onSources: ({ history_id: id, citations, found, similar_vectors: related }) => {
            run.id = id;
            // What a model cites is known only when it has written.
            const mode = run.answer.mode ?? (citations.length > 0 ? 'found' : null);
            update({ citations, found, related, mode });
          },
          onStep: (step) => update({ step, mode: 'written' }),
          onText: (text) => update({ step: null, markdown: run.answer.markdown + text }),
        },
        controller.signal,
      ).then(
        (data) => {
          if (controller.signal.aborted) return;
          running.current = null;
          setState(idle);
          onAnswered(answerOfSearch(data, run.answer, Date.now()), data);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ status: 'failed', question, error });
        },
      );
    },
    [abort],
  );

  return { state, ask, stop };
}

import { ApiError } from '@engram/client';
import type { SearchData } from '@engram/contract';
import { search } from '@engram/contract/browser';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { deviceLabel, currentPosition } from '../../browser/device.ts';
import { answerFromSearch, startAnswer, type Answer, type Question } from './answer.ts';

type AskState =
  | { status: 'idle' }
  | { status: 'asking'; answer: Answer; question: Question }
  | { status: 'failed'; question: Question; error: unknown };

type Update = (change: (answer: Answer) => Partial<Answer>) => void;

/**
 * Asks a question and returns the whole answer. `update` gets each part as it arrives.
 * @throws ApiError if the server refuses or gives up, TypeError if it cannot be reached
 */
export async function askQuestion(
  { text, keywords, files, after }: Question,
  update: Update,
  onId: (id: string) => void,
  signal: AbortSignal,
): Promise<SearchData> {
  const body = {
    text,
    keywords,
    artifactIds: files.map(({ artifactId }) => artifactId),
    location: currentPosition(),
    device: deviceLabel(),
    audio: false,
    explain: true,
    ...(after === null ? {} : { after }),
  };
  for await (const { event, data } of api.stream(search, { body }, { signal })) {
    if (event === 'sources') {
      const { citations, found, similar_vectors: related } = data;
      onId(data.history_id);
      // The citations of a written answer arrive with its end.
      update(({ mode }) => ({
        citations,
        found,
        related,
        mode: mode ?? (citations.length > 0 ? 'found' : null),
      }));
    } else if (event === 'step') update(() => ({ step: data.text, mode: 'written' }));
    else if (event === 'delta') {
      update(({ markdown }) => ({ step: null, markdown: markdown + data.text }));
    } else if (event === 'error') throw new ApiError(503, data);
    else return data;
  }
  throw new ApiError(503, {
    code: 'cut_off',
    message: 'The answer was cut off before it was complete.',
  });
}

const idle: AskState = { status: 'idle' };

interface Running {
  controller: AbortController;
  id: string | null;
  answer: Answer;
}

export function useAsk() {
  const [state, setState] = useState<AskState>(idle);
  const running = useRef<Running | null>(null);

  const abort = useCallback((): Running | null => {
    const stopped = running.current;
    stopped?.controller.abort();
    running.current = null;
    return stopped;
  }, []);
  useEffect(() => () => void abort(), [abort]);

  const stop = useCallback((): Answer | null => {
    const stopped = abort();
    setState(idle);
    if (!stopped?.answer.markdown) return null;
    return { ...stopped.answer, id: stopped.id, step: null, stopped: true };
  }, [abort]);

  const ask = async (question: Question, onAnswered: (answer: Answer) => void): Promise<void> => {
    abort();
    const controller = new AbortController();
    const { signal } = controller;
    const run: Running = { controller, id: null, answer: startAnswer(question, new Date()) };
    running.current = run;
    setState({ status: 'asking', question, answer: run.answer });
    const update: Update = (change) => {
      if (signal.aborted) return;
      run.answer = { ...run.answer, ...change(run.answer) };
      setState({ status: 'asking', question, answer: run.answer });
    };
    const onId = (id: string): void => {
      run.id = id;
    };
    try {
      const data = await askQuestion(question, update, onId, signal);
      if (signal.aborted) return;
      running.current = null;
      setState(idle);
      onAnswered(answerFromSearch(data, run.answer, Date.now()));
    } catch (error) {
      if (!signal.aborted) setState({ status: 'failed', question, error });
    }
  };

  return { state, ask, stop };
}

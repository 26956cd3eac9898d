import type { Answer, Question, RankedPassage } from '@engram/retrieval';
import { composeAnswer } from '@engram/retrieval';
import { type AnswerModel, ModelUnavailable } from '../../platform/ai/answer-model.ts';

export interface Answered {
  answer: Answer;
  /** What the person should know about how the answer came about. */
  notice: string | null;
}

export interface AnsweringRequest {
  question: Question;
  passages: readonly RankedPassage[];
  /** Chunks that the person's files have in all: the more there are, the more is found by chance. */
  librarySize: number;
  previous?: { question: string; answer: string } | undefined;
  signal: AbortSignal;
  /** Called with each stretch of the answer that may be shown. */
  onDelta: (text: string) => void;
}

/** Passages a model is given at most, and the tokens they may take together. */
const MODEL_PASSAGES = 10;
const TOKEN_BUDGET = 6000;

const FALLBACK = "This answer was put together from your files' own sentences.";

/**
 * Answers a question from its passages: by the model where there is one, or else, and whenever the
 * model fails, with sentences of the files themselves.
 */
export async function answerFrom(
  model: AnswerModel | null,
  { question, passages, librarySize, previous, signal, onDelta }: AnsweringRequest,
): Promise<Answered> {
  const extractive = composeAnswer(question, passages, { librarySize });
  if (!model?.describe().on || passages.length === 0) {
    onDelta(extractive.markdown);
    return { answer: extractive, notice: null };
  }
  try {
    const events = model.answer({
      question: question.text,
      passages: passages.slice(0, MODEL_PASSAGES),
      previous,
      tokenBudget: TOKEN_BUDGET,
      signal,
    });
    for await (const event of events) {
      if (event.type === 'done') {
        // A model that found nothing has shown nothing so far.
        if (!event.answer.grounded) onDelta(event.answer.markdown);
        return { answer: event.answer, notice: null };
      }
      onDelta(event.text);
    }
    throw new ModelUnavailable('malformed', 'The model did not finish its answer.');
  } catch (error) {
    // The person went away: the question is kept with the answer that needs nobody to wait.
    if (signal.aborted) return { answer: extractive, notice: null };
    if (!(error instanceof ModelUnavailable)) throw error;
    return { answer: extractive, notice: `${error.message} ${FALLBACK}` };
  }
}

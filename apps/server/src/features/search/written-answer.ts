import type { Answer, EarlierTurn, Question, RankedPassage, Section } from '@engram/retrieval';
import type { AnswerModel } from '../../platform/ai/answering/answer-model.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import { type EvidenceFiles, evidenceOf } from './model/evidence-files.ts';
import { steps } from './model/steps.ts';
import { toolsFor } from './model/tools.ts';

interface WrittenAnswer {
  answer: Answer;
  notice: string | null;
  model: string | null;
}

interface AnswerRequest {
  userId: string;
  text: string;
  question: Question;
  passages: readonly RankedPassage[];
  sections: readonly Section[];
  found: Answer;
  earlier: readonly EarlierTurn[];
  evidenceFiles: EvidenceFiles;
  /** Searches the question's files with other queries. */
  findMore: (queries: readonly string[]) => Promise<RankedPassage[]>;
  /** YYYY-MM-DD in the time zone of the server. */
  today: string;
  signal: AbortSignal;
  onStep: (text: string) => void;
  /** Called with each verified part of the answer. */
  onDelta: (text: string) => void;
  done: (stage: string) => void;
}

/** The maximum estimated tokens of a model's prompt with all tool results. */
const TOKEN_BUDGET = 24_000;

const UNVERIFIED = 'The model’s answer could not be verified in your files.';
const FALLBACK = 'This answer quotes passages from your files instead.';
const WITHHELD =
  'A sentence was left out because it repeated an instruction or an address from a file.';

/**
 * Answers a question with the model, if there is one, from the evidence and the results of its tools.
 * Returns the found answer if the model fails or nothing that it wrote can be verified.
 */
export async function writeAnswer(
  model: AnswerModel | null,
  request: AnswerRequest,
): Promise<WrittenAnswer> {
  const { userId, text, question, evidenceFiles, passages, sections, found } = request;
  const { earlier, today, signal, onDelta, onStep, findMore, done } = request;
  const withoutModel = { answer: found, notice: null, model: null };
  const foundAnswerBecause = (reason: string): WrittenAnswer => ({
    ...withoutModel,
    notice: found.grounded ? `${reason} ${FALLBACK}` : reason,
  });
  if (!model?.describe().on || passages.length === 0) {
    onDelta(found.markdown);
    return withoutModel;
  }
  try {
    // The user may choose another model while this one writes.
    const writer = model.current()?.name ?? null;
    const evidence = await evidenceOf(evidenceFiles, sections, passages);
    done('evidence');
    const files = new Map(evidence.map(({ artifactId, kind }) => [artifactId, kind ?? null]));
    if (files.size > 0) onStep(steps.reading([...files.values()]));
    const events = model.answer({
      userId,
      question: text,
      about: question.text,
      evidence,
      tools: toolsFor({ evidenceFiles, findMore, onStep }),
      languages: question.languages,
      earlier,
      today,
      tokenBudget: TOKEN_BUDGET,
      signal,
    });
    for await (const event of events) {
      if (event.type === 'delta') onDelta(event.text);
      if (event.type === 'step') onStep(event.text);
      if (event.type !== 'done') continue;
      done('model');
      if (event.unverified) {
        onDelta(found.markdown);
        return foundAnswerBecause(UNVERIFIED);
      }
      const { answer } = event;
      const notice = event.withheld ? WITHHELD : null;
      if (answer.grounded) return { answer, notice, model: writer };
      // Nothing has been sent yet.
      onDelta(answer.markdown);
      const nearest = found.nearest ?? found.citations;
      return { answer: { ...answer, nearest }, notice, model: writer };
    }
    throw new ModelUnavailable('malformed', 'The model did not finish its answer.');
  } catch (error) {
    // The client disconnected, so the found answer is stored.
    if (signal.aborted) return withoutModel;
    if (!(error instanceof ModelUnavailable)) throw error;
    return foundAnswerBecause(error.message);
  }
}

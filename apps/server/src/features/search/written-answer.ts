import type { Answer, EarlierTurn, Question, RankedPassage, Section } from '@engram/retrieval';
import { type AnswerModel, ModelUnavailable } from '../../platform/ai/answering/answer-model.ts';
import { evidenceOf } from './model/evidence.ts';
import type { EvidenceFiles } from './model/evidence-files.ts';
import { steps } from './model/steps.ts';
import { toolsFor } from './model/tools.ts';

export interface WrittenAnswer {
  answer: Answer;
  /** What the person should know about how the answer came about. */
  notice: string | null;
  /** The model that wrote the answer; null where none did. */
  model: string | null;
}

export interface AnswerRequest {
  userId: string;
  /** As the person put it. */
  asked: string;
  /** Made whole with what was asked before. */
  question: Question;
  passages: readonly RankedPassage[];
  /** What was found, best first. */
  sections: readonly Section[];
  /** The answer without a model: sections of files as they stand. */
  found: Answer;
  /** What was asked and answered before, oldest first. */
  earlier: readonly EarlierTurn[];
  /** The files that the question may be answered from. */
  evidenceFiles: EvidenceFiles;
  /** Looks in the person's files for other words. */
  findMore: (queries: readonly string[]) => Promise<RankedPassage[]>;
  /** Today, as YYYY-MM-DD, where the person is. */
  today: string;
  signal: AbortSignal;
  /** Called with what is being looked for. */
  onStep: (text: string) => void;
  /** Called with each part of the answer that may be shown. None is ever taken back. */
  onDelta: (text: string) => void;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** Tokens of a model's prompt with all that it looks up, as estimated. */
const TOKEN_BUDGET = 24_000;

const UNVERIFIED = 'What the model said could not be found in your files.';
const FALLBACK = 'The answer quotes what was found in your files.';
const WITHHELD =
  'A sentence was left out: it repeated what a file tells a model to say, or an address.';

/**
 * Answers a question by the model, where there is one, from what was found and what it looks up. The
 * found answer stands without a model, and whenever the model fails or nothing it says can be verified.
 */
export async function writeAnswer(
  model: AnswerModel | null,
  request: AnswerRequest,
): Promise<WrittenAnswer> {
  const { found, passages, signal, onDelta } = request;
  const withoutModel = { answer: found, notice: null, model: null };
  if (!model?.describe().on || passages.length === 0) {
    onDelta(found.markdown);
    return withoutModel;
  }
  try {
    return await byModel(model, request);
  } catch (error) {
    // The client went away: the question is stored with the answer that is there already.
    if (signal.aborted) return withoutModel;
    if (!(error instanceof ModelUnavailable)) throw error;
    return { ...withoutModel, notice: reasonFor(error.message, found) };
  }
}

/** Why no model answered, and what stands in its place. */
const reasonFor = (why: string, { grounded }: Answer): string =>
  grounded ? `${why} ${FALLBACK}` : why;

async function byModel(model: AnswerModel, request: AnswerRequest): Promise<WrittenAnswer> {
  const { userId, asked, question, evidenceFiles, passages, sections, found } = request;
  const { earlier, today, signal, onDelta, onStep, findMore } = request;
  // Another model may be chosen while this one writes.
  const writer = model.current()?.name ?? null;
  const evidence = await evidenceOf(evidenceFiles, sections, passages);
  request.done('evidence');
  const files = new Map(evidence.map(({ artifactId, kind }) => [artifactId, kind ?? null]));
  if (files.size > 0) onStep(steps.reading([...files.values()]));
  const events = model.answer({
    userId,
    question: asked,
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
    if (event.type === 'delta') {
      onDelta(event.text);
      continue;
    }
    if (event.type === 'step') {
      onStep(event.text);
      continue;
    }
    request.done('model');
    if (event.unverified) {
      onDelta(found.markdown);
      return { answer: found, notice: reasonFor(UNVERIFIED, found), model: null };
    }
    const { answer } = event;
    const notice = event.withheld ? WITHHELD : null;
    if (answer.grounded) return { answer, notice, model: writer };
    // A model that found nothing has shown nothing so far.
    onDelta(answer.markdown);
    const nearest = found.nearest ?? found.citations;
    return { answer: { ...answer, nearest }, notice, model: writer };
  }
  throw new ModelUnavailable('malformed', 'The model did not finish its answer.');
}

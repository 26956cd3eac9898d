import type {
  Answer,
  Citation,
  EarlierTurn,
  PartOfQuestion,
  Question,
  RankedPassage,
} from '@engram/retrieval';
import { unanswered, uncoveredParts } from '@engram/retrieval';
import { type AnswerModel, ModelUnavailable } from '../../platform/ai/answering/answer-model.ts';
import { contextOf } from './model/context.ts';
import type { Papers } from './model/papers.ts';
import { steps } from './model/steps.ts';
import { toolsFor } from './model/tools.ts';

export interface Answered {
  answer: Answer;
  /** What the person should know about how the answer came about. */
  notice: string | null;
  /** What a model's answer was looked for in, best first; null where none wrote it. */
  used: readonly RankedPassage[] | null;
  /** The model that wrote the answer; null where none did. */
  model: string | null;
}

export interface AnsweringRequest {
  /** As the person put it. */
  asked: string;
  /** Made whole with what was asked before. */
  question: Question;
  passages: readonly RankedPassage[];
  /** The parts of a question that asks for several things; else none. */
  parts: readonly PartOfQuestion[];
  /** What the files' own sentences answer. */
  fromSentences: Answer;
  /** Chunks that the person's files have in all: without any, no model is asked. */
  librarySize: number;
  /** What was asked and answered before, oldest first. */
  earlier: readonly EarlierTurn[];
  /** The papers that the question may be answered from. */
  papers: Papers;
  /** Looks in the person's files for other words. */
  findMore: (queries: readonly string[]) => Promise<RankedPassage[]>;
  /** Today, as YYYY-MM-DD, where the person is. */
  today: string;
  signal: AbortSignal;
  /** Called with what is being looked for. */
  onStep: (text: string) => void;
  /** Called with each stretch of the answer that may be shown; none is ever taken back. */
  onDelta: (text: string) => void;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** Tokens of a model's prompt with all that it looks up, as estimated. */
const TOKEN_BUDGET = 24_000;
/** Passages that an answer may rest on, where the model found nothing else. */
const MOST_USED = 10;

const UNVERIFIED = 'What the model said could not be found in your files.';
const FALLBACK = "This answer was put together from your files' own sentences.";
const WITHHELD =
  'A sentence was left out: it repeated what a file tells a model to say, or an address.';

/**
 * Answers a question: by the model where there is one, with what was found and what it looks up, or
 * else, and whenever the model fails or nothing it says can be verified, with sentences of the files
 * themselves.
 */
export async function answerFrom(
  model: AnswerModel | null,
  request: AnsweringRequest,
): Promise<Answered> {
  const { librarySize, fromSentences, signal, onDelta } = request;
  const withoutModel = { answer: fromSentences, notice: null, used: null, model: null };
  if (!model?.describe().on || librarySize === 0) {
    onDelta(fromSentences.markdown);
    return withoutModel;
  }
  try {
    return await byModel(model, request);
  } catch (error) {
    // The person went away: the question is kept with the answer that needs nobody to wait.
    if (signal.aborted) return withoutModel;
    if (!(error instanceof ModelUnavailable)) throw error;
    return { ...withoutModel, notice: told(error.message, fromSentences) };
  }
}

/** Why no model answered, and what did in its place. */
const told = (why: string, { grounded }: Answer): string => (grounded ? `${why} ${FALLBACK}` : why);

async function byModel(model: AnswerModel, request: AnsweringRequest): Promise<Answered> {
  const { asked, question, parts, papers, passages, fromSentences } = request;
  const { earlier, today, signal, onDelta, onStep } = request;
  // As it was asked: another may be set meanwhile.
  const writer = model.name();
  const found = [...passages];
  const evidence = await contextOf(papers, question, passages, fromSentences);
  request.done('context');
  const files = new Map(evidence.map(({ artifactId, kind }) => [artifactId, kind ?? null]));
  if (files.size > 0) onStep(steps.reading([...files.values()]));
  const { findMore } = request;
  const tools = toolsFor({ papers, findMore, onFound: (more) => found.push(...more), onStep });
  const events = model.answer({
    question: asked,
    about: question.text,
    parts: parts.map((part) => part.asked),
    evidence,
    tools,
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
    request.done('model');
    if (event.unverified) {
      onDelta(fromSentences.markdown);
      const notice = told(UNVERIFIED, fromSentences);
      return { answer: fromSentences, notice, used: null, model: null };
    }
    // A model that found nothing has shown nothing so far.
    if (!event.answer.grounded) onDelta(event.answer.markdown);
    const answer = event.answer.grounded
      ? withUnanswered(event.answer, request)
      : { ...event.answer, nearest: nearestIn(fromSentences) };
    const notice = event.withheld ? WITHHELD : null;
    const used = usedFor(answer, found, found.length === passages.length);
    return { answer, notice, used, model: writer };
  }
  throw new ModelUnavailable('malformed', 'The model did not finish its answer.');
}

/** What a model was shown first and did not take for an answer comes nearest to one. */
const nearestIn = ({ nearest, citations }: Answer): Citation[] => nearest ?? citations;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The answer, which says plainly what of the question the files do not answer. */
function withUnanswered(answer: Answer, { asked, parts, onDelta }: AnsweringRequest): Answer {
  const said = new Set(wordsOf(asked));
  // Other parts were added when the question was made whole with the talk.
  const uncovered = uncoveredParts(parts, answer).filter((part) =>
    wordsOf(part.asked).every((word) => said.has(word)),
  );
  if (uncovered.length === 0) return answer;
  const rest = `\n\n${unanswered(uncovered.map((part) => part.asked))}`;
  onDelta(rest);
  return { ...answer, markdown: answer.markdown + rest };
}

/**
 * The passages that an answer rests on. Of what was found by other words the question's own cannot
 * tell: those are the ones that the answer cites.
 */
const usedFor = (
  { citations }: Answer,
  found: readonly RankedPassage[],
  byItsWords: boolean,
): RankedPassage[] =>
  byItsWords
    ? found.slice(0, MOST_USED)
    : found.filter(({ artifactId, start, end }) =>
        citations.some(
          (cited) => cited.artifactId === artifactId && cited.start < end && start < cited.end,
        ),
      );

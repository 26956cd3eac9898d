import type {
  Answer,
  EarlierTurn,
  PartOfQuestion,
  Question,
  RankedPassage,
} from '@engram/retrieval';
import { mergePassages, unanswered, uncoveredParts } from '@engram/retrieval';
import { type AnswerModel, ModelUnavailable } from '../../platform/ai/answering/answer-model.ts';

export interface Answered {
  answer: Answer;
  /** What the person should know about how the answer came about. */
  notice: string | null;
  /** What a model looked for the answer in, best first; null where none wrote it. */
  used: readonly RankedPassage[] | null;
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
  /** Chunks that the person's files have in all: the more there are, the more is found by chance. */
  librarySize: number;
  /** What was asked and answered before, oldest first. */
  earlier: readonly EarlierTurn[];
  /** Looks in the person's files for other words. */
  findMore: (queries: readonly string[]) => Promise<RankedPassage[]>;
  signal: AbortSignal;
  /** Called with each stretch of the answer that may be shown; none is ever taken back. */
  onDelta: (text: string) => void;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** Passages a model is given at most, and the tokens of its whole prompt. */
const MODEL_PASSAGES = 10;
const TOKEN_BUDGET = 6000;

const UNVERIFIED = 'What the model said could not be found in your files.';
const FALLBACK = "This answer was put together from your files' own sentences.";

/**
 * Answers a question from its passages: by the model where there is one, or else, and whenever the
 * model fails, with sentences of the files themselves.
 */
export async function answerFrom(
  model: AnswerModel | null,
  request: AnsweringRequest,
): Promise<Answered> {
  const { librarySize, fromSentences, signal, onDelta } = request;
  if (!model?.describe().on || librarySize === 0) {
    onDelta(fromSentences.markdown);
    return { answer: fromSentences, notice: null, used: null };
  }
  try {
    const { answer, used, unverified } = await answerInRounds(model, request);
    if (unverified) {
      onDelta(fromSentences.markdown);
      const notice = fromSentences.grounded ? `${UNVERIFIED} ${FALLBACK}` : null;
      return { answer: fromSentences, notice, used: null };
    }
    // A model that found nothing has shown nothing so far.
    if (!answer.grounded) onDelta(answer.markdown);
    return { answer, notice: null, used };
  } catch (error) {
    // The person went away: the question is kept with the answer that needs nobody to wait.
    if (signal.aborted) return { answer: fromSentences, notice: null, used: null };
    if (!(error instanceof ModelUnavailable)) throw error;
    return { answer: fromSentences, notice: `${error.message} ${FALLBACK}`, used: null };
  }
}

interface Round {
  answer: Answer;
  /** The model claimed something, and nothing of it could be verified. */
  unverified: boolean;
  /** Parts of the question that the answer leaves out. */
  uncovered: readonly PartOfQuestion[];
  used: readonly RankedPassage[];
  /** Shows what was held back. */
  show: () => void;
}

/** At most two rounds: the second with what is found for the words that the model would look for. */
async function answerInRounds(
  model: AnswerModel,
  request: AnsweringRequest,
): Promise<Pick<Round, 'answer' | 'unverified' | 'used'>> {
  const first = request.passages.length > 0 ? await ask(model, request, request.passages) : null;
  if (first?.answer.grounded && first.uncovered.length === 0) {
    first.show();
    return first;
  }
  const more = await moreFor(model, request, first?.uncovered ?? []);
  const known = new Set(request.passages.slice(0, MODEL_PASSAGES).map(keyOf));
  const fresh = more.filter((passage) => !known.has(keyOf(passage)));
  const second =
    fresh.length > 0
      ? await askAgain(model, request, mergePassages([fresh, request.passages]), first)
      : null;
  const best = second ?? first;
  if (best === null) {
    return { answer: request.fromSentences, unverified: false, used: [] };
  }
  best.show();
  // Of what was found by other words the question's own cannot tell what the answer rests on.
  const used = best === second ? citedOf(second) : best.used;
  return { ...best, used, answer: withUnanswered(best, request.onDelta) };
}

const citedOf = ({ answer, used }: Round): RankedPassage[] =>
  used.filter(({ artifactId, start, end }) =>
    answer.citations.some(
      (cited) => cited.artifactId === artifactId && cited.start < end && start < cited.end,
    ),
  );

/** The answer, which says plainly what of the question the files do not answer. */
function withUnanswered({ answer, uncovered }: Round, onDelta: (text: string) => void): Answer {
  if (!answer.grounded || uncovered.length === 0) return answer;
  const rest = `\n\n${unanswered(uncovered.map((part) => part.asked))}`;
  onDelta(rest);
  return { ...answer, markdown: answer.markdown + rest };
}

const keyOf = ({ artifactId, start }: RankedPassage): string => `${artifactId}:${start}`;

/** The second round, unless it says less than the first; a model that fails then ends nothing. */
async function askAgain(
  model: AnswerModel,
  request: AnsweringRequest,
  passages: readonly RankedPassage[],
  first: Round | null,
): Promise<Round | null> {
  try {
    const second = await ask(model, request, passages, first?.answer.grounded === true);
    const covers = second.uncovered.length < (first?.uncovered.length ?? Infinity);
    return second.answer.grounded && (covers || first?.answer.grounded !== true) ? second : null;
  } catch (error) {
    const lost = error instanceof ModelUnavailable && !request.signal.aborted;
    // What was already shown of the second round is the answer's beginning: it cannot be replaced.
    if (!lost || first?.answer.grounded !== true) throw error;
    return null;
  }
}

/**
 * One answer of the model. The text of a question of several parts is held back until every part is
 * covered, because another round may replace it.
 */
async function ask(
  model: AnswerModel,
  request: AnsweringRequest,
  passages: readonly RankedPassage[],
  hold = request.parts.length > 1,
): Promise<Round> {
  const { asked, question, parts, earlier, signal, onDelta } = request;
  const used = passages.slice(0, MODEL_PASSAGES);
  const events = model.answer({
    question: asked,
    about: question.text,
    parts: parts.map((part) => part.asked),
    passages: used,
    earlier,
    tokenBudget: TOKEN_BUDGET,
    signal,
  });
  let held: string | null = hold ? '' : null;
  const show = (): void => {
    if (held !== null && held !== '') onDelta(held);
    held = null;
  };
  let markdown = '';
  for await (const event of events) {
    if (event.type === 'done') {
      request.done('model');
      const uncovered = uncoveredParts(parts, event.answer);
      return { answer: event.answer, unverified: event.unverified, uncovered, used, show };
    }
    markdown += event.text;
    if (held === null) onDelta(event.text);
    else {
      held += event.text;
      if (uncoveredParts(parts, { markdown, citations: [] }).length === 0) show();
    }
  }
  throw new ModelUnavailable('malformed', 'The model did not finish its answer.');
}

/** What the files hold for the words that the model would look for; nothing when it names none. */
async function moreFor(
  model: AnswerModel,
  { asked, question, earlier, signal, findMore, done }: AnsweringRequest,
  uncovered: readonly PartOfQuestion[],
): Promise<RankedPassage[]> {
  try {
    const queries = await model.searchWords({
      question:
        uncovered.length > 0 ? uncovered.map((part) => part.question.text).join(' ') : asked,
      about: question.text,
      earlier,
      languages: question.languages,
      signal,
    });
    done('search words');
    const found = queries.length > 0 ? await findMore(queries) : [];
    done('second search');
    return found;
  } catch (error) {
    if (error instanceof ModelUnavailable && !signal.aborted) return [];
    throw error;
  }
}

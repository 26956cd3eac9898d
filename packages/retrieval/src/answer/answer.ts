import type { Question } from '../question/question.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import type { Answer, Citation } from '../types.ts';
import { answerComparison } from './comparison.ts';
import { answerFileList } from './file-list.ts';
import { answerInForce } from './in-force.ts';
import type { Answerer, Material } from './material.ts';
import { answerProcedure } from './procedure.ts';
import { answerRows } from './rows.ts';
import { answerSummary } from './summary.ts';
import { answerValue, nearestPlaces } from './value.ts';
import { THRESHOLD } from './weights.ts';

/** What an answer says when the files hold none. */
export const NO_ANSWER = "Your files don't seem to say.";

/**
 * The kinds of answers. Each but the last is silent unless the question wants its kind; the first
 * one that is sure enough answers.
 */
const ANSWERERS: readonly Answerer[] = [
  answerSummary,
  answerComparison,
  answerRows,
  answerFileList,
  answerProcedure,
  (material) => answerCurrentValue(material),
];

/**
 * The value in force or a value, whichever is surer. A value that stands where the one in force says
 * that it held before is no answer, however sure.
 */
const answerCurrentValue: Answerer = (material) => {
  const [inForce, value] = [answerInForce(material), answerValue(material)];
  if (inForce === null || value === null) return inForce ?? value;
  if (value.confidence <= inForce.confidence) return inForce;
  const [current, ...former] = inForce.citations;
  const [cited] = value.citations;
  const isFormer =
    cited !== undefined && !overlaps(cited, current) && former.some((one) => overlaps(cited, one));
  return isFormer && inForce.confidence >= LEAST_IN_FORCE
    ? { ...inForce, confidence: value.confidence }
    : value;
};

/** How sure a value in force must be to go before one that it replaced. */
const LEAST_IN_FORCE = 0.2;

const overlaps = (one: Citation, other: Citation | undefined): boolean =>
  one.artifactId === other?.artifactId && one.start < other.end && other.start < one.end;

/** What an answer may be made from beside the passages found; nothing of it has to be there. */
export type AnswerOptions = Partial<Omit<Material, 'question' | 'ranked'>>;

/** Chunks assumed in a library of unknown size, where the most passages were found, and fewest. */
const USUAL_LIBRARY = 600;
const SMALL_LIBRARY = 5;
/** Passages the index hands over at most; with fewer of them the library has no more. */
const USUAL_LIMIT = 50;

const materialOf = (
  question: Question,
  ranked: readonly RankedPassage[],
  options: AnswerOptions,
): Material => ({
  question,
  ranked,
  librarySize: ranked.length < USUAL_LIMIT ? Math.max(SMALL_LIBRARY, ranked.length) : USUAL_LIBRARY,
  documents: new Map(),
  files: [],
  tables: [],
  today: new Date(0).toISOString().slice(0, 10),
  ...options,
});

/** What the first of some answerers says that is sure enough. */
function firstSure(answerers: readonly Answerer[], material: Material): Answer | null {
  for (const propose of answerers) {
    const proposal = propose(material);
    if (proposal === null || proposal.confidence < THRESHOLD) continue;
    const { confidence: _, ...answer } = proposal;
    return { ...answer, grounded: true };
  }
  return null;
}

/** Two files side by side, where a question compares such; null where it does not. */
export const composeComparison = (
  question: Question,
  ranked: readonly RankedPassage[],
  options: AnswerOptions = {},
): Answer | null => firstSure([answerComparison], materialOf(question, ranked, options));

/**
 * Answers a question by what it wants, from what was found. Where nothing is sure enough it says so,
 * cites nothing, and names the places that come nearest.
 */
export function composeAnswer(
  question: Question,
  ranked: readonly RankedPassage[],
  options: AnswerOptions = {},
): Answer {
  const material = materialOf(question, ranked, options);
  return (
    firstSure(ANSWERERS, material) ?? {
      markdown: NO_ANSWER,
      citations: [],
      grounded: false,
      nearest: nearestPlaces(material),
    }
  );
}

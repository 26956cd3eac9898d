import type { Question } from '../question/question.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import type { Answer } from '../types.ts';
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
  surerOf(answerInForce, answerValue),
];

/** Of two ways to answer, the one that is surer; the first where they are as sure. */
function surerOf(first: Answerer, second: Answerer): Answerer {
  return (material) => {
    const [one, other] = [first(material), second(material)];
    if (one === null || other === null) return one ?? other;
    return other.confidence > one.confidence ? other : one;
  };
}

/** What an answer may be made from beside the passages found; nothing of it has to be there. */
export type AnswerOptions = Partial<Omit<Material, 'question' | 'ranked'>>;

/** Chunks assumed in a library of unknown size, where the most passages were found, and fewest. */
const USUAL_LIBRARY = 600;
const SMALL_LIBRARY = 5;
/** Passages the index hands over at most; with fewer of them the library has no more. */
const USUAL_LIMIT = 50;

/**
 * Answers a question by what it wants, from what was found. Where nothing is sure enough it says so,
 * cites nothing, and names the places that come nearest.
 */
export function composeAnswer(
  question: Question,
  ranked: readonly RankedPassage[],
  options: AnswerOptions = {},
): Answer {
  const found = ranked.length;
  const material: Material = {
    question,
    ranked,
    librarySize: found < USUAL_LIMIT ? Math.max(SMALL_LIBRARY, found) : USUAL_LIBRARY,
    documents: new Map(),
    files: [],
    tables: [],
    today: new Date(0).toISOString().slice(0, 10),
    ...options,
  };
  for (const propose of ANSWERERS) {
    const proposal = propose(material);
    if (proposal === null || proposal.confidence < THRESHOLD) continue;
    const { confidence: _, ...answer } = proposal;
    return { ...answer, grounded: true };
  }
  return {
    markdown: NO_ANSWER,
    citations: [],
    grounded: false,
    nearest: nearestPlaces(material),
  };
}
